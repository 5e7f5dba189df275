// Command plain has options whose dry run no flag sets.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/forgotten/options"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func main() {
	o := options.Plain()
	var cs kubernetes.Interface
	_ = cs.CoreV1().Pods(o.Namespace).Delete(context.Background(), "a", metav1.DeleteOptions{})
}
