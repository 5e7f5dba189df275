// Package golangci contains kubevet's rules for Go code as a module plugin of
// golangci-lint. README.md says how to build and configure it.
//
// Importing the package registers the plugin under the name kubevet, as golangci-lint
// requires.
package golangci

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/unusedsuppression"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

func init() { register.Plugin("kubevet", New) }

// Settings has the keys below linters.settings.custom.kubevet.settings. The zero value
// runs the rules that are on by default.
type Settings struct {
	// Enable has rules to turn on. Disable has rules to turn off. A rule in both lists is
	// an error.
	Enable  []string `json:"enable"`
	Disable []string `json:"disable"`
	// If Strict is true, all rules run and check every single call.
	Strict bool `json:"strict"`
	// If Tests is true, rules also report in test files, provided that golangci-lint
	// loads them.
	Tests bool `json:"tests"`
	// Target is the Kubernetes version or range that the code must support, such as
	// "1.31..1.37". Empty means the minor of client-go, or the newest known version if the
	// names of client-go's files do not show the minor.
	Target string `json:"target"`
	// If RequireReason is true, suppressions without a reason are reported.
	RequireReason bool `json:"require-reason"`
	// Severities has the severities of rules: "error", "warning" or "info". Other rules
	// have the severity on their page.
	Severities map[string]string `json:"severities"`
	// MinSeverity is the lowest severity to report. Empty means "info".
	MinSeverity string `json:"min-severity"`
	// Fixes says which fixes golangci-lint may apply: "safe", "all" or "none". Empty
	// means "safe".
	Fixes string `json:"fixes"`
	// Rules has the options of rules, such as {"applyforce": {"mode": "cli"}}.
	Rules map[string]map[string]any `json:"rules"`
}

// Plugin has one configuration of the rules. It implements register.LinterPlugin.
type Plugin struct {
	on         map[string]bool
	options    map[string]string
	severities map[string]rules.Severity
	lowest     rules.Severity
	reasons    bool // if true, suppressions without a reason are reported
	fixes      string
}

// New returns a plugin with the settings from the configuration of golangci-lint. It
// returns an error for an unknown key or rule.
func New(settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](settings)
	if err != nil {
		return nil, err
	}
	p := &Plugin{
		on: map[string]bool{}, options: map[string]string{}, severities: map[string]rules.Severity{},
		lowest: rules.Info, reasons: s.RequireReason, fixes: s.Fixes,
	}
	switch p.fixes {
	case "":
		p.fixes = "safe"
	case "safe", "all", "none":
	default:
		return nil, fmt.Errorf("fixes: %q: want safe, all or none", s.Fixes)
	}
	for _, a := range analyzers.All() {
		p.on[a.Name] = s.Strict || analyzers.OnByDefault(a.Name)
		r, _ := rules.Lookup(a.Name)
		p.severities[a.Name] = r.Severity
	}
	if s.MinSeverity != "" {
		if p.lowest, err = severity(s.MinSeverity); err != nil {
			return nil, fmt.Errorf("min-severity: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Severities)) {
		id, err := p.rule(name)
		if err != nil {
			return nil, fmt.Errorf("severities: %w", err)
		}
		if p.severities[id], err = severity(s.Severities[name]); err != nil {
			return nil, fmt.Errorf("severities: %s: %w", name, err)
		}
	}
	if s.Strict {
		maps.Copy(p.options, analyzers.Strict())
	}
	if s.Tests {
		p.options["tests"] = "true"
	}
	if s.Target != "" {
		// The target is tried here, so that an error names the key "target".
		restore, err := analyzers.Set(analyzers.Target(s.Target))
		if err != nil {
			return nil, fmt.Errorf("target: %w", err)
		}
		restore()
		maps.Copy(p.options, analyzers.Target(s.Target))
	}
	if err := p.choose(s.Enable, s.Disable); err != nil {
		return nil, err
	}
	return p, p.configure(s.Rules)
}

// severity parses a severity. It returns an error for names that users cannot configure.
func severity(name string) (rules.Severity, error) {
	switch s, err := rules.ParseSeverity(name); {
	case err != nil, s < rules.Info:
		return 0, fmt.Errorf("unknown severity %q: want error, warning or info", name)
	default:
		return s, nil
	}
}

func (p *Plugin) choose(enable, disable []string) error {
	said := map[string]string{}
	for _, list := range []struct {
		key string
		ids []string
		on  bool
	}{{"enable", enable, true}, {"disable", disable, false}} {
		for _, name := range list.ids {
			id, err := p.rule(name)
			if err != nil {
				return fmt.Errorf("%s: %w", list.key, err)
			}
			if other, ok := said[id]; ok && other != list.key {
				return fmt.Errorf("rule %q is both enabled and disabled", id)
			}
			said[id] = list.key
			p.on[id] = list.on
		}
	}
	return nil
}

func (p *Plugin) configure(settings map[string]map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		id, err := p.rule(name)
		if err != nil {
			return fmt.Errorf("rules: %w", err)
		}
		for _, flag := range slices.Sorted(maps.Keys(settings[name])) {
			switch v := settings[name][flag].(type) {
			case string, bool, float64: // JSON values that can be values of flags
				p.options[id+"."+flag] = fmt.Sprint(v)
			default:
				return fmt.Errorf("rules: %s: %s: want a text, a number, true or false", name, flag)
			}
		}
	}
	// The options are tried here, because golangci-lint reports errors of New together
	// with the configuration.
	restore, err := analyzers.Set(p.options)
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	restore()
	return nil
}

