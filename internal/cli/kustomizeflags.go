package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/spf13/cobra"
)

// kustomizeFlags adds the flags about building kustomizations, with the names
// and values that kustomize has.
func kustomizeFlags(cmd *cobra.Command, f *lintFlags) {
	flags := cmd.Flags()
	flags.BoolVar(&f.noKustomize, "no-kustomize", false, "do not build directories with a kustomization; judge their files as they are")
	flags.StringVar(&f.loadRestrictor, "load-restrictor", "rootonly", "the `files` that a kustomization may name: rootonly, those in and below its directory, or none")
	flags.BoolVar(&f.enableHelm, "enable-helm", false, "inflate the local Helm charts that kustomizations name")
	flags.StringVar(&f.helmCommand, "helm-command", "", "with --enable-helm, run this `program` to inflate them, which may use the network")
	completeWords(cmd, "load-restrictor", config.LoadRestrictorWords())
	completeFile(cmd, "helm-command")
}

// chooseKustomize lays the flags over the configuration.
func (s *settings) chooseKustomize(f *lintFlags, c *config.Config) error {
	s.kustomize = !choose(f.set("no-kustomize"), f.noKustomize, not(c.Kustomize))
	s.enableHelm = choose(f.set("enable-helm"), f.enableHelm, c.EnableHelm)
	s.helmCommand = f.helmCommand
	word := f.loadRestrictor
	if !f.set("load-restrictor") && c.LoadRestrictor != "" {
		word = c.LoadRestrictor
	}
	switch strings.ToLower(word) {
	case "", "rootonly", "loadrestrictionsrootonly":
	case "none", "loadrestrictionsnone":
		s.loadAnywhere = true
	default:
		return fmt.Errorf("--load-restrictor %q: want rootonly or none", word)
	}
	if s.helmCommand != "" && !s.enableHelm {
		return errors.New("--helm-command needs --enable-helm")
	}
	return nil
}
