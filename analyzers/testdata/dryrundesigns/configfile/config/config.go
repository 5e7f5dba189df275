// Package config reads settings.
package config

import (
	"encoding/json"
	"os"
)

type Config struct {
	Namespace string `json:"namespace"`
	Simulate  bool   `json:"dryRun" yaml:"dryRun"`
}

func Load(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	cfg := &Config{}
	return cfg, json.Unmarshal(data, cfg)
}
