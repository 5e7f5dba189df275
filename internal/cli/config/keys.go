package config

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/nearest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// setting is one key of a configuration: how it is read, and what the schema says
// of it.
type setting struct {
	name, doc string
	schema    func() *fragment
	set       func(p *parser, path string, n *yaml.Node)
}

// keys are the keys of a configuration in the order in which the schema and
// the documentation name them.
var keys = []setting{
	{
		name:   "target",
		doc:    "The Kubernetes minor, or range of minors, to judge against: 1.33, or 1.31..1.37. Quote it: an unquoted 1.30 is the number 1.3 to many YAML readers.",
		schema: func() *fragment { return &fragment{Type: types("string", "number"), Pattern: `^\S+$`} },
		set: func(p *parser, path string, n *yaml.Node) {
			// The text is taken as it is written, so that 1.30 stays 1.30.
			tag := n.ShortTag()
			if n.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!float" && tag != "!!int" || n.Value == "" || strings.ContainsAny(n.Value, " \t\r\n") {
				p.errorf(n, path, `want a Kubernetes minor such as "1.33", or a range such as "1.31..1.37", not %s`, what(n))
				return
			}
			p.config.Target = n.Value
		},
	},
	{
		name:   "featureGates",
		doc:    "Feature gates of the API server that differ from the target's defaults.",
		schema: func() *fragment { return switches("^[A-Za-z][A-Za-z0-9]*$") },
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.FeatureGates = p.switches(path, n, "a mapping of feature gates to true or false", isGate)
		},
	},
	{
		name: "runtimeConfig",
		doc:  "APIs that are enabled or disabled, as in kube-apiserver's --runtime-config: a mapping such as {resource.k8s.io/v1beta1: true}, or a list such as [api/beta=true].",
		schema: func() *fragment {
			return &fragment{AnyOf: []*fragment{
				switches(`^[^\s=,]+$`),
				{Type: types("array"), Items: &fragment{Type: types("string"), Pattern: `^[^\s=,]+(=(true|false))?$`}},
			}}
		},
		set: setRuntimeConfig,
	},
	{
		name:   "rules",
		doc:    "Rules by ID: off, on, a severity, or both in full.",
		schema: rulesSchema,
		set:    setRules,
	},
	{
		name: "exclude",
		doc:  "Files and directories to leave out: glob patterns relative to this file's directory. ** matches any directories; a pattern without a slash matches names at any depth; a trailing slash matches directories only.",
		schema: func() *fragment {
			return &fragment{Type: types("array"), Items: &fragment{Type: types("string"), MinLength: 1}}
		},
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.Exclude = p.texts(path, n, "a pattern", "a list of patterns")
		},
	},
	{
		name: "crds",
		doc:  "Files, directories and globs, relative to this file's directory, with the custom resource definitions that the cluster has. They are not judged themselves.",
		schema: func() *fragment {
			return &fragment{Type: types("array"), Items: &fragment{Type: types("string"), MinLength: 1}}
		},
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.CRDs = p.texts(path, n, "a path", "a list of paths")
		},
	},
	{
		name:   "validate",
		doc:    "What the server makes of fields that it does not know, and of repeated ones: refuse the object, warn, or ignore them.",
		schema: func() *fragment { return &fragment{Enum: anys(ValidateWords()...)} },
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.Validate = p.word(path, n, ValidateWords())
		},
	},
	{
		name:   "failOn",
		doc:    "The weakest severity that makes the exit status 1.",
		schema: func() *fragment { return &fragment{Enum: anys(FailOnWords()...)} },
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.FailOn = p.word(path, n, FailOnWords())
		},
	},
	{
		name:   "baseline",
		doc:    "A baseline file, relative to this file's directory: findings that it remembers are not reported.",
		schema: func() *fragment { return &fragment{Type: types("string"), MinLength: 1} },
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.Baseline, _ = p.text(path, n, "the name of a file")
		},
	},
	{
		name:   "embedded",
		doc:    "Also judge manifests that are embedded in ConfigMaps, Secrets and custom resources.",
		schema: boolean,
		set:    func(p *parser, path string, n *yaml.Node) { p.config.Embedded = p.boolean(path, n) },
	},
	{
		name:   "additionalVersions",
		doc:    "A file, relative to this file's directory, with further deprecated API versions, in the format of pluto's --additional-versions.",
		schema: func() *fragment { return &fragment{Type: types("string"), MinLength: 1} },
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.AdditionalVersions, _ = p.text(path, n, "the name of a file")
		},
	},
	{
		name:   "scripts",
		doc:    "Also read shell scripts, Makefiles, Dockerfiles, Markdown and the shell text in YAML; on unless it is false.",
		schema: boolean,
		set:    func(p *parser, path string, n *yaml.Node) { p.config.Scripts = p.boolean(path, n) },
	},
	{
		name:   "kubectlVersion",
		doc:    "The version of kubectl, or range of versions, that runs the scripts: 1.33, or 1.16..1.37. Quote it, as target.",
		schema: func() *fragment { return &fragment{Type: types("string", "number"), Pattern: `^\S+$`} },
		set: func(p *parser, path string, n *yaml.Node) {
			tag := n.ShortTag()
			if n.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!float" && tag != "!!int" || n.Value == "" || strings.ContainsAny(n.Value, " \t\r\n") {
				p.errorf(n, path, `want a version of kubectl such as "1.33", or a range such as "1.31..1.37", not %s`, what(n))
				return
			}
			p.config.KubectlVersion = n.Value
		},
	},
	{
		name:   "releaseHistory",
		doc:    "Also judge the revisions of stored Helm releases that others have replaced, as history.",
		schema: boolean,
		set:    func(p *parser, path string, n *yaml.Node) { p.config.ReleaseHistory = p.boolean(path, n) },
	},
	{
		name:   "kustomize",
		doc:    "Build directories with a kustomization and judge what comes out; true unless it is set.",
		schema: boolean,
		set:    func(p *parser, path string, n *yaml.Node) { p.config.Kustomize = p.boolean(path, n) },
	},
	{
		name:   "loadRestrictor",
		doc:    "Which files a kustomization may name: those in and below its directory, or any.",
		schema: func() *fragment { return &fragment{Enum: anys(LoadRestrictorWords()...)} },
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.LoadRestrictor = p.word(path, n, LoadRestrictorWords())
		},
	},
	{
		name:   "enableHelm",
		doc:    "Inflate the local Helm charts that kustomizations name.",
		schema: boolean,
		set:    func(p *parser, path string, n *yaml.Node) { p.config.EnableHelm = p.boolean(path, n) },
	},
	{
		name:   "helm",
		doc:    "Render Helm charts and judge what comes out; true unless it is set.",
		schema: boolean,
		set:    func(p *parser, path string, n *yaml.Node) { p.config.Helm = p.boolean(path, n) },
	},
	{
		name: "values",
		doc:  "Files with values to render Helm charts with, relative to this file's directory.",
		schema: func() *fragment {
			return &fragment{Type: types("array"), Items: &fragment{Type: types("string"), MinLength: 1}}
		},
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.Values = p.texts(path, n, "a file", "a list of files")
		},
	},
	{
		name:   "ciValues",
		doc:    "Also render each Helm chart with each of its ci/*-values.yaml and values*.yaml, and with their combinations.",
		schema: boolean,
		set:    func(p *parser, path string, n *yaml.Node) { p.config.CIValues = p.boolean(path, n) },
	},
	{
		name: "apiVersions",
		doc:  "APIs that Helm charts see in the cluster besides those of the target: example.com/v1, example.com/v1/Kind.",
		schema: func() *fragment {
			return &fragment{Type: types("array"), Items: &fragment{Type: types("string"), MinLength: 1}}
		},
		set: func(p *parser, path string, n *yaml.Node) {
			p.config.APIVersions = p.texts(path, n, "an API", "a list of APIs")
		},
	},
	{
		name:   "requireReason",
		doc:    "Report a kubevet:ignore comment that gives no reason.",
		schema: boolean,
		set:    func(p *parser, path string, n *yaml.Node) { p.config.RequireReason = p.boolean(path, n) },
	},
	{
		name: "maxDocumentSize",
		doc:  "The size above which a document is not judged and the run counts as incomplete: bytes, or a number with Ki, Mi, Gi, k, M or G.",
		schema: func() *fragment {
			return &fragment{AnyOf: []*fragment{
				{Type: types("integer"), Minimum: 1, Maximum: MaxSize},
				{Type: types("string"), Pattern: sizePattern},
			}}
		},
		set: func(p *parser, path string, n *yaml.Node) {
			tag := n.ShortTag()
			if n.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!int" {
				p.errorf(n, path, "want a size such as 32Mi, not %s", what(n))
				return
			}
			size, err := ParseSize(n.Value)
			if err != nil {
				p.errorf(n, path, "%v", err)
				return
			}
			p.config.MaxDocumentSize = size
		},
	},
}

