// Command decoded decodes settings of another package.
package main

import (
	"context"
	"encoding/json"
	"os"

	"example.org/clients/dryrundesigns/forgotten/config"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func main() {
	data, _ := os.ReadFile(os.Args[1])
	var cfg config.Config
	if err := json.Unmarshal(data, &cfg); err != nil {
		panic(err)
	}
	run(context.Background(), &cfg, nil)
}

func run(ctx context.Context, cfg *config.Config, cs kubernetes.Interface) {
	_ = cs.CoreV1().Pods(cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{}) // want "the write does not get Config.DryRun from main, so a dry run deletes a Pod"
}
