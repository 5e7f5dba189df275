package dryrunvalue

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const owner client.FieldOwner = "a\nb" // want `field manager "a\\nb" is refused by the server: U\+000A at position 1`

func runtime(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	_ = client.Options{FieldOwner: "a\x00", FieldValidation: "Ignore"} // want `field manager "a\\x00" is refused`
	_ = &client.CreateOptions{DryRun: []string{"true"}}                // want `dry-run value "true" is refused`
	_ = &client.CreateOptions{DryRun: []string{"All"}}
	_ = &client.DeleteOptions{DryRun: []string{""}} // want `dry-run value "" is refused`
	_ = client.WithFieldOwner(c, "tab\t")           // want `field manager "tab\\t" is refused`
	_ = client.WithFieldOwner(c, "operator")
	_ = client.WithFieldValidation(c, "warn") // want `field validation "warn" is refused`
	_ = client.WithFieldValidation(c, "Warn")
	if err := c.Create(ctx, pod, client.FieldOwner("x\u200b"), client.DryRunAll); err != nil { // want `field manager "x\\u200b" is refused by the server: U\+200B at position 1 is not printable`
		return err
	}
	if err := c.Create(ctx, pod, client.FieldValidation("None")); err != nil { // want `field validation "None" is refused`
		return err
	}
	return c.Update(ctx, pod, owner, client.FieldValidation("Strict"))
}

func request(ctx context.Context, r rest.Interface, name string) error {
	r.Post().Param("dryRun", "All").Param("fieldManager", "me").Param("fieldValidation", "Strict")
	r.Post().Param("dryRun", "").Param("fieldValidation", "strict") // want `dry-run value "" is refused` `field validation "strict" is refused`
	return r.Delete().Name(name).
		Param("dryRun", "true"). // want `dry-run value "true" is refused`
		Param("pretty", "true").
		Do(ctx).Error()
}

func helper(h *resource.Helper) {
	h.WithFieldManager("kubectl-x").WithFieldValidation("Strict")
	h.WithFieldManager("kubectl\r"). // want `field manager "kubectl\\r" is refused`
						WithFieldValidation("warning") // want `field validation "warning" is refused`
}
