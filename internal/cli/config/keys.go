package config

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/nearest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// setting describes one key of a configuration: its name, its documentation, its schema
// and its parser.
type setting struct {
	name, doc string
	schema    func() *fragment
	set       func(p *parser, path string, n *yaml.Node)
}

// flagKey returns the setting of a key whose value is true or false.
func flagKey(name, doc string, field func(*Config) **bool) setting {
	return setting{name, doc, boolean, func(p *parser, path string, n *yaml.Node) { *field(p.config) = p.boolean(path, n) }}
}

// wordKey returns the setting of a key whose value is one of the words.
func wordKey(name, doc string, words []string, field func(*Config) *string) setting {
	return setting{name, doc,
		func() *fragment { return &fragment{Enum: anys(words...)} },
		func(p *parser, path string, n *yaml.Node) { *field(p.config) = p.word(path, n, words) },
	}
}

// fileKey returns the setting of a key whose value is the name of a file.
func fileKey(name, doc string, field func(*Config) *string) setting {
	return setting{name, doc, nonempty, func(p *parser, path string, n *yaml.Node) {
		*field(p.config), _ = p.text(path, n, "the name of a file")
	}}
}

// listKey returns the setting of a key whose value is a list of strings. item and list
// are texts for messages, such as "a path" and "a list of paths".
func listKey(name, doc, item, list string, field func(*Config) *[]string) setting {
	return setting{name, doc,
		func() *fragment { return &fragment{Type: types("array"), Items: nonempty()} },
		func(p *parser, path string, n *yaml.Node) {
			*field(p.config) = p.texts(path, n, item, list)
			p.boundAlternatives(path, n)
		},
	}
}

// versionKey returns the setting of a key whose value is a version or a range. It keeps
// the text of the file, so that 1.30 does not become the number 1.3.
func versionKey(name, doc, want string, field func(*Config) *string) setting {
	return setting{name, doc,
		func() *fragment { return &fragment{Type: types("string", "number"), Pattern: `^\S+$`} },
		func(p *parser, path string, n *yaml.Node) {
			tag := n.ShortTag()
			if n.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!float" && tag != "!!int" || n.Value == "" || strings.ContainsAny(n.Value, " \t\r\n") {
				p.errorf(n, path, `want %s such as "1.33", or a range such as "1.31..1.37", not %s`, want, describeNode(n))
				return
			}
			*field(p.config) = n.Value
		},
	}
}

