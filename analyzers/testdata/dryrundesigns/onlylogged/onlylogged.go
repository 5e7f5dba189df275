// Package main passes the dry run to an engine that only logs it.
package main

import (
	"context"
	"os"

	"example.org/clients/dryrundesigns/onlylogged/remediate"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
)

func main() {
	cfg := remediate.Config{DryRun: os.Getenv("DRY_RUN") == "true", Namespace: os.Getenv("NAMESPACE")}
	config, _ := rest.InClusterConfig()
	var cs kubernetes.Interface = kubernetes.NewForConfigOrDie(config)
	e := remediate.NewEngine(cs, cfg)
	_ = e.Handle(context.Background(), remediate.Issue{Kind: "oom"}) // want "the call of Handle ignores DRY_RUN, so a dry run deletes a Pod"
	if cfg.DryRun {
		cs = fake.NewSimpleClientset()
	}
	safe := remediate.NewEngine(cs, cfg)
	_ = safe.Handle(context.Background(), remediate.Issue{Kind: "oom"})
}
