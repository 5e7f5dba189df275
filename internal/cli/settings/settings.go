// Package settings combines flags and .kubevet.yaml: the rules that run, their
// severities, the target, exclusions and the baseline.
package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Excludes are the patterns of flag and configuration for a search from dir,
// where dir stands for the working directory.
func (s *Settings) Excludes(dir, working string) []string {
	all := slices.Clone(s.Exclude)
	if s.ConfigFile == "" {
		return all
	}
	from := filepath.Dir(s.ConfigFile)
	if dir != working {
		// The copy has the configuration's directory where the original has it.
		rel, err := filepath.Rel(working, from)
		if err != nil {
			return all
		}
		from = filepath.Join(dir, rel)
	}
	for _, pattern := range s.ConfigExclude {
		all = append(all, Rebase(pattern, from, dir)...)
	}
	return all
}

// Settings are what flags and configuration come to.
type Settings struct {
	// surface is what is judged, target what objects are judged against.
	Surface rules.Surface
	Target  lifecycle.Target
	// enabled are the rules that run, severity is that of every rule of the
	// surface.
	Enabled  map[string]bool
	Severity map[string]rules.Severity
	// failOn is the weakest severity that fails the run, if fails is set.
	FailOn rules.Severity
	Fails  bool

	// exclude are relative to the working directory, configExclude to the
	// configuration's directory.
	Exclude, ConfigExclude []string
	// configFile and baseline are absolute paths, empty for none.
	ConfigFile, Baseline string

	RequireReason bool
	// notes are remarks for the user.
	Notes []string
}

// New are those that do not depend on what is judged.
func New(a *app.App, surface rules.Surface, f *Flags, c *config.Config, strict bool) (*Settings, error) {
	s := &Settings{
		Surface:       surface,
		Notes:         c.Notes,
		ConfigExclude: c.Exclude,
		RequireReason: Choose(f.Set("require-reason"), f.RequireReason, c.RequireReason),
	}
	if c.File != "" {
		s.ConfigFile = a.Path(c.File)
	}
	if err := s.chooseRules(f, c, strict); err != nil {
		return nil, err
	}
	if err := s.chooseFailOn(f, c); err != nil {
		return nil, err
	}
	switch {
	case f.Set("baseline") && f.baseline != "":
		s.Baseline = a.Path(f.baseline)
	case !f.Set("baseline") && c.Baseline != "":
		s.Baseline = c.Baseline
		if !filepath.IsAbs(s.Baseline) {
			s.Baseline = filepath.Join(filepath.Dir(s.ConfigFile), filepath.FromSlash(c.Baseline))
		}
	case f.WriteBaseline:
		return nil, errors.New("--write-baseline needs a file: add --baseline FILE, or baseline: FILE to the configuration")
	}
	return s, nil
}

// Not negates what a configuration says, if it does.
func Not(b *bool) *bool {
	if b == nil {
		return nil
	}
	n := !*b
	return &n
}

// Choose takes the flag where it was given, then the configuration.
func Choose(given, flag bool, configured *bool) bool {
	if !given && configured != nil {
		return *configured
	}
	return flag
}

// Configuration reads the configuration that holds; an empty one if there is
// none.
func Configuration(a *app.App, f *Flags) (*config.Config, error) {
	path := ""
	switch {
	case f.NoConfig && f.Set("config"):
		return nil, errors.New("--config and --no-config exclude each other")
	case f.NoConfig:
		return &config.Config{}, nil
	case f.Set("config"):
		path = a.Path(f.Config)
	default:
		found, err := config.Find(a.Dir)
		if err != nil || found == "" {
			return &config.Config{}, err
		}
		path = found
	}
	name := a.Name(path)
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", app.Bare(err, name))
	}
	defer file.Close()
	data, err := config.Read(file)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", app.Bare(err, name))
	}
	return config.Parse(name, data)
}
