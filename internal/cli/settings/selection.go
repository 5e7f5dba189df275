package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/nearest"
)

// SurfaceRules returns the rules of a surface (manifests or Go code), sorted by ID.
func SurfaceRules(s rules.Surface) []rules.Rule {
	return slices.DeleteFunc(rules.Catalogue(), func(r rules.Rule) bool { return !r.On(s) })
}

// surfaceNames are the names of surfaces in messages.
var surfaceNames = map[rules.Surface]string{
	rules.SurfaceManifest: "manifests",
	rules.SurfaceGo:       "Go code",
}

// allRules is the word for every rule in --enable and --disable.
const allRules = "all"

// chooseRules decides which rules run. The configuration overrides the defaults of the
// catalogue, and the flags override both. In a flag, the name of a rule overrides "all".
// In strict mode, every rule is on by default.
func (s *Settings) chooseRules(f *Flags, c *config.Config, strict bool) error {
	enable, err := s.ruleList("--enable", f.enable)
	if err != nil {
		return err
	}
	disable, err := s.ruleList("--disable", f.Disable)
	if err != nil {
		return err
	}
	for id := range enable {
		if disable[id] {
			return fmt.Errorf("--enable and --disable both name %s", id)
		}
	}
	s.Enabled, s.Severity = map[string]bool{}, map[string]rules.Severity{}
	some := false
	for _, r := range SurfaceRules(s.Surface) {
		on, severity := r.Default || strict, r.Severity
		configured := c.Rules[r.ID]
		if configured.Enabled != nil {
			on = *configured.Enabled
		}
		if configured.Severity != nil {
			severity = *configured.Severity
		}
		switch {
		case enable[r.ID]:
			on = true
		case disable[r.ID]:
			on = false
		case enable[allRules]:
			on = true
		case disable[allRules]:
			on = false
		}
		some = some || on
		s.Enabled[r.ID], s.Severity[r.ID] = on, severity
	}
	if !some {
		return errors.New("no rule is left to run: --enable one, or switch one on in the configuration")
	}
	return nil
}

// ruleList returns the rules that --enable or --disable names. The keys are current IDs,
// even for former IDs.
func (s *Settings) ruleList(flag string, values []string) (map[string]bool, error) {
	list := map[string]bool{}
	for _, name := range values {
		name = strings.TrimSpace(name)
		switch id, ok := rules.Resolve(name); {
		case name == "":
			return nil, fmt.Errorf("%s: empty rule ID", flag)
		case name == allRules:
			list[allRules] = true
		case !ok:
			return nil, UnknownRule(flag+": ", name)
		default:
			if r, _ := rules.Lookup(id); !r.On(s.Surface) {
				return nil, fmt.Errorf("%s: rule %s is not about %s", flag, id, surfaceNames[s.Surface])
			}
			if id != name {
				s.Notes = append(s.Notes, fmt.Sprintf("%s: rule %s is now called %s", flag, name, id))
			}
			list[id] = true
		}
	}
	return list, nil
}

// UnknownRule returns the error for an unknown rule. It suggests a similar ID.
func UnknownRule(prefix, name string) error {
	var ids []string
	for _, r := range rules.Catalogue() {
		ids = append(ids, r.ID)
	}
	question := nearest.Question(name, ids)
	if question == "" {
		question = "; 'kubevet rules' lists them"
	}
	return fmt.Errorf("%sunknown rule %q%s", prefix, name, question)
}

func (s *Settings) chooseFailOn(f *Flags, c *config.Config) error {
	word := f.FailOn
	switch {
	case f.warningsAsErrors && f.Set("fail-on") && f.FailOn != "warning":
		return fmt.Errorf("--warnings-as-errors and --fail-on %s exclude each other", f.FailOn)
	case f.warningsAsErrors:
		word = "warning"
	case !f.Set("fail-on") && c.FailOn != "":
		word = c.FailOn
	}
	switch word {
	case "error":
		s.FailOn, s.Fails = rules.Error, true
	case "warning":
		s.FailOn, s.Fails = rules.Warning, true
	case "info":
		s.FailOn, s.Fails = rules.Info, true
	case "never":
	default:
		return fmt.Errorf("unknown --fail-on %q: want %s%s", word, config.OneOf(config.FailOnWords()), nearest.Question(word, config.FailOnWords()))
	}
	return nil
}
