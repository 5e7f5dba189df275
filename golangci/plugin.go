// Package golangci is kubevet's rules for Go code as a module plugin of
// golangci-lint. README.md says how to build and configure it.
//
// The plugin registers itself under the name kubevet when it is imported,
// which is how golangci-lint wants its plugins.
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

// Settings are the keys below linters.settings.custom.kubevet.settings. The zero
// value runs the rules that are on by default.
type Settings struct {
	// Enable and Disable turn rules on and off. A rule in both is a mistake.
	Enable  []string `json:"enable"`
	Disable []string `json:"disable"`
	// Strict turns on all rules, and their modes for every single call.
	Strict bool `json:"strict"`
	// Tests makes the rules report in test files, too, if golangci-lint loads them.
	Tests bool `json:"tests"`
	// Target is the Kubernetes version or range that the code must work with, such as
	// "1.31..1.37". Empty is the newest known version.
	Target string `json:"target"`
	// RequireReason reports suppressions without a reason.
	RequireReason bool `json:"require-reason"`
	// Severities are the severities of rules: "error", "warning" or "info". A rule that
	// is not among them has the severity of its page.
	Severities map[string]string `json:"severities"`
	// MinSeverity is the lowest severity that is reported. Empty is "info".
	MinSeverity string `json:"min-severity"`
	// Fixes are the fixes that golangci-lint may apply: "safe", "all" or "none". Empty
	// is "safe".
	Fixes string `json:"fixes"`
	// Rules holds the options of rules: {"applyforce": {"mode": "cli"}}.
	Rules map[string]map[string]any `json:"rules"`
}

// Plugin is one configuration of the rules.
type Plugin struct {
	on         map[string]bool
	options    map[string]string
	severities map[string]rules.Severity
	lowest     rules.Severity
	reasons    bool // suppressions without a reason are reported
	fixes      string
}

// New reads the settings that golangci-lint found in its configuration. A key
// or a rule that does not exist is an error.
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
		// An error then names the key that the user wrote.
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

// severity returns the severity with a name.
func severity(name string) (rules.Severity, error) {
	switch s, err := rules.ParseSeverity(name); {
	case err != nil, s < rules.Info:
		return 0, fmt.Errorf("unknown severity %q: want error, warning or info", name)
	default:
		return s, nil
	}
}

// choose turns rules on and off.
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

// configure reads the options of rules.
func (p *Plugin) configure(settings map[string]map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		id, err := p.rule(name)
		if err != nil {
			return fmt.Errorf("rules: %w", err)
		}
		for _, flag := range slices.Sorted(maps.Keys(settings[name])) {
			switch v := settings[name][flag].(type) {
			case string, bool, float64: // what JSON has for the values of flags
				p.options[id+"."+flag] = fmt.Sprint(v)
			default:
				return fmt.Errorf("rules: %s: %s: want a text, a number, true or false", name, flag)
			}
		}
	}
	// Try them now: golangci-lint reports errors of New with the configuration.
	restore, err := analyzers.Set(p.options)
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	restore()
	return nil
}

// rule returns the ID of a rule for Go code.
func (p *Plugin) rule(name string) (string, error) {
	if id, ok := rules.Resolve(name); ok {
		if _, ok := p.on[id]; ok {
			return id, nil
		}
	}
	return "", fmt.Errorf("%q is not a rule for Go code: want one of %s", name, strings.Join(slices.Sorted(maps.Keys(p.on)), ", "))
}

// BuildAnalyzers returns the analyzers of the rules that are on. Their flags
// are those of the process: golangci-lint configures a plugin once.
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

// unusedsuppressionID is the rule whose analyzer depends on those that run.
const unusedsuppressionID = "unusedsuppression"

// GetLoadMode says that the rules need types.
func (p *Plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// adapt returns an analyzer that reports what golangci-lint can show. golangci-lint
// has no severity for a diagnostic, so that it is at the beginning of the message.
// golangci-lint applies every fix that it is given, and it makes a finding of its own of
// each related place.
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
