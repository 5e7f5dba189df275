package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/nearest"
	"github.com/kubevet/kubevet/manifestlint/additional"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// settings are what flags and configuration come to.
type settings struct {
	// surface is what is judged, target what objects are judged against.
	surface rules.Surface
	target  lifecycle.Target
	// enabled are the rules that run, severity is that of every rule of the
	// surface.
	enabled  map[string]bool
	severity map[string]rules.Severity
	// failOn is the weakest severity that fails the run, if fails is set.
	failOn rules.Severity
	fails  bool

	// exclude are relative to the working directory, configExclude to the
	// configuration's directory.
	exclude, configExclude []string
	// configFile and baseline are absolute paths, empty for none.
	configFile, baseline string

	embedded, requireReason bool
	releaseHistory          bool
	// additional are deprecated API versions that the user lists; may be nil.
	additional *additional.Versions
	// scripts reads shell text, judged for these releases of kubectl.
	scripts bool
	kubectl lifecycle.Range
	// kustomize builds kustomizations, which may name files anywhere if
	// loadAnywhere is set and inflate Helm charts if enableHelm is, with
	// helmCommand if that is not empty.
	kustomize, loadAnywhere     bool
	enableHelm                  bool
	helmCommand                 string
	helm                        helmSettings
	noGitignore, followSymlinks bool
	maxDocument                 int64
	// crds are paths with what the cluster has, relative to the working
	// directory; old is the revision or path of what objects update, empty if
	// they are new.
	crds       []string
	old        string
	validation apiserver.FieldValidation
	// retarget takes another version as the target; nil where the user has
	// named one.
	retarget func(version string) error
	// enable adds APIs that the server has on to the target, as far as the
	// target knows them; what flags and configuration say of them counts.
	enable func(apis []string)
	// notes are remarks for the user.
	notes []string
}

// settings reads the configuration and lays the flags over it.
func (a *app) settings(f *lintFlags) (*settings, error) {
	c, err := a.configuration(&f.commonFlags)
	if err != nil {
		return nil, usage(err)
	}
	s, err := a.commonSettings(rules.SurfaceManifest, &f.commonFlags, c, false)
	if err != nil {
		return nil, usage(err)
	}
	s.exclude = f.exclude
	s.noGitignore, s.followSymlinks = f.noGitignore, f.followSymlinks
	s.crds = a.crdPaths(f, c.CRDs, s.configFile)
	if s.old = f.old; f.set("old") && s.old == "" {
		return nil, usagef("--old needs a revision or a path")
	}
	if err := s.chooseValidation(f, c.Validate, likeKubectl(f.outputs)); err != nil {
		return nil, err
	}
	s.embedded = choose(f.set("embedded"), f.embedded, c.Embedded)
	if err := s.chooseKustomize(f, c); err != nil {
		return nil, usage(err)
	}
	if err := a.chooseHelm(s, f, c); err != nil {
		return nil, usage(err)
	}
	s.scripts = !choose(f.set("no-scripts"), f.noScripts, not(c.Scripts))
	if s.kubectl, err = kubectlVersions(f.kubectlVersion, f.set("kubectl-version"), c); err != nil {
		return nil, usage(err)
	}
	s.releaseHistory = choose(f.set("release-history"), f.releaseHistory, c.ReleaseHistory)
	if err := plutoTarget(f); err != nil {
		return nil, err
	}
	if s.additional, err = a.additionalVersions(f, c, s.configFile); err != nil {
		return nil, err
	}
	if s.target, err = makeTarget(f.target, f.featureGates, f.runtimeConfig, f.target != "" || f.set("target"), c); err != nil {
		return nil, usage(err)
	}
	if !f.set("target") && c.Target == "" {
		s.retarget = func(version string) (err error) {
			s.target, err = makeTarget(version, f.featureGates, f.runtimeConfig, true, c)
			return err
		}
	}
	s.enable = func(apis []string) {
		versions := s.target.Range.String()
		var known []string
		for _, api := range apis {
			if _, said := c.RuntimeConfig[strings.TrimSuffix(api, "=true")]; said {
				continue
			}
			if _, err := lifecycle.NewTarget(versions, nil, []string{api}); err == nil {
				known = append(known, api)
			}
		}
		if t, err := makeTarget(versions, f.featureGates, append(known, f.runtimeConfig...), true, c); err == nil {
			s.target = t
		}
	}
	if s.maxDocument, err = config.ParseSize(f.maxDocumentSize); err != nil {
		return nil, usagef("--max-document-size: %w", err)
	}
	if !f.set("max-document-size") && c.MaxDocumentSize > 0 {
		s.maxDocument = c.MaxDocumentSize
	}
	return s, nil
}

// commonSettings are those that do not depend on what is judged.
func (a *app) commonSettings(surface rules.Surface, f *commonFlags, c *config.Config, strict bool) (*settings, error) {
	s := &settings{
		surface:       surface,
		notes:         c.Notes,
		configExclude: c.Exclude,
		requireReason: choose(f.set("require-reason"), f.requireReason, c.RequireReason),
	}
	if c.File != "" {
		s.configFile = a.path(c.File)
	}
	if err := s.chooseRules(f, c, strict); err != nil {
		return nil, err
	}
	if err := s.chooseFailOn(f, c); err != nil {
		return nil, err
	}
	switch {
	case f.set("baseline") && f.baseline != "":
		s.baseline = a.path(f.baseline)
	case !f.set("baseline") && c.Baseline != "":
		s.baseline = c.Baseline
		if !filepath.IsAbs(s.baseline) {
			s.baseline = filepath.Join(filepath.Dir(s.configFile), filepath.FromSlash(c.Baseline))
		}
	case f.writeBaseline:
		return nil, errors.New("--write-baseline needs a file: add --baseline FILE, or baseline: FILE to the configuration")
	}
	return s, nil
}

