// Package config holds the settings.
package config

import "os"

type Config struct {
	DryRun    bool
	Namespace string
}

func Load() (*Config, error) {
	return &Config{DryRun: os.Getenv("DRY_RUN") == "true", Namespace: os.Getenv("NAMESPACE")}, nil
}
