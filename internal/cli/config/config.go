// Package config parses .kubevet.yaml, the settings of a repository.
//
// The table in keys.go has all keys. The parser and the published JSON schema use this
// table. The parser is strict: an unknown key, or a value of the wrong type, is an error
// with its position in the file.
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

// Config is a parsed configuration file. A field is zero if the file does not set it.
type Config struct {
	// File is the name of the file, as the user would type it. Dir is the absolute path
	// of its directory.
	File, Dir string
	// Tree limits the files that the configuration may name. It is empty, and sets no
	// limit, if the user named the configuration with a flag. Otherwise it is the
	// absolute path of the configuration's repository, or of its directory outside a
	// repository. No file name in the configuration may lead out of Tree.
	Tree string
	// Target is the text of the file: a Kubernetes minor such as "1.33", or a range such
	// as "1.31..1.37". The caller checks that the minors exist.
	Target string
	// TargetVersions has the versions of components to check for, by the name of the
	// component. The caller checks names and versions.
	TargetVersions map[string]string
	// FeatureGates and RuntimeConfig have the feature gates and APIs to switch on (true)
	// or off (false). The caller checks that the names exist.
	FeatureGates  map[string]bool
	RuntimeConfig map[string]bool
	// Rules has the settings of the rules. Keys are current IDs, even for a former ID in
	// the file.
	Rules map[string]Rule
	// Exclude has the patterns of files to skip, relative to the directory of the
	// configuration file.
	Exclude []string
	// FailOn is "error", "warning", "info" or "never".
	FailOn string
	// FailOnUnchecked is nil if the file does not set it.
	FailOnUnchecked *bool
	// Baseline is the path of a baseline file, relative to the directory of
	// the configuration file.
	Baseline string
	// Embedded, ReleaseHistory and RequireReason are nil if the file does not set them.
	Embedded       *bool
	ReleaseHistory *bool
	// AdditionalVersions is the path of a file with further API versions, relative to the
	// directory of the configuration file.
	AdditionalVersions string
	// Scripts is nil if the file does not set it.
	Scripts        *bool
	KubectlVersion string
	RequireReason  *bool
	// Kustomize is true if kustomizations are built. It is nil if the file does not set
	// it.
	Kustomize *bool
	// LoadRestrictor is "rootonly" or "none".
	LoadRestrictor string
	// EnableHelm is true if the Helm charts in kustomizations are rendered. It is nil if
	// the file does not set it.
	EnableHelm *bool
	// Helm is true if Helm charts are rendered. CIValues is true if they are also
	// rendered with the values files of their ci directory. Both are nil if the file does
	// not set them.
	Helm     *bool
	CIValues *bool
	// Values has values files for charts, relative to the directory of the configuration
	// file. APIVersions has further API versions for .Capabilities in charts.
	Values      []string
	APIVersions []string
	// MaxDocumentSize is the maximal size of a document in bytes. 0 means that the file
	// does not set it.
	MaxDocumentSize int64
	// Context and CRDs have files, directories and globs, relative to the directory of
	// the configuration file. Their objects and schemas exist in the cluster. CRDs is the
	// older key for Context.
	Context, CRDs []string
	// Validate is "strict", "warn" or "ignore".
	Validate string
	// Notes are remarks that are not errors, such as the use of a former rule ID.
	Notes []string

	places map[string]place
}

// Rule has the settings of one rule. Fields that the file does not set are nil.
type Rule struct {
	Enabled  *bool
	Severity *rules.Severity
	// Options has the rule's own options and their values as text. The caller checks that
	// the options exist.
	Options map[string]string
}

type place struct{ line, column int }

// Error is one mistake in a configuration file.
type Error struct {
	// File is the name of the configuration file.
	File string
	// Line and Column are the position of the mistake. Both count from 1. Column counts
	// code points.
	Line, Column int
	// Key is the path of the key, such as rules.syntax.severity. It is empty if the
	// mistake concerns the whole file.
	Key string
	// Text says what is wrong and what is expected.
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

// Errorf returns an error about the value of a key, with its position in the file. It is
// for values that Parse accepts and the caller refuses. For a key that is not in the
// file, the position is the first line.
func (c *Config) Errorf(key, format string, args ...any) *Error {
	at, ok := c.places[key]
	if !ok {
		at = place{1, 1}
	}
	return &Error{File: c.File, Line: at.line, Column: at.column, Key: key, Text: fmt.Sprintf(format, args...)}
}

// itemErrorf is like Errorf, but for one item of a list.
func (c *Config) itemErrorf(key string, item int, format string, args ...any) *Error {
	e := c.Errorf(key, format, args...)
	if at, ok := c.places[itemKey(key, item)]; ok {
		e.Line, e.Column = at.line, at.column
	}
	return e
}

// itemKey returns the key in Config.places for one item of a list.
func itemKey(key string, item int) string { return key + "[" + strconv.Itoa(item) + "]" }

// MaxSize is the maximal size of a configuration file in bytes (1 MiB).
const MaxSize = 1 << 20

// Parse parses a configuration. The error joins all mistakes, each an *Error, in the
// order of the file. An empty file is an empty configuration.
func Parse(file string, data []byte) (*Config, error) {
	c := &Config{File: file, places: map[string]place{}}
	p := &parser{config: c}
	if root := p.root(data); root != nil {
		p.mapping("", root, func(name string, key, value *yaml.Node) {
			i := slices.IndexFunc(keys, func(k setting) bool { return k.name == name })
			if i < 0 {
				p.unknownKey("", key, keyNames())
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

// parser parses the nodes of a configuration and collects the mistakes.
type parser struct {
	config *Config
	errs   []*Error
}

func (p *parser) errorf(n *yaml.Node, key, format string, args ...any) {
	p.errs = append(p.errs, &Error{p.config.File, max(n.Line, 1), max(n.Column, 1), key, fmt.Sprintf(format, args...)})
}

// root returns the mapping at the top of the file. For a file without a mapping, it
// returns nil and, unless the file is empty, adds an error.
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
	if !p.requireKind(root, "", yaml.MappingNode, "keys and values") {
		return nil
	}
	return root
}

// syntax adds an error of the YAML parser. Its text has the form "yaml: line N: what".
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

// requireKind reports whether the node n has the kind. Otherwise it adds an error with
// the text want.
func (p *parser) requireKind(n *yaml.Node, key string, kind yaml.Kind, want string) bool {
	if n.Kind == kind {
		return true
	}
	p.errorf(n, key, "want %s, not %s", want, describeNode(n))
	return false
}

// mapping calls visit for each key of a mapping. It adds an error for a key that is not a
// word or occurs twice.
func (p *parser) mapping(path string, n *yaml.Node, visit func(name string, key, value *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" || key.ShortTag() == "!!null" {
			p.errorf(key, path, "a key must be a word, not %s", describeNode(key))
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

func (p *parser) unknownKey(path string, key *yaml.Node, known []string) {
	p.errorf(key, join(path, key.Value), "unknown key%s", hint(key.Value, known))
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// describeNode returns a text for messages, such as "a list".
func describeNode(n *yaml.Node) string {
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
		return strconv.Quote(shorten(n.Value))
	}
	return shorten(n.Value)
}

// shorten returns at most 60 characters of a value for a message.
func shorten(s string) string {
	const limit = 60
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}
