// Command forgotreconciler forgets the dry run of one reconciler.
package main

import (
	"flag"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.org/clients/dryrundesigns/forgotreconciler/controllers"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	mgr, err := ctrl.NewManager(nil, ctrl.Options{})
	if err != nil {
		return
	}
	pods := &controllers.Pods{Client: mgr.GetClient(), DryRun: *dryRun}
	_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(pods)
	nodes := &controllers.Nodes{Client: mgr.GetClient()} // want "Nodes gets no DryRun, unlike Pods, so a dry run deletes a Node; pass the dry run on"
	_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(nodes)
	later := &controllers.Nodes{Client: mgr.GetClient()}
	later.DryRun = *dryRun
	_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(later)
	_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(&controllers.Counter{Client: mgr.GetClient()})
	if !*dryRun {
		_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(&controllers.Nodes{Client: mgr.GetClient()})
	}
}
