package lintrun

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
)

// chooseKustomize lays the flags over the configuration.
func chooseKustomize(s *settings.Settings, f *Flags, c *config.Config) error {
	s.Kustomize = !settings.Choose(f.Set("no-kustomize"), f.NoKustomize, settings.Not(c.Kustomize))
	s.EnableHelm = settings.Choose(f.Set("enable-helm"), f.EnableHelm, c.EnableHelm)
	s.HelmCommand = f.HelmCommand
	word := f.LoadRestrictor
	if !f.Set("load-restrictor") && c.LoadRestrictor != "" {
		word = c.LoadRestrictor
	}
	switch strings.ToLower(word) {
	case "", "rootonly", "loadrestrictionsrootonly":
	case "none", "loadrestrictionsnone":
		s.LoadAnywhere = true
	default:
		return fmt.Errorf("--load-restrictor %q: want rootonly or none", word)
	}
	if s.HelmCommand != "" && !s.EnableHelm {
		return errors.New("--helm-command needs --enable-helm")
	}
	return nil
}
