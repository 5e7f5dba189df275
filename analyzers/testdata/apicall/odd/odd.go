// Package odd has unusual code.
package odd

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// writer has the same method as generated clients. Generic code uses it.
type writer[T any] interface {
	Update(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error)
}

func generic[T client.Object, W writer[T]](ctx context.Context, w W, obj T, opts metav1.UpdateOptions) {
	w.Update(ctx, obj, metav1.UpdateOptions{FieldManager: "g"}) // want `^typed update fm=set=g `
	w.Update(ctx, obj, opts)                                    // want `^typed update fm=passed:opts.FieldManager .*caller=opts`
}

type box[T client.Object] struct {
	client client.Client
	owner  client.FieldOwner
	obj    T
}

func newBox[T client.Object](cfg *rest.Config, obj T) (*box[T], error) {
	c, err := client.New(cfg, client.Options{FieldOwner: "boxed"}) // want `^build runtime`
	if err != nil {
		return nil, err
	}
	return &box[T]{client: c, obj: obj}, nil
}

func (b *box[T]) write(ctx context.Context) error {
	return b.client.Update(ctx, b.obj, b.owner) // want `^runtime update fm=set:b.owner `
}

func (b *box[T]) plain(ctx context.Context) error {
	return b.client.Update(ctx, b.obj) // want `^runtime update fm=set=boxed\(client\) `
}

func use(ctx context.Context, cfg *rest.Config) {
	b, _ := newBox(cfg, &corev1.Pod{})
	b.write(ctx)
	generic[*corev1.Pod](ctx, kubernetes.NewForConfigOrDie(cfg).CoreV1().Pods(""), &corev1.Pod{}, metav1.UpdateOptions{}) // want `^build typed`
}

func loops(ctx context.Context, c client.Client, pod *corev1.Pod) {
	var opts []client.UpdateOption
again:
	for i := range 10 {
		switch {
		case i == 3:
			opts = append(opts, client.DryRunAll)
			continue again
		case i == 5:
			goto done
		}
		c.Update(ctx, pod, opts...) // want `own fm=unset force=unset dryrun=set=\[All\]\? `
	}
done:
	c.Update(ctx, pod, opts...) // want `own fm=unset force=unset dryrun=set=\[All\]\? `
}

func recursive(ctx context.Context, c client.Client, pod *corev1.Pod, n int, opts ...client.UpdateOption) []client.UpdateOption {
	if n == 0 {
		c.Update(ctx, pod, recursive(ctx, c, pod, n-1, opts...)...) // want `^runtime update v1/Pod `
		return opts
	}
	return recursive(ctx, c, pod, n-1, append(opts, client.DryRunAll)...)
}

func self(ctx context.Context, c client.Client, pod *corev1.Pod) {
	var f func(int)
	opts := metav1.UpdateOptions{}
	f = func(n int) {
		opts.FieldManager = opts.FieldManager + "x"
		c.Update(ctx, pod, &client.UpdateOptions{FieldManager: opts.FieldManager}) // want `own fm=set `
		f(n - 1)
	}
	f(3)
}

type embedsPointer struct{ *inner }

type inner struct{ client.Client }

func (e embedsPointer) write(ctx context.Context, pod *corev1.Pod) {
	defer func() {
		if recover() != nil {
			e.Update(ctx, pod) // want `^runtime update v1/Pod .*client=Client outside$`
		}
	}()
	e.Create(ctx, pod) // want `^runtime create v1/Pod .*client=Client outside$`
}

func nilled(ctx context.Context, pod *corev1.Pod) {
	var c client.Client
	c.Update(ctx, pod, nil) // want `^runtime update v1/Pod `
	var opts *client.UpdateOptions
	c.Update(ctx, pod, opts)                          // want `^runtime update v1/Pod `
	c.Update(ctx, pod, []client.UpdateOption(nil)...) // want `own fm=unset force=unset dryrun=unset`
	(*(&c)).Update(ctx, pod)                          // want `^runtime update v1/Pod `
}

func callbacks(ctx context.Context, c client.Client, pod *corev1.Pod, run func(func(context.Context, client.Object, ...client.UpdateOption) error)) {
	run(c.Update)
	fs := []func(context.Context, client.Object, ...client.UpdateOption) error{c.Update}
	fs[0](ctx, pod)
}

var atStart = func(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	return c.Update(ctx, pod, client.FieldOwner("var")) // want `own fm=set=var `
}

type Client struct{}

func (Client) Create(ctx context.Context, name string) error { return nil }

func (Client) Update(opts ...string) {}

func others(ctx context.Context) {
	Client{}.Create(ctx, "no client of ours")
	Client{}.Update("x")
}

func _(ctx context.Context, c client.Client, pod *corev1.Pod) {
	c.Update(ctx, pod, client.FieldOwner("blank")) // want `own fm=set=blank `
}
