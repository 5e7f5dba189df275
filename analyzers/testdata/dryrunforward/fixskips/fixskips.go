// Package fixskips has writes that cannot become dry runs, because later code needs their
// effect. The fixes skip these writes.
package fixskips

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The code waits for each object, so a dry run skips each object.
func Each(ctx context.Context, c client.Client, pods []*corev1.Pod, dryRun bool) error {
	for _, p := range pods {
		fmt.Println("pod", p.Name)
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
		for p.Status.Phase != corev1.PodRunning {
			if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
				return err
			}
			time.Sleep(time.Second)
		}
		if err := c.Delete(ctx, p); err != nil { // want `so a dry run deletes a Pod`
			return err
		}
	}
	return c.Delete(ctx, &corev1.Secret{}) // want `so a dry run deletes a Secret`
}

// The code waits after the loop, so the write cannot simply be skipped.
func After(ctx context.Context, c client.Client, pods []*corev1.Pod, dryRun bool) error {
	for _, p := range pods {
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
	}
	for _, p := range pods {
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
	}
	return nil
}

// The loop tries again until the write succeeds.
func Again(ctx context.Context, c client.Client, p *corev1.Pod, dryRun bool) error {
	for i := 0; i < 3; i++ {
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			continue
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err == nil {
			return nil
		}
	}
	return fmt.Errorf("no pod")
}

// The loop has no other end, so a dry run must not continue it.
func Forever(ctx context.Context, c client.Client, p *corev1.Pod, dryRun bool) error {
	for {
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
	}
}

// The return is in a condition, so the last write needs a fix of its own.
func Sometimes(ctx context.Context, c client.Client, p *corev1.Pod, dryRun bool) error {
	if p.Name != "" {
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
	}
	return c.Delete(ctx, &corev1.Secret{}) // want `so a dry run deletes a Secret`
}

// The code waits for the end of the Pod, which a dry run does not bring.
func Watched(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	if name != "" {
		if err := cs.CoreV1().Pods("x").Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
			return err
		}
	}
	w, err := cs.CoreV1().Pods("x").Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return err
	}
	for range w.ResultChan() {
	}
	return nil
}

// A watch of other objects does not wait for the Pod.
func Other(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	if err := cs.CoreV1().Pods("x").Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	_, err := cs.CoreV1().Secrets("x").Watch(ctx, metav1.ListOptions{})
	return err
}

// The client of controller-runtime watches a list.
func WatchedList(ctx context.Context, c client.WithWatch, pod *corev1.Pod, dryRun bool) error {
	if err := c.Delete(ctx, pod); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	_, err := c.Watch(ctx, &corev1.PodList{})
	return err
}

// The library repeats the read.
func Polled(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	if err := cs.CoreV1().Pods("x").Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	return wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		_, err := cs.CoreV1().Pods("x").Get(ctx, name, metav1.GetOptions{})
		return err != nil, nil
	})
}

// A single read after a deletion does not wait.
func Read(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	if err := cs.CoreV1().Pods("x").Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	_, err := cs.CoreV1().Pods("x").Get(ctx, name, metav1.GetOptions{})
	return err
}

// A helper waits.
func Helped(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	if err := cs.CoreV1().Pods("x").Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	return gone(ctx, cs, name)
}

func gone(ctx context.Context, cs kubernetes.Interface, name string) error {
	for range time.Tick(time.Second) {
		if _, err := cs.CoreV1().Pods("x").Get(ctx, name, metav1.GetOptions{}); err != nil {
			break
		}
	}
	return nil
}

// An informer reports the end of the Pod.
func Informed(ctx context.Context, cs kubernetes.Interface, name string, lw cache.ListerWatcher, dryRun bool) error {
	if err := cs.CoreV1().Pods("x").Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	done := make(chan struct{})
	pods := cache.NewSharedIndexInformer(lw, &corev1.Pod{}, 0, cache.Indexers{})
	_, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(any) { close(done) }})
	if err != nil {
		return err
	}
	pods.Run(done)
	return nil
}

// A dry run does not reach the read.
func Guarded(ctx context.Context, cs kubernetes.Interface, pod *corev1.Pod, dryRun bool) error {
	if _, err := cs.CoreV1().Pods("x").Create(ctx, pod, metav1.CreateOptions{}); err != nil { // want `so a dry run creates a Pod`
		return err
	}
	if dryRun {
		fmt.Println("created in a dry run")
		return nil
	}
	_, err := cs.CoreV1().Pods("x").Get(ctx, pod.Name, metav1.GetOptions{})
	return err
}

// After a dry run of the first write, the server does not know the namespace.
func Namespace(ctx context.Context, c client.Client, secret *corev1.Secret, dryRun bool) error {
	ns := &corev1.Namespace{}
	ns.Name = "tmp"
	if err := c.Create(ctx, ns); err != nil { // want `so a dry run creates a Namespace`
		return err
	}
	secret.Namespace = ns.Name
	return c.Create(ctx, secret) // want `so a dry run creates a Secret`
}

// If the namespace exists, the other write can be a dry run.
func Missing(ctx context.Context, cs kubernetes.Interface, missing, dryRun bool) error {
	if missing {
		if _, err := cs.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{}, metav1.CreateOptions{}); err != nil { // want `so a dry run creates a Namespace`
			return err
		}
	}
	return cs.CoreV1().Pods("x").Delete(ctx, "p", metav1.DeleteOptions{}) // want `so a dry run deletes a Pod`
}