func keyNames() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// ValidateWords are the values of validate, kubectl's.
func ValidateWords() []string { return []string{"strict", "warn", "ignore"} }

// LoadRestrictorWords are the values of loadRestrictor.
func LoadRestrictorWords() []string { return []string{"rootonly", "none"} }

// FailOnWords are the values of failOn, strictest last but one.
func FailOnWords() []string { return []string{"error", "warning", "never"} }

// ruleWords are the short forms of a rule's setting.
func ruleWords() []string { return append([]string{"off", "on"}, severityWords()...) }

func severityWords() []string {
	return []string{rules.Error.String(), rules.Warning.String(), rules.Info.String(), rules.Preview.String()}
}

// isGate reports whether s has the form of a feature gate's name.
func isGate(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) && (s[0] < '0' || s[0] > '9')
}

// isAPI reports whether s can stand left of the = in --runtime-config.
func isAPI(s string) bool { return s != "" && !strings.ContainsAny(s, "=, \t\r\n\f\v") }

func setRuntimeConfig(p *parser, path string, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		p.config.RuntimeConfig = p.switches(path, n, "a mapping of APIs to true or false, or a list of API=true", isAPI)
		return
	}
	p.config.RuntimeConfig = map[string]bool{}
	for _, item := range n.Content {
		s, ok := p.text(path, item, "API=true or API=false")
		if !ok {
			continue
		}
		api, value, set := strings.Cut(s, "=")
		if !isAPI(api) || set && value != "true" && value != "false" {
			p.errorf(item, path, "want API=true or API=false, not %s", what(item))
			continue
		}
		p.config.places[join(path, api)] = place{item.Line, item.Column}
		p.config.RuntimeConfig[api] = value != "false"
	}
}

