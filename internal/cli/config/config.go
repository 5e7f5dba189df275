// Package config reads .kubevet.yaml, the settings that a repository keeps
// for its own manifests.
//
// One table, in keys.go, says which keys there are; the parser and the
// published JSON schema are both made from it. The parser is strict: a key
// that it does not know, or a value of the wrong type, is an error with its
// place in the file, because a setting that is silently ignored is worse than
// none.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Config is what a configuration file says. A zero field was not set.
type Config struct {
	// File is the file's name as it was given to Parse.
	File string
	// Target is the Kubernetes minor or range as written, such as "1.33" or
	// "1.31..1.37". That it exists is for the caller to find out.
	Target string
	// FeatureGates and RuntimeConfig are switches by name; whether the names
	// exist is for the caller to find out.
	FeatureGates  map[string]bool
	RuntimeConfig map[string]bool
	// Rules are the settings per rule. Its keys are present rule IDs.
	Rules map[string]Rule
	// Exclude are patterns of files to leave out, relative to the directory
	// of the configuration file.
	Exclude []string
	// FailOn is "error", "warning" or "never".
	FailOn string
	// Baseline is the path of a baseline file, relative to the directory of
	// the configuration file.
	Baseline string
	// Embedded, ReleaseHistory and RequireReason are nil where they are not set.
	Embedded       *bool
	ReleaseHistory *bool
	// AdditionalVersions is a file as written, relative to the directory of
	// File.
	AdditionalVersions string
	// Scripts is nil where it is not set, KubectlVersion empty.
	Scripts        *bool
	KubectlVersion string
	RequireReason  *bool
	// Kustomize builds kustomizations; nil where it is not set.
	Kustomize *bool
	// LoadRestrictor is "rootonly" or "none".
	LoadRestrictor string
	// EnableHelm inflates the Helm charts of kustomizations; nil where it is
	// not set.
	EnableHelm *bool
	// Helm renders Helm charts, CIValues with the values that they bring, too;
	// nil where they are not set.
	Helm     *bool
	CIValues *bool
	// Values are files with values for charts, relative to the directory of the
	// configuration file; APIVersions further APIs that charts see.
	Values      []string
	APIVersions []string
	// MaxDocumentSize is in bytes.
	MaxDocumentSize int64
	// CRDs are files, directories and globs, relative to the directory of the
	// configuration file, whose custom resource definitions are known.
	CRDs []string
	// Validate is "strict", "warn" or "ignore".
	Validate string
	// Notes are remarks for the user that are no errors, such as a rule that
	// is set by a former name.
	Notes []string

	places map[string]place
}

// Rule is what a configuration says of one rule; nil fields were not set.
type Rule struct {
	Enabled  *bool
	Severity *rules.Severity
	// Options are the rule's own settings, as text. Whether it has such is for
	// the caller to find out.
	Options map[string]string
}

type place struct{ line, column int }

// Error is one mistake in a configuration file.
type Error struct {
	// File is the file's name as it was given to Parse.
	File string
	// Line and Column count from 1, columns in code points.
	Line, Column int
	// Key is the path of the key, such as rules.syntax.severity; empty where
	// the file as a whole is meant.
	Key string
	// Text says what is wrong and what would be right.
	Text string
}

// Error gives "file:line:column: key: text".
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
	if e.Key != "" {
		s += e.Key + ": "
	}
	return s + e.Text
}

// Errorf is an error about the value of a key, at its place in the file. It is
// for callers that find a value to be wrong after Parse accepted its form. A
// key that the file does not have gets the file's first line.
func (c *Config) Errorf(key, format string, args ...any) *Error {
	at, ok := c.places[key]
	if !ok {
		at = place{1, 1}
	}
	return &Error{File: c.File, Line: at.line, Column: at.column, Key: key, Text: fmt.Sprintf(format, args...)}
}

// maxSize bounds what is read of a configuration file.
const maxSize = 1 << 20

// Parse reads a configuration. On mistakes it returns all of them, joined with
// errors.Join in the order of the file, each an *Error. An empty file is an
// empty configuration.
func Parse(file string, data []byte) (*Config, error) {
	c := &Config{File: file, places: map[string]place{}}
	p := &parser{config: c}
	if root := p.root(data); root != nil {
		p.mapping("", root, func(name string, key, value *yaml.Node) {
			i := slices.IndexFunc(keys, func(k setting) bool { return k.name == name })
			if i < 0 {
				p.unknown("", key, keyNames())
				return
			}
			c.places[name] = place{value.Line, value.Column}
			keys[i].set(p, name, value)
		})
	}
	if len(p.errs) > 0 {
		slices.SortStableFunc(p.errs, func(a, b *Error) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		joined := make([]error, len(p.errs))
		for i, e := range p.errs {
			joined[i] = e
		}
		return nil, errors.Join(joined...)
	}
	return c, nil
}

// parser walks the nodes of a configuration and collects the mistakes.
type parser struct {
	config *Config
	errs   []*Error
}

func (p *parser) errorf(n *yaml.Node, key, format string, args ...any) {
	p.errs = append(p.errs, &Error{p.config.File, max(n.Line, 1), max(n.Column, 1), key, fmt.Sprintf(format, args...)})
}

// root returns the mapping at the top of the file; nil when there is none,
// which is a mistake unless the file is empty.
func (p *parser) root(data []byte) *yaml.Node {
	top := &yaml.Node{Line: 1, Column: 1}
	switch {
	case len(data) > maxSize:
		p.errorf(top, "", "a configuration of more than %d bytes", maxSize)
		return nil
	case !utf8.Valid(data):
		p.errorf(top, "", "the file is not UTF-8 text")
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		p.syntax(err)
		return nil
	}
	switch err := decoder.Decode(&more); {
	case err == nil:
		p.errorf(&more, "", "a second document; a configuration is one")
		return nil
	case !errors.Is(err, io.EOF):
		p.syntax(err)
		return nil
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" {
		return nil
	}
	if !p.is(root, "", yaml.MappingNode, "keys and values") {
		return nil
	}
	return root
}

// syntax turns an error of the YAML parser, which is "yaml: line N: what", into
// one with its place.
func (p *parser) syntax(err error) {
	text, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if number, what, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				text, line = what, n
			}
		}
	}
	p.errorf(&yaml.Node{Line: line, Column: 1}, "", "not YAML: %s", text)
}

// is reports whether n is of the kind, and says what it is instead if not.
func (p *parser) is(n *yaml.Node, key string, kind yaml.Kind, want string) bool {
	if n.Kind == kind {
		return true
	}
	p.errorf(n, key, "want %s, not %s", want, what(n))
	return false
}

// mapping calls visit for each key of a mapping, after it has checked that the
// keys are words and none is there twice.
func (p *parser) mapping(path string, n *yaml.Node, visit func(name string, key, value *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" || key.ShortTag() == "!!null" {
			p.errorf(key, path, "a key must be a word, not %s", what(key))
			continue
		}
		if line, ok := seen[key.Value]; ok {
			p.errorf(key, join(path, key.Value), "set before, on line %d", line)
			continue
		}
		seen[key.Value] = key.Line
		visit(key.Value, key, value)
	}
}

func (p *parser) unknown(path string, key *yaml.Node, known []string) {
	p.errorf(key, join(path, key.Value), "unknown key%s", hint(key.Value, known))
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// what names a node for a message.
func what(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias (write the value out)"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!merge":
		return "a merge key (write the keys out)"
	case "!!str":
		return strconv.Quote(clip(n.Value))
	}
	return clip(n.Value)
}

// clip keeps a value in a message short.
func clip(s string) string {
	const limit = 60
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}
