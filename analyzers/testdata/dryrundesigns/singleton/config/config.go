// Package config has one value for all settings.
package config

import "os"

type Config struct{ DryRun bool }

var current = Config{DryRun: os.Getenv("DRY_RUN") == "true"}

func Get() *Config { return &current }
