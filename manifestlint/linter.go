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

// ruleUnknownKind is the ID of a rule that a check implements. The linter also
// reports documents without a kind or API version under this rule.
const ruleUnknownKind = "unknownkind"

// OwnRules returns the IDs of the rules that the linter implements itself.
func OwnRules() []string { return []string{ruleDuplicate, ruleSyntax, ruleSuppression} }

// Options configure a Linter.
type Options struct {
	// Target has the Kubernetes releases for which objects are checked.
	Target lifecycle.Target
	// Checks are called for each object in this order, which is also the order
	// of findings.
	Checks []Check
	// Enabled reports whether a rule is enabled. If it is nil, all rules are
	// enabled.
	Enabled func(rule string) bool
	// Severity has the severity of each rule. A missing rule has the severity
	// Preview.
	Severity map[string]rules.Severity
	// Embedded also checks manifests in strings of ConfigMaps, Secrets and
	// custom resources.
	Embedded bool
	// ReleaseHistory also checks revisions of Helm releases that were replaced.
	// Their findings are marked as history.
	ReleaseHistory bool
	// Fixes adds a fix to each finding, or a note why there is none.
	Fixes bool
	// FixEdits also computes the edits of each fix. Without it, a fix has only
	// a description.
	FixEdits bool
	// RequireReason reports suppressions without a reason.
	RequireReason bool
	// MaxDocument is the largest document that is checked, in bytes; 0 means
	// DefaultMaxDocument. A larger document makes the run incomplete.
	MaxDocument int
	// Workers is the number of goroutines; 0 means one per processor.
	Workers int
	// NewReader returns a Reader for one worker. If it is nil, inputs are read
	// with Open.
	NewReader func() Reader
	// Old returns the stored object that an object in an input updates; nil if
	// the object is new. It is called from several goroutines. If it is nil,
	// all objects are new.
	Old func(input string, o *Object) *wire.Value
	// Described reports whether a schema of a custom resource is known. Objects
	// without a schema count as not checked. Described is called from several
	// goroutines. If it is nil, no schemas are known.
	Described func(o *Object) bool
	// Validation says how the server handles unknown fields.
	Validation apiserver.FieldValidation
	// Each, if not nil, is called for each event. It is called from several
	// goroutines and in any order. The function that it returns, if any, is
	// called in the order of the inputs, in the goroutine that calls emit. An
	// error of that function ends the run.
	Each func(Event) func(Event) error
	// Mentioning, if not nil, has words. A document without any of these words
	// is counted, but not parsed.
	Mentioning []string
	// NoScripts disables the checks of shell text in scripts and in YAML.
	NoScripts bool
	// Kubectl are the releases of kubectl for which scripts are checked. The
	// zero Range means the newest known release.
	Kubectl lifecycle.Range
}

// DefaultMaxDocument is ten times the size of a request that a kube-apiserver
// accepts, in bytes.
const DefaultMaxDocument = 32 << 20

// Linter checks inputs. It is immutable and safe for concurrent use.
type Linter struct {
	opts   Options
	active map[string]bool // rules that can have findings in this run
	// mentions are the words of Options.Mentioning.
	mentions [][]byte
	// readScripts reports whether shell text is checked. inner checks the
	// manifests that shell text passes to kubectl.
	readScripts bool
	inner       *Linter
}

// New returns a Linter with these options.
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

// hasSchema reports whether an object can be checked with a schema. It returns
// true for an object of which only the metadata was read, because metadata
// needs no schema.
func (l *Linter) hasSchema(o *Object) bool {
	return o.Known || o.Reading == ReadMetadata || l.opts.Described != nil && l.opts.Described(o)
}

// wants reports whether a text contains a word of Options.Mentioning.
func (l *Linter) wants(text []byte) bool {
	return l.mentions == nil || slices.ContainsFunc(l.mentions, func(word []byte) bool { return bytes.Contains(text, word) })
}

// Bytes checks an input whose text is in memory.
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
