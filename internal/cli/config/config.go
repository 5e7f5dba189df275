// Package config parses .kubevet.yaml, the settings of a repository.
//
// The table in keys.go has all keys; the parser and the published JSON schema use
// it. The parser is strict: an unknown key, or a value of the wrong type, is an
// error with its place in the file.
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

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Config is a parsed configuration file. Fields that were not set are zero.
type Config struct {
	// File is the name of the file. Dir is the absolute path of its directory.
	File, Dir string
	// Tree is empty if the user named the file, and may say anything in it. For a file
	// that was found, it is the absolute path of its repository, or of its directory
	// without one: no file that the configuration names may lead out of it.
	Tree string
	// Target is the Kubernetes minor or range as written, such as "1.33" or
	// "1.31..1.37". The caller checks that it exists.
	Target string
	// TargetVersions are the versions of components to check for, as written, by
	// the component's name. The caller checks that they exist.
	TargetVersions map[string]string
	// FeatureGates and RuntimeConfig are switches by name. The caller checks that
	// the names exist.
	FeatureGates  map[string]bool
	RuntimeConfig map[string]bool
	// Rules are the settings per rule, by current ID.
	Rules map[string]Rule
	// Exclude are patterns of files to skip, relative to the directory of the
	// configuration file.
	Exclude []string
	// FailOn is "error", "warning", "info" or "never".
	FailOn string
	// FailOnUnchecked is nil if it is not set.
	FailOnUnchecked *bool
	// Baseline is the path of a baseline file, relative to the directory of
	// the configuration file.
	Baseline string
	// Embedded, ReleaseHistory and RequireReason are nil if they are not set.
	Embedded       *bool
	ReleaseHistory *bool
	// AdditionalVersions is a file, relative to the directory of the configuration
	// file.
	AdditionalVersions string
	// Scripts is nil if it is not set.
	Scripts        *bool
	KubectlVersion string
	RequireReason  *bool
	// Kustomize builds kustomizations; nil if it is not set.
	Kustomize *bool
	// LoadRestrictor is "rootonly" or "none".
	LoadRestrictor string
	// EnableHelm inflates the Helm charts of kustomizations; nil if it is not set.
	EnableHelm *bool
	// Helm renders Helm charts, CIValues also with the values files in them; nil if
	// they are not set.
	Helm     *bool
	CIValues *bool
	// Values are values files for charts, relative to the directory of the
	// configuration file. APIVersions are further APIs that charts find.
	Values      []string
	APIVersions []string
	// MaxDocumentSize is in bytes.
	MaxDocumentSize int64
	// Context and CRDs are files, directories and globs with objects that the
	// cluster has and with schemas, relative to the directory of the
	// configuration file. CRDs is the older name.
	Context, CRDs []string
	// Validate is "strict", "warn" or "ignore".
	Validate string
	// Notes are remarks that are not errors, such as a rule with a former name.
	Notes []string

	places map[string]place
}

// Rule is the setting of one rule; nil fields were not set.
type Rule struct {
	Enabled  *bool
	Severity *rules.Severity
	// Options are the rule's own options, as text. The caller checks that they
	// exist.
	Options map[string]string
}

type place struct{ line, column int }

// Error is one mistake in a configuration file.
type Error struct {
	// File is the name of the file.
	File string
	// Line and Column count from 1, columns in code points.
	Line, Column int
	// Key is the path of the key, such as rules.syntax.severity; empty for the whole
	// file.
	Key string
	// Text describes the mistake and the right form.
	Text string
}

// Error returns "file:line:column: key: text".
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: ", quote.Name(e.File), e.Line, e.Column)
	if e.Key != "" {
		s += quote.Name(e.Key) + ": "
	}
	return s + quote.Text(e.Text)
}

// Errorf returns an error about the value of a key, at its place in the file.
// Callers use it for values that Parse accepted. A key that is not in the file gets
// the file's first line.
func (c *Config) Errorf(key, format string, args ...any) *Error {
	at, ok := c.places[key]
	if !ok {
		at = place{1, 1}
	}
	return &Error{File: c.File, Line: at.line, Column: at.column, Key: key, Text: fmt.Sprintf(format, args...)}
}

// itemErrorf is Errorf for one item of a list.
func (c *Config) itemErrorf(key string, item int, format string, args ...any) *Error {
	e := c.Errorf(key, format, args...)
	if at, ok := c.places[itemKey(key, item)]; ok {
		e.Line, e.Column = at.line, at.column
	}
	return e
}

// itemKey is the key of an item of a list in Config.places.
func itemKey(key string, item int) string { return key + "[" + strconv.Itoa(item) + "]" }

// MaxSize is the maximal size of a configuration file.
const MaxSize = 1 << 20

// Parse parses a configuration. It returns all mistakes, joined with errors.Join in
// the order of the file, each an *Error. An empty file is an empty configuration.
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

// root returns the mapping at the top of the file; nil without one, which is a
// mistake unless the file is empty.
func (p *parser) root(data []byte) *yaml.Node {
	top := &yaml.Node{Line: 1, Column: 1}
	switch {
	case len(data) > MaxSize:
		p.errorf(top, "", "the configuration has more than %d bytes", MaxSize)
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
		p.errorf(&more, "", "a second document; a configuration has only one")
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

// syntax adds the place to an error of the YAML parser, "yaml: line N: what".
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

// is reports whether n is of the kind, and adds an error if not.
func (p *parser) is(n *yaml.Node, key string, kind yaml.Kind, want string) bool {
	if n.Kind == kind {
		return true
	}
	p.errorf(n, key, "want %s, not %s", want, what(n))
	return false
}

// mapping calls visit for each key of a mapping. It checks that keys are words and
// unique.
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

// what returns a description of a node for messages.
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

// clip shortens a value in a message.
func clip(s string) string {
	const limit = 60
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}
