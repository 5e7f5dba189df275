// Package fix has a constant that its clients can be signed with.
package fix

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

const controllerName = "operator"

func manager(ctx context.Context, pod *corev1.Pod) error {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{}) // want `one write through the client built here`
	if err != nil {
		return err
	}
	return mgr.GetClient().Update(ctx, pod)
}
