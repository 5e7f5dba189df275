// Command manager reaches its writes through interfaces, through tables that init
// fills, and through type parameters.
package main

import (
	"context"

	"example.org/clients/fieldmanager/controllers"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var table = map[string]func(context.Context, client.Client, *corev1.Pod) error{}

func init() { table["status"] = controllers.Status }

func main() {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `the API server records 4 writes of this program under the field manager "manager"`
	if err != nil {
		panic(err)
	}
	ctx, pod := context.Background(), &corev1.Pod{}
	for _, f := range table {
		if err := f(ctx, c, pod); err != nil {
			panic(err)
		}
	}
	if err := controllers.NewStore(c).Save(ctx, pod); err != nil {
		panic(err)
	}
	if err := controllers.RunAll(ctx, c, pod, &controllers.Wait{}, &controllers.Install{}); err != nil {
		panic(err)
	}
	if err := controllers.SaveWith(ctx, controllers.Direct{C: c}, pod); err != nil {
		panic(err)
	}
}
