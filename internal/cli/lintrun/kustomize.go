package lintrun

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
)

type kustomizeSettings struct {
	enabled bool
	// anywhere is true if a kustomization may read files outside its directory.
	anywhere bool
	// helm is true if Helm charts in kustomizations are rendered. helmCommand is the
	// program that renders them. If it is empty, kubevet renders them.
	helm        bool
	helmCommand string
}

// chooseKustomize returns the settings for kustomizations. Flags override the
// configuration.
func chooseKustomize(f *Flags, c *config.Config) (kustomizeSettings, error) {
	s := kustomizeSettings{
		enabled:     !settings.Choose(f.Set("no-kustomize"), f.NoKustomize, settings.Not(c.Kustomize)),
		helm:        settings.Choose(f.Set("enable-helm"), f.EnableHelm, c.EnableHelm),
		helmCommand: f.HelmCommand,
	}
	word := f.LoadRestrictor
	if !f.Set("load-restrictor") && c.LoadRestrictor != "" {
		word = c.LoadRestrictor
		if c.Discovered() && word != "rootonly" {
			return s, c.Errorf("loadRestrictor", "the configuration of a repository must not lift the restriction; add --load-restrictor %s", word)
		}
	}
	switch strings.ToLower(word) {
	case "", "rootonly", "loadrestrictionsrootonly":
	case "none", "loadrestrictionsnone":
		s.anywhere = true
	default:
		return s, fmt.Errorf("--load-restrictor %q: want rootonly or none", word)
	}
	if s.helmCommand != "" && !s.helm {
		return s, errors.New("--helm-command needs --enable-helm")
	}
	return s, nil
}