func setRules(p *parser, path string, n *yaml.Node) {
	if !p.is(n, path, yaml.MappingNode, "a mapping of rule IDs to settings") {
		return
	}
	p.config.Rules = map[string]Rule{}
	p.mapping(path, n, func(name string, key, value *yaml.Node) {
		id, ok := rules.Resolve(name)
		if !ok {
			p.errorf(key, join(path, name), "unknown rule%s", hint(name, ruleIDs()))
			return
		}
		if id != name {
			p.config.Notes = append(p.config.Notes, p.config.File+": rule "+name+" is now called "+id)
		}
		if _, twice := p.config.Rules[id]; twice {
			p.errorf(key, join(path, name), "the rule %s is set before, by its other name", id)
			return
		}
		p.config.places[join(path, id)] = place{key.Line, key.Column}
		p.config.Rules[id] = p.rule(join(path, name), value)
	})
}

// rule reads the setting of one rule, short or in full.
func (p *parser) rule(path string, n *yaml.Node) Rule {
	var r Rule
	if n.Kind == yaml.MappingNode {
		p.mapping(path, n, func(name string, key, value *yaml.Node) {
			switch name {
			case "enabled":
				r.Enabled = p.boolean(join(path, name), value)
			case "severity":
				if word := p.word(join(path, name), value, severityWords()); word != "" {
					severity, _ := rules.ParseSeverity(word)
					r.Severity = &severity
				}
			case "options":
				r.Options = p.options(join(path, name), value)
			default:
				p.unknown(path, key, []string{"enabled", "severity", "options"})
			}
		})
		return r
	}
	// YAML 1.1 readers take off and on for booleans, so both spellings are
	// taken for the same.
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" {
		r.Enabled = p.boolean(path, n)
		return r
	}
	switch word := p.word(path, n, ruleWords()); word {
	case "":
	case "off", "on":
		enabled := word == "on"
		r.Enabled = &enabled
	default:
		// A rule whose severity is set is wanted.
		severity, _ := rules.ParseSeverity(word)
		enabled := true
		r.Enabled, r.Severity = &enabled, &severity
	}
	return r
}