// keys has all keys of a configuration, in the order of the schema and the documentation.
var keys = []setting{
	versionKey("target",
		"The Kubernetes minor, or range of minors, to check for: 1.33, or 1.31..1.37. Quote it: an unquoted 1.30 is the number 1.3 to many YAML readers.",
		"a Kubernetes minor", func(c *Config) *string { return &c.Target }),
	{
		name: "targetVersions",
		doc:  "The versions to check for of projects with custom resources, such as {cert-manager: \"1.18\"}, and of components in additionalVersions. Quote them.",
		schema: func() *fragment {
			return &fragment{Type: types("object"), Names: &fragment{Pattern: `^\S+$`}, Additional: &fragment{Type: types("string", "number"), Pattern: `^\S+$`}}
		},
		set: setTargetVersions,
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
	listKey("exclude",
		"Files and directories to skip: glob patterns relative to this file's directory. ** matches any directories; a pattern without a slash matches names at any depth; a trailing slash matches directories only.",
		"a pattern", "a list of patterns", func(c *Config) *[]string { return &c.Exclude }),
	listKey("context",
		"Files, directories and globs, relative to this file's directory, with objects that the cluster has: custom resource definitions, namespaces, webhook configurations, admission policies with their bindings and parameters, and schemas as for crds. They are not checked themselves, must be in the repository, and nothing is downloaded.",
		"a path", "a list of paths", func(c *Config) *[]string { return &c.Context }),
	listKey("crds",
		"The older name of context: files, directories and globs, relative to this file's directory, with the custom resource definitions that the cluster has, or schemas of them: JSON Schema files as for kubeconform, such as a checkout of CRDs-catalog, and OpenAPI documents of a cluster. A path may have kubeconform's variables, such as {{ .Group }}. They are not checked themselves, must be in the repository, and nothing is downloaded.",
		"a path", "a list of paths", func(c *Config) *[]string { return &c.CRDs }),
	wordKey("validate",
		"What the server does about unknown and repeated fields: refuse the object, warn, or ignore them.",
		ValidateWords(), func(c *Config) *string { return &c.Validate }),
	wordKey("failOn", "The lowest severity that makes the exit status 1.",
		FailOnWords(), func(c *Config) *string { return &c.FailOn }),
	flagKey("failOnUnchecked", "Make the exit status 1 if objects without a schema were not checked.",
		func(c *Config) **bool { return &c.FailOnUnchecked }),
	fileKey("baseline", "A baseline file, relative to this file's directory and in the repository, with findings that are not reported.",
		func(c *Config) *string { return &c.Baseline }),
	flagKey("embedded", "Also check manifests that are embedded in ConfigMaps, Secrets and custom resources.",
		func(c *Config) **bool { return &c.Embedded }),
	fileKey("additionalVersions",
		"A file, relative to this file's directory and in the repository, with further deprecated API versions, in the format of pluto's --additional-versions.",
		func(c *Config) *string { return &c.AdditionalVersions }),
	flagKey("scripts", "Also check shell scripts, Makefiles, Dockerfiles, Markdown and shell text in YAML; true by default.",
		func(c *Config) **bool { return &c.Scripts }),
	versionKey("kubectlVersion",
		"The version of the kubectl, or range of versions, that runs scripts: 1.33, or 1.16..1.37. Quote it, like target.",
		"a version of kubectl", func(c *Config) *string { return &c.KubectlVersion }),
	flagKey("releaseHistory", "Also check superseded revisions of stored Helm releases.",
		func(c *Config) **bool { return &c.ReleaseHistory }),
	flagKey("kustomize", "Build kustomizations and check their output; true by default.",
		func(c *Config) **bool { return &c.Kustomize }),
	wordKey("loadRestrictor", "Which files a kustomization may name: those in and below its directory, or any. Only a configuration that --config names may say none.",
		LoadRestrictorWords(), func(c *Config) *string { return &c.LoadRestrictor }),
	flagKey("enableHelm", "Inflate local Helm charts of kustomizations.",
		func(c *Config) **bool { return &c.EnableHelm }),
	flagKey("helm", "Render Helm charts and check their output; true by default.",
		func(c *Config) **bool { return &c.Helm }),
	listKey("values", "Files with values for Helm charts, relative to this file's directory and in the repository.",
		"a file", "a list of files", func(c *Config) *[]string { return &c.Values }),
	flagKey("ciValues", "Also render each Helm chart with each of its ci/*-values.yaml and values*.yaml, and with their combinations.",
		func(c *Config) **bool { return &c.CIValues }),
	listKey("apiVersions", "APIs that Helm charts find in the cluster besides those of the target: example.com/v1, example.com/v1/Kind.",
		"an API", "a list of APIs", func(c *Config) *[]string { return &c.APIVersions }),
	flagKey("requireReason", "Report kubevet:ignore comments without a reason.",
		func(c *Config) **bool { return &c.RequireReason }),
	{
		name: "maxDocumentSize",
		doc:  "Documents above this size are skipped and make the run incomplete: bytes, or a number with Ki, Mi, Gi, k, M or G. Only a configuration that --config names may set more than 32Mi.",
		schema: func() *fragment {
			return &fragment{AnyOf: []*fragment{
				{Type: types("integer"), Minimum: 1, Maximum: maxParsed},
				{Type: types("string"), Pattern: sizePattern},
			}}
		},
		set: setMaxDocumentSize,
	},
}

func keyNames() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// ValidateWords returns the values of the key validate. kubectl --validate has the same
// values.
func ValidateWords() []string { return []string{"strict", "warn", "ignore"} }

// LoadRestrictorWords returns the values of the key loadRestrictor. They mean the same as
// in kustomize.
func LoadRestrictorWords() []string { return []string{"rootonly", "none"} }

// FailOnWords returns the values of the key failOn.
func FailOnWords() []string { return []string{"error", "warning", "info", "never"} }

// ruleWords returns the words that a rule may have instead of a mapping, such as "off".
func ruleWords() []string { return append([]string{"off", "on"}, severityWords()...) }

func severityWords() []string {
	return []string{rules.Error.String(), rules.Warning.String(), rules.Info.String(), rules.Preview.String()}
}

// isGate reports whether s consists of letters and digits, like the name of a feature
// gate.
func isGate(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) && (s[0] < '0' || s[0] > '9')
}

// isAPI reports whether s can be before the "=" in --runtime-config.
func isAPI(s string) bool { return s != "" && !strings.ContainsAny(s, "=, \t\r\n\f\v") }

func setMaxDocumentSize(p *parser, path string, n *yaml.Node) {
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!int" {
		p.errorf(n, path, "want a size such as 32Mi, not %s", describeNode(n))
		return
	}
	size, err := ParseSize(n.Value)
	if err != nil {
		p.errorf(n, path, "%v", err)
		return
	}
	p.config.MaxDocumentSize = size
}

