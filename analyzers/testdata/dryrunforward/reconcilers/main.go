// Command reconcilers passes its flag to only one of its reconcilers.
package main

import (
	"flag"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrunforward/reconcilers/controllers"
)

var dryRun = flag.Bool("dry-run", false, "change nothing")

func start(c client.Client, run func(any)) {
	run(&controllers.Pods{Client: c, DryRun: *dryRun})
	run(&controllers.Claims{Client: c}) // want `^Claims gets no DryRun, unlike Pods, so a dry run updates a PersistentVolumeClaim; pass the dry run on, unless it is not for this reconciler$`
	run(&controllers.Watcher{Client: c})
	run(&controllers.Reporter{Client: c})
}

// fixed always makes one reconciler a dry run.
func fixed(c client.Client, run func(any)) {
	run(&controllers.Pods{Client: c, DryRun: true})
	run(&controllers.Claims{Client: c})
}

func skipped(c client.Client, run func(any)) {
	run(&controllers.Pods{Client: c, DryRun: *dryRun})
	if *dryRun {
		return
	}
	run(&controllers.Claims{Client: c})
}

type config struct{ Pods struct{ DryRun bool } }

// part uses a setting of one reconciler.
func part(c client.Client, cfg *config, run func(any)) {
	run(&controllers.Pods{Client: c, DryRun: cfg.Pods.DryRun})
	run(&controllers.Claims{Client: c})
}

func main() {
	start(nil, nil)
	part(nil, nil, nil)
	fixed(nil, nil)
	skipped(nil, nil)
}
