// Command byname looks up the dry run by its name.
package main

import (
	"context"
	"os"

	"example.org/clients/dryrundesigns/forgotten/config"
	"example.org/clients/dryrundesigns/forgotten/sweep"
	"github.com/spf13/viper"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cfg, err := config.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	quiet := viper.GetBool("dry-run")
	var cs kubernetes.Interface
	if !quiet {
		cs = kubernetes.NewForConfigOrDie(nil)
	}
	_ = sweep.New(cs, cfg).Run(context.Background())
}
