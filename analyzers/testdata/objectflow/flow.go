// Package objectflow has calls of sink. The message has the read that reaches the
// call: its method, its line, and the functions in between.
package objectflow

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func sink(obj any) {}

func reads(ctx context.Context, c client.Client, cs kubernetes.Interface, d dynamic.ResourceInterface, l listers.PodLister, store cache.Indexer) {
	pod := &corev1.Pod{}
	if c.Get(ctx, client.ObjectKey{}, pod) == nil {
		sink(pod) // want `Get 25`
	}
	var pods corev1.PodList
	_ = c.List(ctx, &pods)
	sink(pods.Items[0]) // want `List 29`
	typed, _ := cs.CoreV1().Pods("").Get(ctx, "a", metav1.GetOptions{})
	sink(typed) // want `Get 31`
	list, _ := cs.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	sink(&list.Items[0]) // want `List 33`
	u, _ := d.Get(ctx, "a", metav1.GetOptions{})
	sink(u) // want `Get 35`
	listed, _ := l.List(labels.Everything())
	sink(listed[0]) // want `List 37`
	cached, _ := l.Pods("").Get("a")
	sink(cached) // want `Get 39`
	if item, exists, _ := store.GetByKey("a"); exists {
		sink(item.(*corev1.Pod)) // want `GetByKey 41`
	} else {
		sink(item)
	}
	for _, item := range store.List() {
		sink(item) // want `List 46`
	}
	raw := &corev1.Pod{}
	_ = cs.CoreV1().RESTClient().Get().Resource("pods").Name("a").Do(ctx).Into(raw)
	sink(raw) // want `Into 50`
	sink(&corev1.Pod{})
}

func outcomes(ctx context.Context, c client.Client, pod *corev1.Pod) {
	err := c.Get(ctx, client.ObjectKey{}, pod)
	if apierrors.IsNotFound(err) {
		sink(pod)
	}
	if err != nil {
		sink(pod)
		return
	}
	if pod.UID == "" || pod.GetResourceVersion() == "" {
		sink(pod)
	}
	sink(pod) // want `Get 56`
}

func variable(ctx context.Context, c client.Client, key client.ObjectKey) {
	var err error
	pod, fresh := &corev1.Pod{}, false
	if err = c.Get(ctx, key, pod); err != nil {
		fresh = true
	}
	if fresh {
		sink(pod)
		return
	}
	sink(pod) // want `Get 73`
}

func content(ctx context.Context, c client.Client, key client.ObjectKey) {
	pod := &corev1.Pod{}
	_ = c.Get(ctx, key, pod)
	sink(pod.DeepCopy())                          // want `Get 85`
	sink(*pod)                                    // want `Get 85`
	sink(&corev1.Pod{ObjectMeta: pod.ObjectMeta}) // want `Get 85`
	sink(pod.Spec)
	sink(pod.Labels)
	sink(&corev1.Pod{Spec: pod.Spec})
	data, _ := json.Marshal(pod)
	sink(data) // want `Get 85`
	u := &unstructured.Unstructured{}
	sink(u)
	_ = json.Unmarshal(data, u)
	sink(u)        // want `Get 85`
	sink(u.Object) // want `Get 85`
	other := &corev1.Pod{}
	pod.DeepCopyInto(other)
	sink(other) // want `Get 85`
	*other = corev1.Pod{}
	sink(other)
}

func collections(ctx context.Context, c client.Client, key client.ObjectKey) {
	pod := &corev1.Pod{}
	_ = c.Get(ctx, key, pod)
	var all []client.Object
	for _, obj := range all {
		sink(obj)
	}
	all = append(all, &corev1.Pod{}, pod)
	for _, obj := range all {
		sink(obj) // want `Get 108`
	}
	byName := map[string]*corev1.Pod{}
	byName[pod.Name] = pod
	sink(byName["a"]) // want `Get 108`
}

func inLoop(ctx context.Context, c client.Client, keys []client.ObjectKey) {
	for _, key := range keys {
		pod := &corev1.Pod{}
		sink(pod)
		_ = c.Get(ctx, key, pod)
		sink(pod) // want `Get 126`
	}
	var kept corev1.Pod
	for _, key := range keys {
		sink(&kept) // want `Get 132`
		_ = c.Get(ctx, key, &kept)
	}
}

func literals(ctx context.Context, c client.Client, key client.ObjectKey) {
	pod := &corev1.Pod{}
	read := func() error { return c.Get(ctx, key, pod) }
	sink(pod)
	_ = again(func() error { return c.Get(ctx, key, pod) })
	sink(pod) // want `Get 140`
	func() {
		sink(pod) // want `Get 140 literals.3`
	}()
	_ = read
}

func again(f func() error) error { return f() }

func get(ctx context.Context, c client.Client, key client.ObjectKey) (*corev1.Pod, error) {
	pod := &corev1.Pod{}
	if err := c.Get(ctx, key, pod); err != nil {
		return nil, err
	}
	return pod, nil
}

func give(obj client.Object) {
	sink(obj) // want `Get 152 get give` `Get 175 give`
}

func through(ctx context.Context, c client.Client, key client.ObjectKey) {
	pod, err := get(ctx, c, key)
	if err != nil {
		return
	}
	sink(pod) // want `Get 152 get`
	give(pod)
	same := identity(pod)
	sink(same) // want `Get 152 get`
}

func fields(ctx context.Context, c client.Client, key client.ObjectKey) {
	var s struct{ one, two corev1.Pod }
	_ = c.Get(ctx, key, &s.one)
	sink(&s.one) // want `Get 175`
	sink(&s.two)
	give(&s.one)
}

func identity[T any](v T) T { return v }

func recursive(ctx context.Context, c client.Client, pod *corev1.Pod, n int) {
	if n == 0 {
		_ = c.Get(ctx, client.ObjectKey{}, pod)
		sink(pod) // want `Get 185`
		return
	}
	recursive(ctx, c, pod, n-1)
}

type node struct {
	next *node
	pod  *corev1.Pod
}

func cycle(ctx context.Context, c client.Client) {
	var a, b *node
	show := func() { sink(a); sink(b) }
	a = b.next
	b = a.next
	show()
	_ = c.Get(ctx, client.ObjectKey{}, a.pod)
	sink(a.pod) // want `Get 203`
	sink(b.pod)
}

func generic[T client.Object](ctx context.Context, c client.Client, obj T) T {
	_ = c.Get(ctx, client.ObjectKey{}, obj)
	sink(obj) // want `Get 209`
	return obj
}

func instance(ctx context.Context, c client.Client) {
	sink(generic(ctx, c, &corev1.Pod{})) // want `Get 209 generic`
}
