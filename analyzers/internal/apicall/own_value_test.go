package apicall

import (
	"go/types"
	"slices"
	"testing"
)

// TestValueOfVariadicOption checks that the Value of a setting is the expression of the
// option that makes it, and not that of another option in the list.
func TestValueOfVariadicOption(t *testing.T) {
	pass := load(t, `package made

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func patch(ctx context.Context, c client.Client, pod *corev1.Pod, more ...client.PatchOption) {
	_ = c.Patch(ctx, pod, client.Apply, client.FieldOwner("me"), client.ForceOwnership)
	_ = c.Patch(ctx, pod, client.Apply, client.ForceOwnership, client.FieldOwner("me"))
	_ = c.Patch(ctx, pod, client.Apply, client.DryRunAll, client.FieldOwner("me"), client.ForceOwnership)
	opts := []client.PatchOption{client.FieldOwner("me"), client.ForceOwnership}
	_ = c.Patch(ctx, pod, client.Apply, opts...)
	_ = c.Patch(ctx, pod, client.Apply, append(opts, client.DryRunAll)...)
	_ = c.Patch(ctx, pod, client.Apply, append([]client.PatchOption{client.FieldOwner("me"), client.ForceOwnership}, more...)...)
	_ = c.Status().Patch(ctx, pod, client.Apply, client.FieldOwner("me"), client.ForceOwnership)
}
`)
	for _, c := range analyse(t, pass).Calls {
		for want, s := range map[string]Setting{
			"client.ForceOwnership": c.Own.Force, `client.FieldOwner("me")`: c.Own.FieldManager, "client.DryRunAll": c.Own.DryRun,
		} {
			if s.State != Set {
				continue
			}
			if s.Value == nil || types.ExprString(s.Value) != want {
				t.Errorf("%s: value is %v, want %s", pass.Fset.Position(c.Pos()), s.Value, want)
			}
		}
	}
}

// TestRequestsOfVariable checks that requests are found if their client is in a package
// variable.
func TestRequestsOfVariable(t *testing.T) {
	pass := load(t, `package made

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
)

var sender *rest.RESTClient

func set(cfg *rest.Config) (err error) {
	sender, err = rest.RESTClientFor(cfg)
	return err
}

func send(ctx context.Context, pod *corev1.Pod) error {
	var err error
	if pod.Name == "" {
		err = sender.Post().Resource("pods").Namespace("default").Name("a").Body(pod).Do(ctx).Error()
	} else {
		err = sender.Put().Resource("pods").Body(pod).Do(ctx).Error()
	}
	if err == nil {
		err = sender.Get().Resource("pods").Do(ctx).Error()
	}
	return err
}
`)
	result := analyse(t, pass)
	var verbs []Verb
	for _, c := range result.Calls {
		verbs = append(verbs, c.Verb)
		if c.Family != REST || !c.Own.FieldManager.Empty() || c.Client.Built != result.Constructions[0] {
			t.Errorf("%s: family %d, manager %s, built %v", pass.Fset.Position(c.Pos()), c.Family, c.Own.FieldManager, c.Client.Built)
		}
	}
	if !slices.Equal(verbs, []Verb{VerbCreate, VerbUpdate}) {
		t.Errorf("verbs %v", verbs)
	}
}
