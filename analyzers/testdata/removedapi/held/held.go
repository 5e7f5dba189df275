// Package held stores versions in variables and constants.
package held

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
)

var (
	budgets  = schema.GroupVersion{Group: "policy", Version: "v1beta1"}
	ingress  = schema.GroupVersion{Group: "extensions", Version: "v1beta1"}
	leases   = schema.GroupVersion{Group: "coordination.k8s.io", Version: "v1beta1"}
	current  = schema.GroupVersion{Group: "apps", Version: "v1"}
	unstable = schema.GroupVersion{Group: "settings.k8s.io", Version: "v1alpha1"} // want `settings.k8s.io/v1alpha1 was removed`
)

const cronJobs = "batch/v1beta1"

type discovery interface {
	ServerSupportsVersion(gv schema.GroupVersion) error
	Has(gv string) bool
}

func list(ctx context.Context, d discovery, cs kubernetes.Interface) error {
	if d.ServerSupportsVersion(budgets) == nil {
		_, err := cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{})
		return err
	}
	if d.Has(cronJobs) {
		use(schema.FromAPIVersionAndKind(cronJobs, "CronJob"))
	}
	return nil
}

func kinds() {
	use(ingress.WithKind("Ingress")) // want `extensions/v1beta1 Ingress was removed in 1.22`
	use(leases.WithKind("Lease"))    // want `coordination.k8s.io/v1beta1 Lease was removed in 1.22`
	use(current.WithKind("Deployment"))
}

func use(schema.GroupVersionKind) {}
