// Command unreadconfig has a dry run in its settings that no code reads.
package main

import (
	"context"
	"encoding/json"
	"os"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type config struct {
	DryRun     bool     `json:"dryRun"`
	Namespaces []string `json:"namespaces"`
}

func load(path string) (*config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &config{}
	return c, json.Unmarshal(data, c)
}

func main() {
	cfg, err := load(os.Args[1])
	if err != nil {
		panic(err)
	}
	var c client.Client
	for _, ns := range cfg.Namespaces {
		_ = c.DeleteAllOf(context.Background(), &corev1.Pod{}, client.InNamespace(ns)) // want "the write ignores config.DryRun, so a dry run deletes every matching Pod"
	}
}