func setTargetVersions(p *parser, path string, n *yaml.Node) {
	if !p.requireKind(n, path, yaml.MappingNode, "a mapping of components to versions") {
		return
	}
	p.config.TargetVersions = map[string]string{}
	p.mapping(path, n, func(name string, key, value *yaml.Node) {
		tag := value.ShortTag()
		switch {
		case name == "k8s":
			p.errorf(key, path, "k8s is the key target of this file")
		case name == "" || strings.ContainsAny(name, " \t\r\n"):
			p.errorf(key, path, "%q cannot be a component", shorten(name))
		case value.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!float" && tag != "!!int" || value.Value == "" || strings.ContainsAny(value.Value, " \t\r\n"):
			p.errorf(value, join(path, name), "want a version such as \"1.18\", not %s", describeNode(value))
		default:
			p.config.places[join(path, name)] = place{value.Line, value.Column}
			p.config.TargetVersions[name] = value.Value
		}
	})
}

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
			p.errorf(item, path, "want API=true or API=false, not %s", describeNode(item))
			continue
		}
		p.config.places[join(path, api)] = place{item.Line, item.Column}
		p.config.RuntimeConfig[api] = value != "false"
	}
}

func setRules(p *parser, path string, n *yaml.Node) {
	if !p.requireKind(n, path, yaml.MappingNode, "a mapping of rule IDs to settings") {
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

// rule parses the setting of one rule, a word or a mapping.
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
				p.unknownKey(path, key, []string{"enabled", "severity", "options"})
			}
		})
		return r
	}
	// YAML 1.1 parses off and on as booleans.
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
		// A severity also enables the rule.
		severity, _ := rules.ParseSeverity(word)
		enabled := true
		r.Enabled, r.Severity = &enabled, &severity
	}
	return r
}

// options parses the options of a rule, a mapping from names to texts, numbers or
// booleans.
func (p *parser) options(path string, n *yaml.Node) map[string]string {
	if !p.requireKind(n, path, yaml.MappingNode, "a mapping of the rule's options to values") {
		return nil
	}
	values := map[string]string{}
	p.mapping(path, n, func(name string, key, value *yaml.Node) {
		if value.Kind != yaml.ScalarNode || value.ShortTag() == "!!null" {
			p.errorf(value, join(path, name), "want a word, a number, true or false, not %s", describeNode(value))
			return
		}
		values[name] = value.Value
		if value.ShortTag() == "!!bool" {
			values[name] = strings.ToLower(value.Value)
		}
	})
	return values
}

// boolean parses true or false. For any other value it adds an error and returns nil.
func (p *parser) boolean(path string, n *yaml.Node) *bool {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		p.errorf(n, path, "want true or false, not %s", describeNode(n))
		return nil
	}
	value := strings.EqualFold(n.Value, "true")
	return &value
}

// text parses a string that is not empty. For any other value it adds an error and
// returns false.
func (p *parser) text(path string, n *yaml.Node, want string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" || n.Value == "" {
		p.errorf(n, path, "want %s, not %s", want, describeNode(n))
		return "", false
	}
	return n.Value, true
}

// texts parses a list of strings that are not empty. one and many describe the item and
// the list in messages.
func (p *parser) texts(path string, n *yaml.Node, one, many string) []string {
	if !p.requireKind(n, path, yaml.SequenceNode, many) {
		return nil
	}
	var all []string
	for _, item := range n.Content {
		if s, ok := p.text(path, item, one); ok {
			p.config.places[itemKey(path, len(all))] = place{item.Line, item.Column}
			all = append(all, s)
		}
	}
	return all
}

// word parses one of the words. For any other value it adds an error and returns "".
func (p *parser) word(path string, n *yaml.Node, words []string) string {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && slices.Contains(words, n.Value) {
		return n.Value
	}
	p.errorf(n, path, "want %s, not %s%s", OneOf(words), describeNode(n), hint(n.Value, words))
	return ""
}

// switches parses a mapping from names to booleans. valid reports whether a name is
// allowed.
func (p *parser) switches(path string, n *yaml.Node, want string, valid func(string) bool) map[string]bool {
	if !p.requireKind(n, path, yaml.MappingNode, want) {
		return nil
	}
	values := map[string]bool{}
	p.mapping(path, n, func(name string, key, value *yaml.Node) {
		if !valid(name) {
			p.errorf(key, path, "want %s; %q cannot be a name", want, shorten(name))
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

// OneOf joins words for a message, such as "a, b or c".
func OneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
