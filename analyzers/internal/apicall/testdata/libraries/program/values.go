package program

import (
	"context"

	"example.org/helper/patch"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// connector stores methods of a library's type in fields.
type connector struct {
	track func(ctx context.Context, pod client.Object) error
	load  func(ctx context.Context, c client.Client, key client.ObjectKey, pod client.Object) error
	save  func(ctx context.Context, pod client.Object) error
	sign  func(ctx context.Context, pod client.Object) error
}

func newConnector(c client.Client, quiet bool) *connector {
	t := patch.New(c)
	s := patch.New(client.WithFieldOwner(c, "saver"))
	n := &connector{track: t.Replace, load: patch.Load, save: s.Replace}
	n.sign = patch.NewOwned(c, "me").Signed
	if quiet {
		n.save = ignore
		n.sign = patch.NewOwned(c, "you").Signed
	}
	return n
}

func ignore(ctx context.Context, pod client.Object) error { return nil }

func (c *connector) connect(ctx context.Context, kube client.Client, pod *corev1.Pod) error {
	if err := c.load(ctx, kube, client.ObjectKey{}, pod); err != nil {
		return err
	}
	if err := c.save(ctx, pod); err != nil { // one of two functions
		return err
	}
	if err := c.sign(ctx, pod); err != nil { // want `wrapper update v1/Pod fm=set force=unset`
		return err
	}
	return c.track(ctx, pod) // want `wrapper update v1/Pod fm=unknown force=unset`
}

func local(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	p := patch.New(client.WithFieldOwner(c, "web"))
	replace := p.Replace
	return replace(ctx, pod) // want `wrapper update v1/Pod fm=set=web\(client\) force=unset`
}
