// Command updater elects a leader with a client of its own.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"example.org/clients/fieldmanager/elect/pods"
)

func config() *rest.Config {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		panic(err)
	}
	return cfg
}

func main() {
	elector := kubernetes.NewForConfigOrDie(config())
	lock := &resourcelock.LeaseLock{Client: elector.CoordinationV1()}
	if lock.Identity() != "" {
		run(context.Background())
	}
}

func run(ctx context.Context) {
	cs := kubernetes.NewForConfigOrDie(config()) // want `the API server records 1 write of this program under the field manager "updater"`
	u := &pods.Updater{Client: cs}
	if err := u.Update(ctx, &corev1.Pod{}); err != nil {
		panic(err)
	}
}