// alsoReads tells which files that are no manifests by their names are read; nil:
// none is.
func (s *settings) alsoReads() func(base string) bool {
	if !s.scripts {
		return nil
	}
	return func(base string) bool { return scripts.LanguageOf(base) != scripts.None }
}

// kubectlVersions are the releases of kubectl that scripts are judged for.
func kubectlVersions(versions string, given bool, c *config.Config) (lifecycle.Range, error) {
	if given && versions == "" {
		return lifecycle.Range{}, errors.New("--kubectl-version needs a version such as 1.33")
	}
	r, err := lifecycle.ParseRange(versions)
	if err != nil {
		return lifecycle.Range{}, fmt.Errorf("--kubectl-version: %w", err)
	}
	if !given && c.KubectlVersion != "" {
		if r, err = lifecycle.ParseRange(c.KubectlVersion); err != nil {
			return lifecycle.Range{}, c.Errorf("kubectlVersion", "%v", err)
		}
	}
	return r, nil
}

// not negates what a configuration says, if it does.
func not(b *bool) *bool {
	if b == nil {
		return nil
	}
	n := !*b
	return &n
}

// choose takes the flag where it was given, then the configuration.
func choose(given, flag bool, configured *bool) bool {
	if !given && configured != nil {
		return *configured
	}
	return flag
}

// configuration reads the configuration that holds; an empty one if there is
// none.
func (a *app) configuration(f *commonFlags) (*config.Config, error) {
	path := ""
	switch {
	case f.noConfig && f.set("config"):
		return nil, errors.New("--config and --no-config exclude each other")
	case f.noConfig:
		return &config.Config{}, nil
	case f.set("config"):
		path = a.path(f.config)
	default:
		found, err := config.Find(a.dir)
		if err != nil || found == "" {
			return &config.Config{}, err
		}
		path = found
	}
	name := a.name(path)
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", bare(err, name))
	}
	defer file.Close()
	data, err := config.Read(file)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", bare(err, name))
	}
	return config.Parse(name, data)
}

// name is what the user would type to mean an absolute path.
func (a *app) name(path string) string {
	rel, err := filepath.Rel(a.dir, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	// From deep below, the whole path is easier to read.
	if strings.Count(rel, "..") > 3 {
		rel = path
	}
	return filepath.ToSlash(rel)
}

// bare replaces the operation and path of an error of package os by the name
// that the user knows.
func bare(err error, name string) error { return fmt.Errorf("%s: %w", name, cause(err)) }

// cause is what is behind an error of package os.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// makeTarget makes the target of flags and configuration. Flags add to the
// configured feature gates and APIs, and win where both set the same.
func makeTarget(versions string, gates, runtime []string, given bool, c *config.Config) (lifecycle.Target, error) {
	if given && versions == "" {
		return lifecycle.Target{}, errors.New("--target needs a version such as 1.33")
	}
	if _, err := lifecycle.NewTarget(versions, nil, nil); err != nil {
		return lifecycle.Target{}, fmt.Errorf("--target: %w", err)
	}
	if !given && c.Target != "" {
		versions = c.Target
		if _, err := lifecycle.NewTarget(versions, nil, nil); err != nil {
			return lifecycle.Target{}, c.Errorf("target", "%v", err)
		}
	}
	allGates, gateErr := settingsOf(c, "featureGates", c.FeatureGates, func(entry string) error {
		_, err := lifecycle.NewTarget(versions, []string{entry}, nil)
		return gateHint(entry, err)
	})
	allRuntime, runtimeErr := settingsOf(c, "runtimeConfig", c.RuntimeConfig, func(entry string) error {
		_, err := lifecycle.NewTarget(versions, nil, []string{entry})
		return err
	})
	if err := errors.Join(gateErr, runtimeErr); err != nil {
		return lifecycle.Target{}, err
	}
	for _, entry := range gates {
		if _, err := lifecycle.NewTarget(versions, []string{entry}, nil); err != nil {
			return lifecycle.Target{}, fmt.Errorf("--feature-gates: %w", gateHint(entry, err))
		}
	}
	if _, err := lifecycle.NewTarget(versions, nil, runtime); err != nil {
		return lifecycle.Target{}, fmt.Errorf("--runtime-config: %w", err)
	}
	return lifecycle.NewTarget(versions, append(allGates, gates...), append(allRuntime, runtime...))
}

// settingsOf gives the entries of a configured mapping as the server's flags
// have them, after it has judged each by itself.
func settingsOf(c *config.Config, key string, values map[string]bool, judge func(entry string) error) ([]string, error) {
	var entries []string
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		entry := name + "=" + strconv.FormatBool(values[name])
		if err := judge(entry); err != nil {
			errs = append(errs, c.Errorf(key+"."+name, "%v", err))
		}
		entries = append(entries, entry)
	}
	return entries, errors.Join(errs...)
}

// gateHint adds to an error about a feature gate the name that was meant.
func gateHint(entry string, err error) error {
	if err == nil {
		return nil
	}
	name, _, _ := strings.Cut(entry, "=")
	name = strings.TrimSpace(name)
	if known := slices.Collect(lifecycle.Gates()); !slices.Contains(known, name) {
		return fmt.Errorf("%w%s", err, nearest.Question(name, known))
	}
	return err
}
