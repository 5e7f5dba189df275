package programs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/components"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// fixTexts says what to do, for each category.
var fixTexts = map[string]string{
	"flag":   "Remove the flag, or replace it by its successor, before the program is upgraded.",
	"gate":   "Remove the feature gate from the configuration before the program is upgraded.",
	"config": "Change the file to a version and to fields that the program reads before it is upgraded.",
}

func (c *Check) flag(o *seen.Object, program, name, value string, at wire.Pos) {
	name = strings.ReplaceAll(name, "_", "-")
	c.flags++
	e, ok := components.Flag(program, name)
	if !ok {
		c.addUnknown(o, program+" --"+name, at)
		return
	}
	subject := program + " --" + name
	switch {
	case e.Gone()&c.minors() != 0:
		c.addRemoved(o, "flag", subject, program, e, at)
	case e.Deprecated()&c.minors() != 0:
		c.addDeprecated(o, "flag", subject, program, e, at)
	}
	switch {
	case name == "feature-gates":
		for setting := range strings.SplitSeq(value, ",") {
			if gate, on, ok := strings.Cut(setting, "="); ok {
				// A component with an emulated version has a prefix before the gate, as
				// in kube:Gate=true.
				_, plain, prefixed := strings.Cut(gate, ":")
				if !prefixed {
					plain = gate
				}
				c.gate(o, program, strings.TrimSpace(plain), strings.EqualFold(strings.TrimSpace(on), "true"), at)
			}
		}
	case program == "kube-apiserver" && (name == "enable-admission-plugins" || name == "disable-admission-plugins" || name == "admission-control"):
		for plugin := range strings.SplitSeq(value, ",") {
			c.plugin(o, strings.TrimSpace(plugin), at)
		}
	}
}

// addRemoved adds a fact for a setting that a release of the upgrade removes.
func (c *Check) addRemoved(o *seen.Object, category, subject, program string, e components.Entry, at wire.Pos) {
	gone := e.Gone()
	f := o.Fact(category, subject, at)
	f.Severity, f.Minors, f.Replacement, f.Reference = rules.Error, gone, fixTexts[category], e.Reference()
	last := e.Accepted.Newest()
	refuses := "does not start with"
	if program == "kubeadm" {
		refuses = "refuses a file with"
	}
	f.Text = fmt.Sprintf("%s %s %s %s", program, c.firstRefusal(gone), refuses, strings.TrimPrefix(subject, program+" "))
	if text := e.DeprecatedText(last); text != "" {
		f.Text += fmt.Sprintf(". %s %s warns: %q", program, last, strings.TrimSuffix(text, "."))
	} else {
		f.Text += fmt.Sprintf("; %s is the last release that accepts it", last)
	}
	c.add(f)
}

// addDeprecated adds a fact for a setting that a release deprecates.
func (c *Check) addDeprecated(o *seen.Object, category, subject, program string, e components.Entry, at wire.Pos) {
	f := o.Fact(category, subject, at)
	f.Severity, f.Minors, f.Replacement, f.Reference = rules.Warning, e.Deprecated(), fixTexts[category], e.Reference()
	since := e.Deprecated().Oldest()
	f.Text = fmt.Sprintf("since %s, %s calls it deprecated: %q", since, program, strings.TrimSuffix(e.DeprecatedText((e.Deprecated()&c.minors()).Newest()), "."))
	f.Planned = e.Gone().Oldest().String()
	c.add(f)
}

func (c *Check) plugin(o *seen.Object, name string, at wire.Pos) {
	if name == "" {
		return
	}
	e, ok := components.AdmissionPlugin(name)
	if !ok {
		c.addUnknown(o, "admission plugin "+name, at)
		return
	}
	if e.Gone()&c.minors() != 0 {
		c.addRemoved(o, "flag", "admission plugin "+name, "kube-apiserver", e, at)
	}
}

func (c *Check) gateMap(o *seen.Object, program string, gates *wire.Value) {
	for _, f := range gates.Entries() {
		text := f.Value.StringOr("")
		if f.Value != nil && f.Value.Kind == wire.Bool {
			text = f.Value.Text
		}
		c.gate(o, program, f.Name, strings.EqualFold(text, "true"), f.Pos)
	}
}

func (c *Check) gate(o *seen.Object, program, name string, on bool, at wire.Pos) {
	c.gates++
	if name == "AllAlpha" || name == "AllBeta" {
		return
	}
	f, known := Gate(c.versions, name, on)
	if !known {
		c.addUnknown(o, "feature gate "+name+" of "+program, at)
		return
	}
	if f.Minors == 0 {
		return
	}
	where := o.Fact("gate", f.Subject, at)
	f.Evidence, f.Ref = where.Evidence, where.Ref
	f.Evidence.Text = upgrade.SetFor + program
	c.add(f)
}

