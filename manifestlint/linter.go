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

// ruleUnknownKind is the ID of a rule that a check implements. The linter uses
// it too, for documents without a kind or API version.
const ruleUnknownKind = "unknownkind"

// OwnRules returns the IDs of the rules that the linter implements itself.
func OwnRules() []string { return []string{ruleDuplicate, ruleSyntax, ruleSuppression} }

// Options configure a Linter. The zero value has no checks and no minors.
type Options struct {
	// Target has the Kubernetes releases for which objects are checked.
	Target lifecycle.Target
	// Checks are called for each object in this order, which is also the order of
	// findings.
	Checks []Check
	// Enabled reports whether a rule is enabled; nil enables all rules.
	Enabled func(rule string) bool
	// Severity has the severity of each rule. A missing rule has the severity
	// Preview.
	Severity map[string]rules.Severity
	// Embedded also checks manifests in strings of ConfigMaps, Secrets and custom
	// resources.
	Embedded bool
	// ReleaseHistory also checks revisions of Helm releases that were replaced.
	// Their findings are marked as history.
	ReleaseHistory bool
	// Fixes adds a fix to each finding, or a note why there is none.
	Fixes bool
	// FixEdits also computes the edits of each fix. Without it, a fix has only a
	// description.
	FixEdits bool
	// RequireReason reports suppressions without a reason.
	RequireReason bool
	// MaxDocument is the largest document that is checked, in bytes; 0 means
	// DefaultMaxDocument. A larger document makes the run incomplete.
	MaxDocument int
	// Workers is the number of goroutines; 0 means one per processor.
	Workers int
	// NewReader returns a Reader for one worker; nil reads inputs with Open.
	NewReader func() Reader
	// Old returns the stored object that an object in an input updates; nil if
	// the object is new. It is called from several goroutines. If Old is nil, all
	// objects are new.
	Old func(input string, o *Object) *wire.Value
	// Described reports whether a schema of a custom resource is known. Objects
	// without a schema count as not checked. Described is called from several
	// goroutines. If Described is nil, no schemas are known.
	Described func(o *Object) bool
	// Validation is how the server handles unknown fields.
	Validation apiserver.FieldValidation
	// Each is called for each event, from several goroutines and in any order; it
	// may be nil. The function that Each returns, if any, is called in the order
	// of the inputs, in the goroutine that calls emit. An error of that function
	// ends the run.
	Each func(Event) func(Event) error
	// Mentioning has words; nil for none. A document without any of these words
	// is counted, but not parsed.
	Mentioning []string
	// NoScripts disables the checks of shell text in scripts and in YAML.
	NoScripts bool
	// Kubectl are the releases of kubectl for which scripts are checked. The zero
	// Range means the newest known release.
	Kubectl lifecycle.Range
}

// DefaultMaxDocument is ten times the size of a request that a kube-apiserver
// accepts, in bytes.
const DefaultMaxDocument = 32 << 20

// Linter checks inputs. It is immutable and safe for concurrent use.
type Linter struct {
	opts     Options
	enabled  map[string]bool // rules that can have findings in this run
	mentions [][]byte
	// readScripts is set if shell text is checked. manifestLinter checks the
	// manifests that shell text passes to kubectl.
	readScripts    bool
	manifestLinter *Linter
}

// New returns a Linter with these options.
func New(opts Options) *Linter {
	if opts.MaxDocument <= 0 {
		opts.MaxDocument = DefaultMaxDocument
	}
	l := &Linter{opts: opts, enabled: map[string]bool{}}
	for _, r := range OwnRules() {
		l.enabled[r] = opts.Enabled == nil || opts.Enabled(r)
	}
	l.opts.Checks = slices.DeleteFunc(slices.Clone(l.opts.Checks), func(c Check) bool {
		return opts.Enabled != nil && !slices.ContainsFunc(c.Rules(), opts.Enabled)
	})
	for i := range l.opts.Checks {
		for _, rule := range l.opts.Checks[i].Rules() {
			l.enabled[rule] = opts.Enabled == nil || opts.Enabled(rule)
		}
	}
	for _, word := range opts.Mentioning {
		l.mentions = append(l.mentions, []byte(word))
	}
	l.setUpScripts()
	return l
}

// canValidate reports whether an object can be checked with a schema, or has
// only metadata, which needs no schema.
func (l *Linter) canValidate(o *Object) bool {
	return o.Known || o.Reading == ReadMetadata || l.opts.Described != nil && l.opts.Described(o)
}

// isMentioned reports whether a text contains a word of Options.Mentioning.
func (l *Linter) isMentioned(text []byte) bool {
	return l.mentions == nil || slices.ContainsFunc(l.mentions, func(word []byte) bool { return bytes.Contains(text, word) })
}

// Bytes checks an input whose text is in memory.
func (l *Linter) Bytes(name string, data []byte) ([]rules.Finding, *rules.Summary) {
	sum := rules.NewSummary()
	sum.Target = l.opts.Target.String()
	sum.Files = 1
	sum.Bytes = int64(len(data))
	r := &result{}
	newChecker(l).checkText(&Input{Name: name, Script: scripts.LanguageOf(path.Base(name)).Named()}, document.Decode(data), r)
	r.addTo(sum)
	for _, f := range r.findings {
		sum.Findings[f.Rule]++
	}
	return r.findings, sum
}
