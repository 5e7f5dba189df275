// Command flags never reads its flag for a dry run.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/forgotten/options"
	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func main() {
	o := &options.Options{}
	o.AddFlags(pflag.CommandLine)
	pflag.Parse()
	var cs kubernetes.Interface
	_ = cs.CoreV1().Pods(o.Namespace).Delete(context.Background(), "a", metav1.DeleteOptions{}) // want `the write ignores Options.DryRun \(--dry-run\), so a dry run deletes a Pod`
}
