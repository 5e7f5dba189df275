package direct

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var widget = schema.GroupVersionKind{Group: "example.org", Version: "v1", Kind: "Widget"}

func kinds(ctx context.Context, c client.Client, k kubernetes.Interface, d dynamic.ResourceInterface, deep bool) {
	var obj client.Object = &appsv1.Deployment{}
	c.Update(ctx, obj) // want `^runtime update apps/v1/Deployment `
	if deep {
		obj = &corev1.Pod{}
	}
	c.Update(ctx, obj) // want `^runtime update fm=`
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(widget)
	c.Update(ctx, u) // want `^runtime update example.org/v1/Widget `
	lit := &unstructured.Unstructured{Object: map[string]interface{}{"apiVersion": "apps/v1", "kind": "Deployment"}}
	d.Create(ctx, lit, metav1.CreateOptions{}) // want `^dynamic create apps/v1/Deployment `
	set := &unstructured.Unstructured{}
	set.SetAPIVersion("v1")
	set.SetKind("Secret")
	d.Update(ctx, set, metav1.UpdateOptions{}) // want `^dynamic update v1/Secret `
	part := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}}
	c.Delete(ctx, part)                                                                                                                            // want `^runtime delete v1/ConfigMap `
	k.AppsV1().Deployments("").Apply(ctx, appsapply.Deployment("n", "ns"), metav1.ApplyOptions{Force: true, FieldManager: "me"})                   // want `^typed apply apps/v1/Deployment fm=set=me force=set=true `
	k.AppsV1().Deployments("").Delete(ctx, "n", metav1.DeleteOptions{})                                                                            // want `^typed delete apps/v1/Deployment `
	c.Apply(ctx, appsapply.Deployment("n", "ns"), client.ForceOwnership, client.FieldOwner("me"))                                                  // want `^runtime apply apps/v1/Deployment fm=set=me force=set=true `
	c.Status().Apply(ctx, appsapply.Deployment("n", "ns"), &client.SubResourceApplyOptions{ApplyOptions: client.ApplyOptions{FieldManager: "me"}}) // want `^runtime subresource apply sub=status apps/v1/Deployment fm=set=me force=unset `
}
