package dryrunresult

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var rehearse = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}

type keeper struct {
	cs     kubernetes.Interface
	client client.Client
	last   types.UID
	seen   map[types.UID]string
}

func (k *keeper) ownerOfTyped(ctx context.Context, cm *corev1.ConfigMap, secret *corev1.Secret) error {
	created, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	secret.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "ConfigMap",
		Name: created.Name,
		UID:  created.UID, // want `created.UID comes from the dry run in line 28, which stores nothing, so no object has this UID`
	}}
	_, err = k.cs.CoreV1().Secrets("default").Create(ctx, secret, metav1.CreateOptions{})
	return err
}

func (k *keeper) ownerOfReal(ctx context.Context, cm *corev1.ConfigMap, secret *corev1.Secret) error {
	if _, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
		return err
	}
	created, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	secret.OwnerReferences = []metav1.OwnerReference{{UID: created.UID}}
	_, err = k.cs.CoreV1().Secrets("default").Create(ctx, secret, metav1.CreateOptions{})
	return err
}

func (k *keeper) ownerInRehearsal(ctx context.Context, cm *corev1.ConfigMap, secret *corev1.Secret) error {
	created, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	secret.OwnerReferences = []metav1.OwnerReference{{UID: created.UID}}
	_, err = k.cs.CoreV1().Secrets("default").Create(ctx, secret, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

func (k *keeper) printed(ctx context.Context, cm *corev1.ConfigMap) error {
	created, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	fmt.Println(created.UID, created.GetResourceVersion(), created.Name)
	if created.UID == cm.UID {
		return nil
	}
	return nil
}

func (k *keeper) kept(ctx context.Context, cm *corev1.ConfigMap) error {
	created, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	k.last = created.GetUID()          // want `created.GetUID\(\) comes from the dry run in line 77`
	k.seen[created.UID] = created.Name // want `created.UID comes from the dry run in line 77`
	local := map[types.UID]string{created.UID: created.Name}
	fmt.Println(local)
	return nil
}

func (k *keeper) generated(ctx context.Context) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "web-"}}
	created, err := k.cs.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	_, err = k.cs.CoreV1().Pods("default").Get(ctx, created.Name, metav1.GetOptions{}) // want `created.Name comes from the dry run in line 90, which stores nothing, so no object has this name`
	return err
}

func (k *keeper) named(ctx context.Context) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	created, err := k.cs.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	_, err = k.cs.CoreV1().Pods("default").Get(ctx, created.Name, metav1.GetOptions{})
	return err
}

func (k *keeper) precondition(ctx context.Context, pod *corev1.Pod) error {
	created, err := k.cs.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	uid := created.UID // want `created.UID comes from the dry run`
	return k.cs.CoreV1().Pods("default").Delete(ctx, "web", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
}

func (k *keeper) runtime(ctx context.Context, owner *corev1.ConfigMap, owned *corev1.Secret, scheme *runtime.Scheme) error {
	if err := k.client.Create(ctx, owner, client.DryRunAll); err != nil {
		return err
	}
	if err := controllerutil.SetControllerReference(owner, owned, scheme); err != nil { // want `the UID in this reference comes from the dry run`
		return err
	}
	return k.client.Create(ctx, owned)
}

func (k *keeper) runtimeReal(ctx context.Context, owner *corev1.ConfigMap, owned *corev1.Secret, scheme *runtime.Scheme) error {
	if err := k.client.Create(ctx, owner.DeepCopy(), client.DryRunAll); err != nil {
		return err
	}
	if err := k.client.Create(ctx, owner); err != nil {
		return err
	}
	if err := controllerutil.SetControllerReference(owner, owned, scheme); err != nil {
		return err
	}
	return k.client.Create(ctx, owned)
}

func (k *keeper) createdForReal(ctx context.Context, owner *corev1.ConfigMap, owned *corev1.Secret, scheme *runtime.Scheme) error {
	if err := k.client.Create(ctx, owner, client.DryRunAll); err != nil {
		return err
	}
	owner.ResourceVersion = ""
	if err := k.client.Create(ctx, owner); err != nil {
		return err
	}
	if err := controllerutil.SetControllerReference(owner, owned, scheme); err != nil {
		return err
	}
	return k.client.Create(ctx, owned)
}

func (k *keeper) runtimeGenerated(ctx context.Context) error {
	pod := &corev1.Pod{}
	pod.GenerateName = "web-"
	if err := k.client.Create(ctx, pod, client.DryRunAll); err != nil {
		return err
	}
	found := &corev1.Pod{}
	return k.client.Get(ctx, client.ObjectKey{Namespace: "default", Name: pod.Name}, found) // want `pod.Name comes from the dry run`
}

func (k *keeper) dryClient(ctx context.Context, owner *corev1.ConfigMap, owned *corev1.Secret, scheme *runtime.Scheme) error {
	dry := client.NewDryRunClient(k.client)
	if err := dry.Create(ctx, owner); err != nil {
		return err
	}
	if err := controllerutil.SetControllerReference(owner, owned, scheme); err != nil { // want `the UID in this reference comes from the dry run`
		return err
	}
	return k.client.Create(ctx, owned)
}

func (k *keeper) dryClientForAll(ctx context.Context, owner *corev1.ConfigMap, owned *corev1.Secret, scheme *runtime.Scheme) error {
	dry := client.NewDryRunClient(k.client)
	if err := dry.Create(ctx, owner); err != nil {
		return err
	}
	if err := controllerutil.SetControllerReference(owner, owned, scheme); err != nil {
		return err
	}
	return dry.Create(ctx, owned)
}

func (k *keeper) sometimes(ctx context.Context, cm *corev1.ConfigMap, dryRun bool) error {
	opts := metav1.CreateOptions{}
	if dryRun {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	created, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, opts)
	if err != nil {
		return err
	}
	k.last = created.UID
	return nil
}

func (k *keeper) inBranch(ctx context.Context, cm *corev1.ConfigMap, dryRun bool) error {
	opts := metav1.CreateOptions{}
	if dryRun {
		opts.DryRun = []string{metav1.DryRunAll}
		created, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, opts)
		if err != nil {
			return err
		}
		k.last = created.UID // want `created.UID comes from the dry run`
		return nil
	}
	created, err := k.cs.CoreV1().ConfigMaps("default").Create(ctx, cm, opts)
	if err != nil {
		return err
	}
	k.last = created.UID
	return nil
}

func (k *keeper) updated(ctx context.Context, cm *corev1.ConfigMap, ref *corev1.ObjectReference) error {
	updated, err := k.cs.CoreV1().ConfigMaps("default").Update(ctx, cm, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	ref.UID = updated.UID
	return nil
}

func (k *keeper) dynamic(ctx context.Context, d dynamic.ResourceInterface, u *unstructured.Unstructured, ref *corev1.ObjectReference) error {
	created, err := d.Create(ctx, u, rehearse)
	if err != nil {
		return err
	}
	ref.UID = created.GetUID() // want `created.GetUID\(\) comes from the dry run in line 228`
	return nil
}
