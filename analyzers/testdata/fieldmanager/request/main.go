// Command request has a name of its own, but a rest.RESTClient has no user agent.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
)

func main() {
	c, err := rest.RESTClientFor(&rest.Config{Host: "shop"}) // want `under the field manager "Go-http-client", the user agent of Go's HTTP client: set UserAgent in its configuration`
	if err != nil {
		panic(err)
	}
	if err := c.Post().Resource("pods").Body(&corev1.Pod{}).Do(context.Background()).Error(); err != nil {
		panic(err)
	}
}
