// Command reconcilers sets a field for the dry run in each reconciler.
package main

import (
	"flag"

	ctrl "sigs.k8s.io/controller-runtime"

	"example.org/clients/dryrundesigns/reconcilers/controller"
)

func main() {
	var dryRun bool
	flag.BoolVar(&dryRun, "dry-run", false, "change nothing")
	flag.Parse()
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := (&controller.PodReconciler{Client: mgr.GetClient(), DryRun: dryRun}).SetupWithManager(mgr); err != nil {
		panic(err)
	}
	if err := (&controller.NodeReconciler{Client: mgr.GetClient(), Options: controller.Options{DryRun: dryRun}}).SetupWithManager(mgr); err != nil {
		panic(err)
	}
}