// options reads the settings that a rule has of its own: names with a text, a
// number or a boolean each.
func (p *parser) options(path string, n *yaml.Node) map[string]string {
	if !p.is(n, path, yaml.MappingNode, "a mapping of the rule's options to values") {
		return nil
	}
	values := map[string]string{}
	p.mapping(path, n, func(name string, key, value *yaml.Node) {
		if value.Kind != yaml.ScalarNode || value.ShortTag() == "!!null" {
			p.errorf(value, join(path, name), "want a word, a number, true or false, not %s", what(value))
			return
		}
		values[name] = value.Value
		if value.ShortTag() == "!!bool" {
			values[name] = strings.ToLower(value.Value)
		}
	})
	return values
}

// boolean reads true or false; nil after a mistake.
func (p *parser) boolean(path string, n *yaml.Node) *bool {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		p.errorf(n, path, "want true or false, not %s", what(n))
		return nil
	}
	value := strings.EqualFold(n.Value, "true")
	return &value
}

// text reads a string that is not empty.
func (p *parser) text(path string, n *yaml.Node, want string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" || n.Value == "" {
		p.errorf(n, path, "want %s, not %s", want, what(n))
		return "", false
	}
	return n.Value, true
}

// texts reads a list of strings that are not empty.
func (p *parser) texts(path string, n *yaml.Node, one, many string) []string {
	if !p.is(n, path, yaml.SequenceNode, many) {
		return nil
	}
	var all []string
	for _, item := range n.Content {
		if s, ok := p.text(path, item, one); ok {
			all = append(all, s)
		}
	}
	return all
}

// word reads one of the words; "" after a mistake.
func (p *parser) word(path string, n *yaml.Node, words []string) string {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && slices.Contains(words, n.Value) {
		return n.Value
	}
	p.errorf(n, path, "want %s, not %s%s", OneOf(words), what(n), hint(n.Value, words))
	return ""
}

// switches reads a mapping of names to booleans.
func (p *parser) switches(path string, n *yaml.Node, want string, valid func(string) bool) map[string]bool {
	if !p.is(n, path, yaml.MappingNode, want) {
		return nil
	}
	values := map[string]bool{}
	p.mapping(path, n, func(name string, key, value *yaml.Node) {
		if !valid(name) {
			p.errorf(key, path, "want %s; %q cannot be a name", want, clip(name))
			return
		}
		if b := p.boolean(join(path, name), value); b != nil {
			p.config.places[join(path, name)] = place{key.Line, key.Column}
			values[name] = *b
		}
	})
	return values
}

func ruleIDs() []string {
	var ids []string
	for _, r := range rules.Catalogue() {
		ids = append(ids, r.ID)
	}
	return ids
}

func hint(word string, known []string) string { return nearest.Question(word, known) }

// OneOf lists words for a message: "a, b or c".
func OneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
