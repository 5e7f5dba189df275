package lintrun

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/chartworker"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint/additional"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/projects"
)

// HelmFlags are the flags for Helm charts.
type HelmFlags struct {
	No          bool
	Values      []string
	CIValues    bool
	APIVersions []string
	// RenderTimeout is the time limit for rendering one chart. 0 means no limit.
	RenderTimeout time.Duration
	// Sets has the values of --set and similar flags. The index is a helmchart.SetKind.
	Sets [helmchart.SetLiteral + 1][]string
}

// Flags are the flags of `kubevet lint`.
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

	Cluster                 bool
	KubeContext, Kubeconfig string
	RequestTimeout          time.Duration

	Fix, FixTarget string
	Diff           bool

	// Context has the values of --context: paths of files with objects that exist in the
	// cluster. With Cluster and without KubeContext, the value is a context of the
	// kubeconfig instead. CRDs has further paths of files.
	Context, CRDs []string
	// As and AsGroups are the user who applies the objects. If both are empty, the user
	// is unknown.
	As       string
	AsGroups []string

	Old      string
	Validate string
}

// MaxDocumentSize is the default of --max-document-size.
const MaxDocumentSize = "32Mi"

// DefaultFlags returns the flags of an empty command line, for a run that prints nothing.
func DefaultFlags() *Flags {
	f := &Flags{MaxDocumentSize: MaxDocumentSize, LoadRestrictor: "rootonly"}
	f.FailOn, f.Color, f.Quiet = "error", "never", true
	f.Helm.RenderTimeout = RenderTimeout
	f.RequestTimeout = time.Minute
	f.Set = func(string) bool { return false }
	return f
}

// plutoFlags are the flags that exist for users of pluto.
type plutoFlags struct {
	AdditionalVersions string
	TargetVersions     map[string]string
	PlutoExitCodes     bool
}

// Settings are the settings of a run that lints manifests.
type Settings struct {
	*settings.Settings
	// Validation is the server's handling of unknown fields.
	Validation apiserver.FieldValidation
	// Old is the git revision or path of the objects that the linted objects update. It
	// is empty if the linted objects are new.
	Old string
	// Overlay replaces the texts of files, for linting and for rendering.
	Overlay treefile.Overlay

	// additional is the user's list of deprecated API versions. It may be nil.
	additional *additional.Versions
	// releases has the releases of well-known projects to check for, by the name of the
	// project.
	releases                 map[string]projects.Release
	embedded, releaseHistory bool
	maxDocument              int64
	// context has the paths of files with objects that exist in the cluster.
	context []contextPath
	// user is the user who applies the objects. It is nil if the user is unknown.
	user *policy.User
	// If scripts is true, scripts are linted, too. kubectl is the range of kubectl
	// releases that run them.
	scripts bool
	kubectl lifecycle.Range

	noGitignore, followSymlinks bool
	kustomize                   kustomizeSettings
	helm                        helmSettings
	// workers are the processes that render charts. If it is nil, this process renders
	// them.
	workers *chartworker.Pool

	// useServerVersion makes the version of a server the target. It is nil if the user
	// chose a target.
	useServerVersion func(version string) error
	// enableAPIs enables APIs of a server in the target, except APIs that flags or the
	// configuration set.
	enableAPIs func(apis []string)
}

// NewSettings combines the configuration with the flags, which override it.
func NewSettings(a *app.App, f *Flags) (*Settings, error) {
	c, err := settings.Configuration(a, &f.Flags)
	if err != nil {
		return nil, app.Usage(err)
	}
	common, err := settings.New(a, rules.SurfaceManifest, &f.Flags, c, false)
	if err != nil {
		return nil, app.Usage(err)
	}
	common.Exclude = f.Exclude
	s := &Settings{
		Settings:       common,
		Old:            f.Old,
		embedded:       settings.Choose(f.Set("embedded"), f.Embedded, c.Embedded),
		releaseHistory: settings.Choose(f.Set("release-history"), f.ReleaseHistory, c.ReleaseHistory),
		scripts:        !settings.Choose(f.Set("no-scripts"), f.NoScripts, settings.Not(c.Scripts)),
		noGitignore:    f.NoGitignore,
		followSymlinks: f.FollowSymlinks,
	}
	if f.Set("old") && s.Old == "" {
		return nil, app.Usagef("--old needs a revision or a path")
	}
	if s.context, err = contextPaths(a, f, c); err != nil {
		return nil, app.Usage(err)
	}
	if s.user, err = applyingUser(f); err != nil {
		return nil, err
	}
	if s.Validation, err = chooseValidation(f, c.Validate); err != nil {
		return nil, err
	}
	if s.kustomize, err = chooseKustomize(f, c); err != nil {
		return nil, app.Usage(err)
	}
	if s.helm, err = chooseHelm(a, f, c); err != nil {
		return nil, app.Usage(err)
	}
	if s.kubectl, err = kubectlVersions(f.KubectlVersion, f.Set("kubectl-version"), c); err != nil {
		return nil, app.Usage(err)
	}
	if err := plutoTarget(f); err != nil {
		return nil, err
	}
	if s.additional, err = additionalVersions(a, f, c); err != nil {
		return nil, err
	}
	releases, notes, err := projectReleases(f, c, s.additional)
	if err != nil {
		return nil, err
	}
	s.releases = releases
	s.Notes = append(s.Notes, notes...)
	if err := s.chooseTarget(f, c); err != nil {
		return nil, app.Usage(err)
	}
	if s.maxDocument, err = config.ParseSize(f.MaxDocumentSize); err != nil {
		return nil, app.Usagef("--max-document-size: %w", err)
	}
	if !f.Set("max-document-size") && c.MaxDocumentSize > 0 {
		if c.Discovered() && c.MaxDocumentSize > s.maxDocument {
			return nil, app.Usage(c.Errorf("maxDocumentSize", "the configuration of a repository must not raise the limit; add --max-document-size %d", c.MaxDocumentSize))
		}
		s.maxDocument = c.MaxDocumentSize
	}
	return s, nil
}

// chooseTarget sets Target. It also sets useServerVersion and enableAPIs, which change
// Target when the cluster is known.
func (s *Settings) chooseTarget(f *Flags, c *config.Config) (err error) {
	if s.Target, err = settings.MakeTarget(f.Target, f.FeatureGates, f.RuntimeConfig, f.Target != "" || f.Set("target"), c); err != nil {
		return err
	}
	if !f.Set("target") && c.Target == "" {
		s.useServerVersion = func(version string) (err error) {
			s.Target, err = settings.MakeTarget(version, f.FeatureGates, f.RuntimeConfig, true, c)
			return err
		}
	}
	s.enableAPIs = func(apis []string) {
		versions := s.Target.Range.String()
		var known []string
		for _, api := range apis {
			if _, configured := c.RuntimeConfig[strings.TrimSuffix(api, "=true")]; configured {
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
	return nil
}

// scriptFilter returns a function that reports whether a file with this name is a script.
// It returns nil if scripts are not linted.
func (s *Settings) scriptFilter() func(base string) bool {
	if !s.scripts {
		return nil
	}
	return func(base string) bool { return scripts.LanguageOf(base) != scripts.None }
}

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