// The namespace is not created in a dry run, so the other write would fail.
func Real(ctx context.Context, cs kubernetes.Interface, secret *corev1.Secret, dryRun bool) error {
	if !dryRun {
		if _, err := cs.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{}, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	_, err := cs.CoreV1().Secrets("x").Create(ctx, secret, metav1.CreateOptions{}) // want `so a dry run creates a Secret`
	return err
}

// A helper creates the namespace.
func Ensured(ctx context.Context, cs kubernetes.Interface, secret *corev1.Secret, dryRun bool) error {
	if err := ensure(ctx, cs, dryRun); err != nil {
		return err
	}
	_, err := cs.CoreV1().Secrets("x").Create(ctx, secret, metav1.CreateOptions{}) // want `so a dry run creates a Secret`
	return err
}

func ensure(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	_, err := cs.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{}, metav1.CreateOptions{}) // want `so a dry run creates a Namespace`
	return err
}

// A helper writes into the namespace. The function returns more than an error, so the
// fix does not know which values to return.
func Filled(ctx context.Context, cs kubernetes.Interface, dryRun bool) (string, error) {
	ns, err := cs.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{}, metav1.CreateOptions{}) // want `so a dry run creates a Namespace`
	if err != nil {
		return "", err
	}
	return ns.Name, fill(ctx, cs, dryRun)
}

func fill(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	_, err := cs.CoreV1().Secrets("x").Create(ctx, &corev1.Secret{}, metav1.CreateOptions{}) // want `so a dry run creates a Secret`
	return err
}

// A Node is in no namespace.
func Cluster(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	if _, err := cs.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{}, metav1.CreateOptions{}); err != nil { // want `so a dry run creates a Namespace`
		return err
	}
	return cs.CoreV1().Nodes().Delete(ctx, "n", metav1.DeleteOptions{}) // want `so a dry run deletes a Node`
}

// One call creates the namespace or deletes the Pod.
func Either(ctx context.Context, cs kubernetes.Interface, kind string, dryRun bool) (err error) {
	switch kind {
	case "Namespace":
		_, err = cs.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{}, metav1.CreateOptions{}) // want `so a dry run creates a Namespace`
	case "Pod":
		err = cs.CoreV1().Pods("x").Delete(ctx, "p", metav1.DeleteOptions{}) // want `so a dry run deletes a Pod`
	}
	return err
}

// Objects of a new kind need its definition. Other objects do not.
func Definition(ctx context.Context, c client.Client, crd, object *unstructured.Unstructured, dryRun bool) error {
	crd.SetGroupVersionKind(schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"})
	if err := c.Create(ctx, crd); err != nil { // want `so a dry run creates a CustomResourceDefinition`
		return err
	}
	return c.Create(ctx, object) // want `so a dry run creates an object`
}

// A Pod does not need the definition.
func Builtin(ctx context.Context, c client.Client, crd *unstructured.Unstructured, dryRun bool) error {
	crd.SetGroupVersionKind(schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"})
	if err := c.Create(ctx, crd); err != nil { // want `so a dry run creates a CustomResourceDefinition`
		return err
	}
	return c.Delete(ctx, &corev1.Pod{}) // want `so a dry run deletes a Pod`
}

// A dry run leaves the function in both branches, so one return is enough for the last
// write.
func Branches(ctx context.Context, cs kubernetes.Interface, p *corev1.Pod, named, dryRun bool) error {
	if named {
		if dryRun {
			fmt.Println("named")
			return nil
		}
		if err := cs.CoreV1().Pods("x").Delete(ctx, p.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	} else {
		if _, err := cs.CoreV1().Pods("x").Create(ctx, p, metav1.CreateOptions{}); err != nil { // want `so a dry run creates a Pod`
			return err
		}
	}
	if _, err := cs.CoreV1().Pods("x").Get(ctx, p.Name, metav1.GetOptions{}); err != nil {
		return err
	}
	return cs.CoreV1().Pods("x").Delete(ctx, p.Name, metav1.DeleteOptions{}) // want `so a dry run deletes a Pod`
}

// The code for dry runs precedes the write.
func Printed(ctx context.Context, c client.Client, pods []*corev1.Pod, dryRun bool) error {
	for _, p := range pods {
		if dryRun {
			fmt.Println("would create", p.Name)
		}
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
	}
	return nil
}

// The helper does not wait in a dry run.
func Careful(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	if err := cs.CoreV1().Pods("x").Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	return goneUnless(ctx, cs, name, dryRun)
}

func goneUnless(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	for !dryRun {
		if _, err := cs.CoreV1().Pods("x").Get(ctx, name, metav1.GetOptions{}); err != nil {
			break
		}
	}
	return nil
}

// The helper does not write in a dry run, so the namespace can be a dry run.
func Handled(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	if _, err := cs.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{}, metav1.CreateOptions{}); err != nil { // want `so a dry run creates a Namespace`
		return err
	}
	return fillUnless(ctx, cs, dryRun)
}

func fillUnless(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	if dryRun {
		fmt.Println("would create the Secret")
		return nil
	}
	_, err := cs.CoreV1().Secrets("x").Create(ctx, &corev1.Secret{}, metav1.CreateOptions{})
	return err
}
