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

// Excludes returns the patterns of flag and configuration for a search in dir, which
// is the working directory or a copy of it.
func (s *Settings) Excludes(dir, working string) []string {
	all := slices.Clone(s.Exclude)
	if s.ConfigFile == "" {
		return all
	}
	from := filepath.Dir(s.ConfigFile)
	if dir != working {
		// The configuration's directory is at the same place relative to the copy.
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

// Settings combine flags and configuration.
type Settings struct {
	// Surface is what is checked, Target the API servers to check for.
	Surface rules.Surface
	Target  lifecycle.Target
	// Enabled has the rules that run, Severity that of every rule of the surface.
	Enabled  map[string]bool
	Severity map[string]rules.Severity
	// FailOn is the lowest severity that makes the exit status 1, if Fails is set.
	FailOn rules.Severity
	Fails  bool
	// FailOnUnchecked makes the exit status 1 if objects were not checked because
	// their kind has no schema.
	FailOnUnchecked bool

	// Exclude has patterns relative to the working directory, ConfigExclude relative
	// to the configuration's directory.
	Exclude, ConfigExclude []string
	// ConfigFile and Baseline are absolute paths; empty for none.
	ConfigFile, Baseline string

	RequireReason bool
	// Notes are printed to the user.
	Notes []string
}

// New returns the settings of a surface.
func New(a *app.App, surface rules.Surface, f *Flags, c *config.Config, strict bool) (*Settings, error) {
	s := &Settings{
		Surface:       surface,
		Notes:         c.Notes,
		ConfigExclude: c.Exclude,
		RequireReason: Choose(f.Set("require-reason"), f.RequireReason, c.RequireReason),

		FailOnUnchecked: Choose(f.Set("fail-on-unchecked"), f.FailOnUnchecked, c.FailOnUnchecked),
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

// Not negates an optional value.
func Not(b *bool) *bool {
	if b == nil {
		return nil
	}
	n := !*b
	return &n
}

// Choose returns the flag if it was given, else the configured value if there is
// one, else the flag's default.
func Choose(given, flag bool, configured *bool) bool {
	if !given && configured != nil {
		return *configured
	}
	return flag
}

// Configuration reads the configuration file; without one it returns an empty
// configuration.
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
