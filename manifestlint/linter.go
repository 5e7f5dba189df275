package manifestlint

import (
	"bytes"
	"path"
	"slices"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// IDs of the rules that the linter implements itself.
const (
	ruleSyntax      = "syntax"
	ruleDuplicate   = "duplicatekey"
	ruleSuppression = "unusedsuppression"
)

// ruleUnknownKind is the ID of a check's rule. The linter itself reports documents
// without a kind or API version under it.
const ruleUnknownKind = "unknownkind"

// OwnRules returns the IDs of the rules that the linter implements itself.
func OwnRules() []string { return []string{ruleDuplicate, ruleSyntax, ruleSuppression} }

// Options configure a Linter.
type Options struct {
	// Target is the cluster that objects are checked against.
	Target lifecycle.Target
	// Checks run in this order on every object, which is the order of
	// findings.
	Checks []Check
	// Enabled reports whether a rule is enabled; nil: all are.
	Enabled func(rule string) bool
	// Severity is the severity of each rule; a rule that is absent has
	// Preview.
	Severity map[string]rules.Severity
	// Embedded also checks manifests in strings of ConfigMaps, Secrets and
	// custom resources.
	Embedded bool
	// ReleaseHistory also checks replaced revisions of Helm releases, as
	// history.
	ReleaseHistory bool
	// Fixes adds to findings the fixes that checks know, or a note why there
	// is none.
	Fixes bool
	// FixEdits also computes the edits of fixes; without it, a fix has only a
	// description.
	FixEdits bool
	// RequireReason reports suppressions without a reason.
	RequireReason bool
	// MaxDocument is the size in bytes above which a document is not checked
	// and the run is incomplete; 0 means DefaultMaxDocument.
	MaxDocument int
	// Workers is the number of goroutines; 0 means one per processor.
	Workers int
	// NewReader returns a worker's reader of whole inputs; nil: they are read
	// with Open.
	NewReader func() Reader
	// Old returns the stored object that an object of an input updates, or nil
	// if it is new. It is called from several goroutines. nil: all objects are
	// new.
	Old func(input string, o *Object) *wire.Value
	// Described reports whether there is a schema of a custom resource. Objects of
	// kinds without a schema are counted as not checked. It is called from several
	// goroutines. nil: there are no schemas of custom resources.
	Described func(o *Object) bool
	// Validation is how the server treats unknown fields.
	Validation apiserver.FieldValidation
	// Each, if not nil, is called for every event, from several goroutines
	// and in no order. If it returns a function, that is called in the order
	// of the inputs, from emit's goroutine; its error ends the run.
	Each func(Event) func(Event) error
	// Mentioning, if not nil, limits the run to documents whose bytes contain
	// one of these words. The others are counted, but not parsed.
	Mentioning []string
	// NoScripts does not read the shell text in scripts and in YAML.
	NoScripts bool
	// Kubectl are the releases of kubectl that scripts are checked against;
	// the zero Range means the newest known one.
	Kubectl lifecycle.Range
}

// DefaultMaxDocument is ten times what a kube-apiserver accepts in a request.
const DefaultMaxDocument = 32 << 20

// Linter checks inputs. It is immutable and safe for concurrent use.
type Linter struct {
	opts   Options
	active map[string]bool // rules that can report in this run
	// mentions are the words of Options.Mentioning.
	mentions [][]byte
	// readScripts reports whether scripts are read. inner checks the manifests
	// that they pass to kubectl.
	readScripts bool
	inner       *Linter
}

// New returns a Linter.
func New(opts Options) *Linter {
	if opts.MaxDocument <= 0 {
		opts.MaxDocument = DefaultMaxDocument
	}
	l := &Linter{opts: opts, active: map[string]bool{}}
	for _, r := range OwnRules() {
		l.active[r] = opts.Enabled == nil || opts.Enabled(r)
	}
	l.opts.Checks = slices.DeleteFunc(slices.Clone(l.opts.Checks), func(c Check) bool {
		return opts.Enabled != nil && !slices.ContainsFunc(c.Rules(), opts.Enabled)
	})
	for i := range l.opts.Checks {
		for _, rule := range l.opts.Checks[i].Rules() {
			l.active[rule] = opts.Enabled == nil || opts.Enabled(rule)
		}
	}
	for _, word := range opts.Mentioning {
		l.mentions = append(l.mentions, []byte(word))
	}
	l.scripts()
	return l
}

// hasSchema reports whether an object can be checked by its kind. The metadata of
// an object, read without the rest, need no schema.
func (l *Linter) hasSchema(o *Object) bool {
	return o.Known || o.Reading == ReadMetadata || l.opts.Described != nil && l.opts.Described(o)
}

// wants reports whether a text may have something to check: see
// Options.Mentioning.
func (l *Linter) wants(text []byte) bool {
	return l.mentions == nil || slices.ContainsFunc(l.mentions, func(word []byte) bool { return bytes.Contains(text, word) })
}

// Bytes checks one input in memory.
func (l *Linter) Bytes(name string, data []byte) ([]rules.Finding, *rules.Summary) {
	sum := rules.NewSummary()
	sum.Target = l.opts.Target.String()
	sum.Files = 1
	sum.Bytes = int64(len(data))
	r := &result{}
	newChecker(l).whole(&Input{Name: name, Script: scripts.LanguageOf(path.Base(name)).Named()}, document.Decode(data), r)
	r.addTo(sum)
	for _, f := range r.findings {
		sum.Findings[f.Rule]++
	}
	return r.findings, sum
}
