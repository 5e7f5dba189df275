// Package settings combines the flags and .kubevet.yaml to the settings of a run: rules,
// severities, target, exclusions and baseline.
package settings

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Excludes returns all patterns of files to exclude, for a search in dir. dir is working,
// the working directory, or a copy of it.
func (s *Settings) Excludes(dir, working string) []string {
	all := slices.Clone(s.Exclude)
	if s.ConfigFile == "" {
		return all
	}
	from := filepath.Dir(s.ConfigFile)
	if dir != working {
		// In the copy, the configuration is at the same relative path.
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

// Settings are the settings of a run, from flags and configuration.
type Settings struct {
	// Surface is the kind of input: manifests or Go code. Target is the cluster to check
	// for.
	Surface rules.Surface
	Target  lifecycle.Target
	// Enabled has the rules that run. Severity has the severity of every rule of the
	// surface.
	Enabled  map[string]bool
	Severity map[string]rules.Severity
	// FailOn is the lowest severity for which the exit status is 1. It counts only if
	// Fails is true.
	FailOn rules.Severity
	Fails  bool
	// If FailOnUnchecked is true, the exit status is 1 if an object was not checked
	// because its kind has no schema.
	FailOnUnchecked bool

	// Exclude has patterns relative to the working directory. ConfigExclude has patterns
	// relative to the directory of the configuration file.
	Exclude, ConfigExclude []string
	// ConfigFile is the absolute path of the configuration file, or "".
	ConfigFile string
	// Baseline is the file of the baseline. Without a baseline, its Path is empty.
	Baseline treefile.File

	RequireReason bool
	// Notes are remarks to print for the user.
	Notes []string
}

// New combines flags and configuration to the settings for a surface. In strict mode,
// more rules run by default.
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
		s.Baseline.Path = a.Path(f.baseline)
	case !f.Set("baseline") && c.Baseline != "":
		var err error
		if s.Baseline, err = c.Resolve("baseline", 0, c.Baseline, "--baseline"); err != nil {
			return nil, err
		}
	case f.WriteBaseline:
		return nil, errors.New("--write-baseline needs a file: add --baseline FILE, or baseline: FILE to the configuration")
	}
	return s, nil
}

// Not returns the opposite of an optional value. nil stays nil.
func Not(b *bool) *bool {
	if b == nil {
		return nil
	}
	n := !*b
	return &n
}

// Choose returns the value of a switch: flag if the user set the flag (given), otherwise
// configured. If configured is nil, it returns flag, which then has its default.
func Choose(given, flag bool, configured *bool) bool {
	if !given && configured != nil {
		return *configured
	}
	return flag
}

// Configuration reads and parses the configuration file. Without a file, it returns an
// empty configuration.
func Configuration(a *app.App, f *Flags) (*config.Config, error) {
	file := treefile.File{}
	switch {
	case f.NoConfig && f.Set("config"):
		return nil, errors.New("--config and --no-config exclude each other")
	case f.NoConfig:
		return &config.Config{}, nil
	case f.Set("config"):
		file.Path = a.Path(f.Config)
	default:
		found, err := config.Find(a.Dir)
		var owner *config.OwnerError
		if errors.As(err, &owner) {
			name := quote.Name(a.Name(owner.Path))
			return nil, fmt.Errorf("%s belongs to another user; name it with --config %s, or add --no-config", name, name)
		}
		if err != nil || found.Path == "" {
			return &config.Config{}, err
		}
		file = found
	}
	return config.Read(file, a.Name(file.Path))
}
