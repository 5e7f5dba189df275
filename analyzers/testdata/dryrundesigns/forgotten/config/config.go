// Package config loads settings from a file, and uses no Kubernetes.
package config

import (
	"encoding/json"
	"os"
)

type Config struct {
	DryRun    bool   `json:"dryRun"`
	Namespace string `json:"namespace"`
}

func Load(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &Config{}
	return c, json.Unmarshal(data, c)
}

// Shared has settings of several programs.
type SharedConfig struct {
	DryRun    bool   `json:"dryRun"`
	Namespace string `json:"namespace"`
	Bucket    string `json:"bucket"`
	Region    string `json:"region"`
}

func LoadShared() *SharedConfig { return &SharedConfig{Namespace: os.Getenv("NAMESPACE")} }
