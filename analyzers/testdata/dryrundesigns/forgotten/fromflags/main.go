// Command fromflags takes its options from a function that parses the flags.
package main

import (
	"context"
	"log"

	"example.org/clients/dryrundesigns/forgotten/options"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func main() {
	o := options.Take()
	log.Printf("dry run: %v", o.DryRun)
	var cs kubernetes.Interface
	_ = cs.CoreV1().Pods(o.Namespace).Delete(context.Background(), "a", metav1.DeleteOptions{}) // want `dry run deletes a Pod`
}
