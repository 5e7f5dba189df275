// Package main is a program whose requests an audit log shows.
package main

import (
	"context"
	"fmt"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.org/clients/traces/lib"
)

var version = "1.0"

func main() {
	cfg := &rest.Config{UserAgent: "traces-main/" + version}
	cfg.UserAgent = fmt.Sprintf("traces-other/%s", version)
	cfg.UserAgent = version + "/computed"
	cfg.UserAgent = fmt.Sprintf("no-slash-%s", version)
	lib.Write(context.Background(), kubernetes.NewForConfigOrDie(cfg))
}
