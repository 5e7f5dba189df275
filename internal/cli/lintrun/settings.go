package lintrun

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// HelmFlags are the flags about Helm charts as they were given.
type HelmFlags struct {
	No          bool
	Values      []string
	CiValues    bool
	ApiVersions []string
	// sets are those of --set and its siblings, by helmchart.SetKind.
	Sets [helmchart.SetLiteral + 1][]string
}

// Flags are the flags of `kubevet lint` as they were given.
type Flags struct {
	Target                      string
	FeatureGates, RuntimeConfig []string
	settings.Flags

	Filenames      []string
	Exclude        []string
	NoGitignore    bool
	FollowSymlinks bool
	Embedded       bool
	ReleaseHistory bool
	NoScripts      bool
	KubectlVersion string
	plutoFlags
	MaxDocumentSize string

	NoKustomize    bool
	LoadRestrictor string
	EnableHelm     bool
	HelmCommand    string
	Helm           HelmFlags

	Cluster             bool
	Context, Kubeconfig string
	RequestTimeout      time.Duration

	Fix, FixTarget string
	Diff           bool

	Crds     []string
	Old      string
	Validate string
}

// plutoFlags are the flags of those who come from pluto.
type plutoFlags struct {
	AdditionalVersions string
	TargetVersions     map[string]string
	PlutoExitCodes     bool
}

// NewSettings reads the configuration and lays the flags over it.
func NewSettings(a *app.App, f *Flags) (*settings.Settings, error) {
	c, err := settings.Configuration(a, &f.Flags)
	if err != nil {
		return nil, app.Usage(err)
	}
	s, err := settings.New(a, rules.SurfaceManifest, &f.Flags, c, false)
	if err != nil {
		return nil, app.Usage(err)
	}
	s.Exclude = f.Exclude
	s.NoGitignore, s.FollowSymlinks = f.NoGitignore, f.FollowSymlinks
	s.Crds = crdPaths(a, f, c.CRDs, s.ConfigFile)
	if s.Old = f.Old; f.Set("old") && s.Old == "" {
		return nil, app.Usagef("--old needs a revision or a path")
	}
	if err := chooseValidation(s, f, c.Validate, settings.LikeKubectl(f.Outputs)); err != nil {
		return nil, err
	}
	s.Embedded = settings.Choose(f.Set("embedded"), f.Embedded, c.Embedded)
	if err := chooseKustomize(s, f, c); err != nil {
		return nil, app.Usage(err)
	}
	if err := chooseHelm(a, s, f, c); err != nil {
		return nil, app.Usage(err)
	}
	s.Scripts = !settings.Choose(f.Set("no-scripts"), f.NoScripts, settings.Not(c.Scripts))
	if s.Kubectl, err = kubectlVersions(f.KubectlVersion, f.Set("kubectl-version"), c); err != nil {
		return nil, app.Usage(err)
	}
	s.ReleaseHistory = settings.Choose(f.Set("release-history"), f.ReleaseHistory, c.ReleaseHistory)
	if err := plutoTarget(f); err != nil {
		return nil, err
	}
	if s.Additional, err = additionalVersions(a, f, c, s.ConfigFile); err != nil {
		return nil, err
	}
	if s.Target, err = settings.MakeTarget(f.Target, f.FeatureGates, f.RuntimeConfig, f.Target != "" || f.Set("target"), c); err != nil {
		return nil, app.Usage(err)
	}
	if !f.Set("target") && c.Target == "" {
		s.Retarget = func(version string) (err error) {
			s.Target, err = settings.MakeTarget(version, f.FeatureGates, f.RuntimeConfig, true, c)
			return err
		}
	}
	s.Enable = func(apis []string) {
		versions := s.Target.Range.String()
		var known []string
		for _, api := range apis {
			if _, said := c.RuntimeConfig[strings.TrimSuffix(api, "=true")]; said {
				continue
			}
			if _, err := lifecycle.NewTarget(versions, nil, []string{api}); err == nil {
				known = append(known, api)
			}
		}
		if t, err := settings.MakeTarget(versions, f.FeatureGates, append(known, f.RuntimeConfig...), true, c); err == nil {
			s.Target = t
		}
	}
	if s.MaxDocument, err = config.ParseSize(f.MaxDocumentSize); err != nil {
		return nil, app.Usagef("--max-document-size: %w", err)
	}
	if !f.Set("max-document-size") && c.MaxDocumentSize > 0 {
		s.MaxDocument = c.MaxDocumentSize
	}
	return s, nil
}

// alsoReads tells which files that are no manifests by their names are read; nil:
// none is.
func alsoReads(s *settings.Settings) func(base string) bool {
	if !s.Scripts {
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