// rule returns the current ID of a rule for Go code. name may be a former ID.
func (p *Plugin) rule(name string) (string, error) {
	if id, ok := rules.Resolve(name); ok {
		if _, ok := p.on[id]; ok {
			return id, nil
		}
	}
	return "", fmt.Errorf("%q is not a rule for Go code: want one of %s", name, strings.Join(slices.Sorted(maps.Keys(p.on)), ", "))
}

// BuildAnalyzers returns the analyzers of the rules that are on. It sets the flags of the
// analyzers for the whole process, because golangci-lint configures a plugin only once.
func (p *Plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	if _, err := analyzers.Set(p.options); err != nil {
		return nil, err
	}
	var list []*analysis.Analyzer
	for _, a := range analyzers.Select(func(id string) bool { return p.on[id] && id != unusedsuppressionID }) {
		list = append(list, p.adapt(a))
	}
	if p.on[unusedsuppressionID] {
		a := unusedsuppression.New(list)
		if err := a.Flags.Set("reasons", strconv.FormatBool(p.reasons)); err != nil {
			return nil, err
		}
		list = append(list, p.adapt(a))
	}
	return list, nil
}

// unusedsuppressionID is the ID of the rule whose analyzer depends on the other rules
// that run.
const unusedsuppressionID = "unusedsuppression"

// GetLoadMode returns the mode that loads types, because the rules need types.
func (p *Plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// adapt returns an analyzer whose diagnostics golangci-lint can show:
//
//   - The severity is added to the message, because golangci-lint has no severity for a
//     diagnostic.
//   - Fixes that must not be applied are removed, because golangci-lint applies all
//     fixes.
//   - Related places are removed, because golangci-lint would report each of them as a
//     finding.
func (p *Plugin) adapt(a *analysis.Analyzer) *analysis.Analyzer {
	adapted := *a
	keep := p.fixes == "all" || p.fixes == "safe" && analyzers.SafeFixes(a.Name)
	adapted.Run = func(pass *analysis.Pass) (any, error) {
		mine := *pass
		mine.Report = func(d analysis.Diagnostic) {
			severity := analyzers.Severity(d.Category, p.severities[a.Name])
			if severity < p.lowest {
				return
			}
			d.Message = severity.String() + ": " + d.Message
			d.Related = nil
			if !keep {
				d.SuggestedFixes = nil
			}
			pass.Report(d)
		}
		return a.Run(&mine)
	}
	return &adapted
}