// Gate returns the fact for a feature gate in a configuration. on is the value that the
// configuration sets. If the upgrade does not change the effect, the fact has no Minors.
// known is false if no known release has the gate.
func Gate(way upgrade.Upgrade, name string, on bool) (f upgrade.Fact, known bool) {
	has := lifecycle.GateMinors(name)
	if has == 0 {
		return f, false
	}
	f = upgrade.Fact{
		Category: "gate", Subject: fmt.Sprintf("feature gate %s=%t", name, on), Replacement: fixTexts["gate"],
		Reference: gatePage(has),
	}
	span := lifecycle.Range{From: way.From, To: way.To}.Minors()
	locked, other := lifecycle.Minors(0), lifecycle.Minors(0)
	for m := range has.All() {
		g, _ := lifecycle.GateDefault(name, m)
		switch {
		case g.Default == on:
		case g.Locked:
			locked = locked.With(m)
		default:
			other = other.With(m)
		}
	}
	gone := lifecycle.Range{From: has.Newest() + 1, To: lifecycle.Newest}.Minors()
	refused := locked | gone
	before, _ := lifecycle.GateDefault(name, way.From)
	switch first := (refused & span).Oldest(); {
	case first == 0 && other&span != 0 && before.Default == on && before.Stage != 0:
		flips := (other & span).Oldest()
		f.Severity, f.Minors, f.Planned = rules.Warning, other&span, flips.String()
		f.Text = fmt.Sprintf("the default becomes %t in %s, and the setting keeps what was", !on, flips)
		if next := refused.Oldest(); next > way.To {
			f.Text += fmt.Sprintf("; %s refuses the setting", next)
		}
		f.Replacement = "Decide whether the new default fits, and remove the feature gate from the configuration if it does."
	case first == 0:
	case locked.Has(first):
		f.Severity, f.Minors = rules.Error, refused
		f.Text = fmt.Sprintf("programs of %s do not start with this setting: the release locks the feature gate to %t", first, !on)
	default:
		f.Severity, f.Minors = rules.Error, refused
		f.Text = fmt.Sprintf("programs of %s do not start with this feature gate; %s is the last release that has it", first, has.Newest())
	}
	return f, true
}

// gatePage returns the address of the Kubernetes page that lists a gate. has are the
// minors with the gate.
func gatePage(has lifecycle.Minors) string {
	const pages = "https://kubernetes.io/docs/reference/command-line-tools-reference/"
	if has.Has(lifecycle.Newest) {
		return pages + "feature-gates/"
	}
	return pages + "feature-gates-removed/"
}

// ignoreUnknownFields has the programs that only warn about unknown fields in their
// configuration files. Functions such as LoadKubeletConfig decode again without
// strictness and log a warning. kubeadm prints a warning.
var ignoreUnknownFields = []string{"kubelet", "kube-proxy", "kubeadm"}

// configFile checks the version and fields of a configuration file. within is the field
// that contains the file, or "" for a separate file.
func (c *Check) configFile(o *seen.Object, root *wire.Value, within string) {
	apiVersion, kind := root.Get("apiVersion"), root.Get("kind")
	config, ok := components.ConfigKind(apiVersion.StringOr(""), kind.StringOr(""))
	if !ok {
		return
	}
	c.files++
	subject := apiVersion.Text + " " + kind.Text
	if gone := config.Gone(); gone&c.minors() != 0 {
		f := o.Fact("config", subject, apiVersion.Pos)
		first := c.firstRefusal(gone)
		f.Severity, f.Minors, f.Replacement, f.Reference = rules.Error, gone, fixTexts["config"], config.Reference()
		f.Text = fmt.Sprintf("in %s, %s does not read this version; %s is the last that does", first, config.Component, config.Accepted.Newest())
		group, _, _ := strings.Cut(apiVersion.Text, "/")
		if now := components.ConfigVersions(group, kind.Text, first); len(now) > 0 {
			f.Text += fmt.Sprintf(", and %s reads %s", first, strings.Join(now, " and "))
		}
		c.add(f)
	} else if dep := config.Deprecated(); dep&c.minors() != 0 {
		f := o.Fact("config", subject, apiVersion.Pos)
		f.Severity, f.Minors, f.Replacement, f.Reference = rules.Warning, dep, fixTexts["config"], config.Reference()
		f.Text = fmt.Sprintf("since %s, %s calls this version deprecated", dep.Oldest(), config.Component)
		f.Planned = config.Gone().Oldest().String()
		c.add(f)
	}
	for _, field := range config.Fields {
		for _, at := range find(root, strings.Split(field.Path, ".")) {
			c.field(o, &config, subject, within, field, at)
		}
	}
	switch kind.Text {
	case "KubeletConfiguration", "KubeProxyConfiguration":
		c.gateMap(o, config.Component, root.Get("featureGates"))
	}
}

// field adds a fact for a field that a later release does not have.
func (c *Check) field(o *seen.Object, config *components.Config, subject, within string, field components.Field, at wire.Pos) {
	last := field.Accepted.Newest()
	gone := config.Accepted &^ lifecycle.Range{From: 1, To: last}.Minors()
	ignored := slices.Contains(ignoreUnknownFields, config.Component)
	if gone&c.minors() == 0 || ignored && gone.Has(c.versions.From) {
		return // no release of the upgrade refuses the field
	}
	f := o.Fact("config", subject+" "+field.Path, at)
	f.Severity, f.Minors, f.Replacement, f.Reference = rules.Error, gone, fixTexts["config"], config.Reference()
	first := c.firstRefusal(gone)
	f.Text = fmt.Sprintf("in %s, %s refuses the field; %s is the last that has it", first, config.Component, last)
	if ignored {
		f.Severity, f.Planned = rules.Warning, first.String()
		f.Text = fmt.Sprintf("in %s, %s ignores the field; %s is the last that has it", first, config.Component, last)
	}
	f.Evidence.Text = within
	c.add(f)
}

// find returns the positions of a field. In lists on the path, it searches all items.
func find(v *wire.Value, path []string) (all []wire.Pos) {
	if v != nil && v.Kind == wire.List {
		for _, item := range v.Items {
			all = append(all, find(item, path)...)
		}
		return all
	}
	f := v.Field(path[0])
	switch {
	case f == nil:
		return nil
	case len(path) == 1:
		return []wire.Pos{f.Pos}
	}
	return find(f.Value, path[1:])
}

// maxFacts is the maximal number of facts in memory.
const maxFacts = 100_000

func (c *Check) add(f upgrade.Fact) {
	if len(c.facts) < maxFacts {
		c.facts = append(c.facts, f)
	}
}
