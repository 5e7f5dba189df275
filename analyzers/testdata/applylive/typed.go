package applylive

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	applyappsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
)

var apply = metav1.ApplyOptions{FieldManager: "example"}

func typedJSON(ctx context.Context, cs kubernetes.Interface) error {
	cm, err := cs.CoreV1().ConfigMaps("default").Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	cm.Data["a"] = "b"
	data, err := json.Marshal(cm)
	if err != nil {
		return err
	}
	_, err = cs.CoreV1().ConfigMaps("default").Patch(ctx, "a", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "example"}) // want `this apply sends data, read from the API`
	return err
}

func typedMerge(ctx context.Context, cs kubernetes.Interface) error {
	cm, err := cs.CoreV1().ConfigMaps("default").Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	data, err := json.Marshal(cm)
	if err != nil {
		return err
	}
	_, err = cs.CoreV1().ConfigMaps("default").Patch(ctx, "a", types.MergePatchType, data, metav1.PatchOptions{})
	return err
}

func extracted(ctx context.Context, cs kubernetes.Interface) error {
	deploy, err := cs.AppsV1().Deployments("default").Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	desired, err := applyappsv1.ExtractDeployment(deploy, "example")
	if err != nil {
		return err
	}
	_, err = cs.AppsV1().Deployments("default").Apply(ctx, desired, apply)
	return err
}

func dynamicApply(ctx context.Context, d dynamic.ResourceInterface) error {
	u, err := d.Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	_, err = d.Apply(ctx, u.GetName(), u, apply) // want `this apply sends u`
	return err
}

func dynamicFresh(ctx context.Context, d dynamic.ResourceInterface) error {
	u, err := d.Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	desired := &unstructured.Unstructured{}
	desired.SetName(u.GetName())
	_, err = d.Apply(ctx, u.GetName(), desired, apply)
	return err
}

func dynamicResult(ctx context.Context, d dynamic.ResourceInterface, u *unstructured.Unstructured) error {
	created, err := d.Create(ctx, u, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, err = d.ApplyStatus(ctx, "a", created, apply) // want `this apply sends created, returned by an earlier write`
	return err
}

func dynamicOriginal(ctx context.Context, d dynamic.ResourceInterface, u *unstructured.Unstructured) error {
	if _, err := d.Create(ctx, u, metav1.CreateOptions{}); err != nil {
		return err
	}
	_, err := d.ApplyStatus(ctx, "a", u, apply)
	return err
}

func dynamicList(ctx context.Context, d dynamic.ResourceInterface) error {
	list, err := d.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, item := range list.Items {
		if _, err := d.Apply(ctx, item.GetName(), &item, apply); err != nil { // want `this apply sends item`
			return err
		}
	}
	for _, item := range list.Items {
		item.SetManagedFields(nil)
		if _, err := d.Apply(ctx, item.GetName(), &item, apply); err != nil {
			return err
		}
	}
	return nil
}

func lister(ctx context.Context, l listers.ConfigMapLister, cs kubernetes.Interface) error {
	cm, err := l.ConfigMaps("default").Get("a")
	if err != nil {
		return err
	}
	data, err := json.Marshal(cm.DeepCopy())
	if err != nil {
		return err
	}
	_, err = cs.CoreV1().ConfigMaps("default").Patch(ctx, "a", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "example"}) // want `this apply sends data`
	return err
}

func decoded(ctx context.Context, cs kubernetes.Interface) error {
	deploy, err := cs.AppsV1().Deployments("default").Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	data, err := json.Marshal(deploy)
	if err != nil {
		return err
	}
	desired := applyappsv1.Deployment("a", "default")
	if err := json.Unmarshal(data, desired); err != nil {
		return err
	}
	_, err = cs.AppsV1().Deployments("default").Apply(ctx, desired, apply)
	return err
}
