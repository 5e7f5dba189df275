// Command envstruct reads its settings from the environment and passes them to
// functions of another package.
package main

import (
	"context"
	"os"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/envstruct/jobs"
)

func main() {
	var env jobs.Env
	fill(&env)
	var c client.Client
	ctx := context.Background()
	for _, job := range []func(context.Context, client.Client, jobs.Env) error{jobs.Pods, jobs.Claims} {
		if err := job(ctx, c, env); err != nil {
			panic(err)
		}
	}
}

func fill(target any) { println(len(os.Environ()), target) }
