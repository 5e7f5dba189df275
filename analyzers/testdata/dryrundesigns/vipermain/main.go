// Command vipermain has its settings in a struct that viper sets.
package main

import (
	"context"

	"github.com/spf13/viper"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type config struct {
	Namespace string `mapstructure:"namespace"`
	Noop      bool   `mapstructure:"dry_run"`
}

var cfg config

func main() {
	if err := viper.Unmarshal(&cfg); err != nil {
		panic(err)
	}
	var c client.Client
	ctx := context.Background()
	pods(ctx, c)
	quotas(ctx, c)
}

func pods(ctx context.Context, c client.Client) {
	if cfg.Noop {
		return
	}
	_ = c.Delete(ctx, &corev1.Pod{})
}

func quotas(ctx context.Context, c client.Client) {
	_ = c.Create(ctx, &corev1.ServiceAccount{}) // want "dry run creates a ServiceAccount"
}
