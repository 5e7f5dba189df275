// Command partly reads few of the settings, so other programs share them.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/forgotten/config"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cfg := config.LoadShared()
	var cs kubernetes.Interface
	_ = cs.CoreV1().Pods(cfg.Namespace).Delete(context.Background(), "a", metav1.DeleteOptions{})
}
