// Command server has a suppression at its client.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	//kubevet:ignore fieldmanager -- the name is fine
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{})
	if err != nil {
		panic(err)
	}
	if err := c.Update(context.Background(), &corev1.Pod{}); err != nil {
		panic(err)
	}
}
