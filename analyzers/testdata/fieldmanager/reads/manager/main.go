// Command manager imports packages that write, but it only reads.
package main

import (
	"context"

	"example.org/clients/fieldmanager/controllers"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{})
	if err != nil {
		panic(err)
	}
	ctx, pod := context.Background(), &corev1.Pod{}
	if err := controllers.Get(ctx, c, pod); err != nil {
		panic(err)
	}
	if err := controllers.NewStore(c).Load(ctx, pod); err != nil {
		panic(err)
	}
	if err := controllers.RunAll(ctx, c, pod, &controllers.Wait{}); err != nil {
		panic(err)
	}
	if err := c.Delete(ctx, pod); err != nil {
		panic(err)
	}
}

func unused(ctx context.Context, c client.Client, pod *corev1.Pod) error { return c.Update(ctx, pod) }
