package manifestlint

import (
	"io"
	"slices"

	"github.com/kubevet/kubevet/manifestlint/script"
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

// OwnRules lists the rules that the linter implements itself rather than by a
// Check.
func OwnRules() []string { return []string{ruleDuplicate, ruleSyntax, ruleSuppression} }

// Options configure a Linter.
type Options struct {
	// Target is the cluster that objects are judged against.
	Target lifecycle.Target
	// Checks run in this order on every object; it is the order of findings.
	Checks []Check
	// Enabled says which rules report; nil: all do.
	Enabled func(rule string) bool
	// Severity is each rule's; a rule that is absent has Preview.
	Severity map[string]rules.Severity
	// Embedded also judges manifests that stand in strings of ConfigMaps,
	// Secrets and custom resources.
	Embedded bool
	// ReleaseHistory also judges the revisions of Helm releases that others have
	// replaced, as history.
	ReleaseHistory bool
	// Fixes gives findings the fixes that checks know, and notes why there is
	// none.
	Fixes bool
	// FixEdits also makes the edits of fixes, which takes as long again as to know
	// what is to be done; without them a fix only says that.
	FixEdits bool
	// RequireReason reports suppressions that give no reason.
	RequireReason bool
	// MaxDocument is the size in bytes above which a document is not judged
	// and the run is incomplete; 0 stands for DefaultMaxDocument.
	MaxDocument int
	// ParseAll parses every document, needed or not. Findings are the same;
	// it is there to prove that.
	ParseAll bool
	// Workers is how many goroutines judge; 0 stands for one per processor.
	Workers int
	// NewReader makes a worker's way of reading whole inputs; nil: by Open.
	NewReader func() Reader
	// Old gives the stored object that an object of an input updates, or nil if
	// it is new: see Stored. It is called from several goroutines, for objects
	// whose body was parsed. nil: all objects are new.
	Old func(input string, o *Object) *wire.Value
	// Validation is what becomes of fields that the server does not know.
	Validation apiserver.FieldValidation
	// Each, if not nil, is called for everything that the linter comes to, from
	// several goroutines and in no order. What it returns, unless nil, is
	// called in the order of the inputs, from emit's goroutine; its error ends
	// the run.
	Each func(Event) func(Event) error
	// Bodies parses the body of every object, for Each.
	Bodies bool
	// NoScripts leaves the shell text in scripts and in YAML alone.
	NoScripts bool
	// Kubectl are the releases of kubectl that scripts are judged against; the
	// zero Range is the newest that is known.
	Kubectl lifecycle.Range
}

// DefaultMaxDocument is ten times what a kube-apiserver accepts in a request.
const DefaultMaxDocument = 32 << 20

// Input is one file, or another stream of documents.
type Input struct {
	// Name is shown in findings: the path as the user would type it.
	Name string
	// Open opens it for reading from the start.
	Open func() (io.ReadCloser, error)
	// Partial, if not empty, says what uses the input as partial objects,
	// such as the kustomization that patches with it. Its documents are
	// checked for syntax and not judged as objects.
	Partial string
	// Rendered, if not empty, says what renders the input's objects, such as
	// the kustomization that builds with them: they are judged there, and the
	// documents here are checked for syntax only.
	Rendered string
	// Used, if not nil, is told of the kubevet:ignore comments, by line and
	// rule, that suppress something in a Partial or Rendered input, of which
	// the linter cannot say that a comment is not needed. It is called from
	// several goroutines.
	Used func(line int, rule string)
	// Unfinished, if not empty, says what completes the input's objects before
	// a server sees them, such as the kustomization beside them: what is
	// missing in them may come from there.
	Unfinished string
	// Template, if not empty, is the Helm chart whose templates/ directory
	// holds the file: documents with markup in them are templates even where
	// they happen to parse.
	Template string
	// Target, if not nil, is what the input is judged against instead of the
	// linter's: a part of its range, as of a chart that renders otherwise for
	// some minors.
	Target *lifecycle.Target
	// Reading says whether the objects are as somebody wrote them; the zero
	// value, that they are.
	Reading Reading
	// Trace, if not nil, says of an input that was rendered from other files
	// where a finding belongs: it moves it from its place in the rendered text
	// to the place that somebody can edit, and reports whether it stays, which
	// it does not where a comment there suppresses it. It is called from
	// several goroutines.
	Trace func(*rules.Finding) bool
	// Scripted says of an input with Trace that the shell text in it is judged
	// nowhere else, as that of a chart's templates; the zero value, that it is
	// judged where it is written.
	Scripted bool
	// Script says how shell text is found in an input that is a script; the
	// zero value is for manifests, which may have some, too.
	Script script.Language
	// Source, if not nil, gives the text of a file that Trace leads to, so that
	// what is found can be fixed there. It is called from several goroutines.
	Source func(name string) ([]byte, error)
	// Handle is for the Reader.
	Handle any
}

// Reading is how an input came to its objects.
type Reading uint8

// Ways to come to objects.
const (
	// Written objects stand in files, as somebody wrote or saved them.
	Written Reading = iota
	// Read objects were read from a cluster for this run. Whoever read them
	// chose their version, so that it says nothing of those who wrote them.
	Read
	// ReadMetadata is Read, and of the objects there is nothing but metadata.
	ReadMetadata
)

// Reader reads whole inputs for one worker.
type Reader interface {
	// Read gives an input's content, valid until the next Read. An input of
	// more than limit bytes gives ErrLarge.
	Read(in Input, limit int64) ([]byte, error)
	Close() error
}

// Linter judges inputs. It is immutable and safe for concurrent use.
type Linter struct {
	opts      Options
	active    map[string]bool // rules that can report in this run
	triggers  triggerSet
	waiting   []waiting
	bits      []uint64 // of the lists that each of the checks waits for
	parseBody bool     // some check wants every body
	gather    *wanted
	releases  uint64 // the bits of the keys that a Helm release has
	byHead    bool   // some check tells by the head alone whether it wants the body
	eager     bool   // some check wants the bodies of all objects of some kinds
	once      bool   // objects can be judged before those that they are judged by are known
	limits    surveyLimits
	// readScripts is set where shell text is read; inner judges what that hands
	// to kubectl, and partly that of which a part is not known.
	readScripts   bool
	inner, partly *Linter
}

// waiting is a check that waits for triggers: for one of each of its lists,
// which have a bit each.
type waiting struct {
	check *Check
	bits  uint64
}

// New makes a Linter.
func New(opts Options) *Linter {
	if opts.MaxDocument <= 0 {
		opts.MaxDocument = DefaultMaxDocument
	}
	l := &Linter{opts: opts, active: map[string]bool{}, parseBody: opts.Bodies, limits: surveyLimits{surveyedBlocks, surveyedFindings}}
	for _, r := range OwnRules() {
		l.active[r] = opts.Enabled == nil || opts.Enabled(r)
	}
	lists := 0
	l.opts.Checks = slices.DeleteFunc(slices.Clone(l.opts.Checks), func(c Check) bool {
		return opts.Enabled != nil && !slices.ContainsFunc(c.Rules(), opts.Enabled)
	})
	l.bits = make([]uint64, len(l.opts.Checks))
	l.once = opts.Each == nil && opts.Old == nil && ReadsOnce(l.opts.Checks, opts.Enabled)
	for i := range l.opts.Checks {
		c := &l.opts.Checks[i]
		for _, rule := range c.Rules() {
			l.active[rule] = l.opts.Enabled == nil || l.opts.Enabled(rule)
		}
		if c.Body == nil {
			continue
		}
		if c.Triggers == nil {
			l.parseBody = true
			continue
		}
		w := waiting{check: c}
		for _, list := range c.Triggers(opts.Target) {
			for _, t := range list {
				l.triggers.add(lists, t.Key, t.Value)
			}
			w.bits |= 1 << lists
			lists++
		}
		l.bits[i] = w.bits
		l.byHead = l.byHead || w.bits == 0
		l.eager = l.eager || w.bits == 0 && c.Spared == nil
		l.waiting = append(l.waiting, w)
	}
	if lists < 63 && len(l.opts.Checks) > 0 {
		l.triggers.add(lists, releaseKey, nil)
		l.triggers.add(lists+1, "type", mayBeHelm)  // of a Secret
		l.triggers.add(lists+1, "owner", mayBeHelm) // of a ConfigMap, a label
		l.releases = 3 << lists
		lists += 2
	}
	if lists > 64 {
		l.parseBody = true
	}
	l.scripts()
	return l
}

// ReadsOnce reports whether RunTogether reads inputs once, as a rule, where of some
// checks those count that can report by the enabled rules; nil: all.
func ReadsOnce(checks []Check, enabled func(rule string) bool) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool {
		return (c.Others == Any || c.Others == Definitions && c.Head != nil) && (enabled == nil || slices.ContainsFunc(c.Rules(), enabled))
	})
}

// Bytes judges one input that is in memory.
func (l *Linter) Bytes(name string, data []byte) ([]rules.Finding, *rules.Summary) {
	sum := rules.NewSummary()
	sum.Target = l.opts.Target.String()
	sum.Files = 1
	sum.Bytes = int64(len(data))
	j := newJudge(l)
	data = decodeText(data)
	r := &result{}
	j.whole(&Input{Name: name, Script: languageOf(name)}, data, r)
	r.addTo(sum)
	for _, f := range r.findings {
		sum.Findings[f.Rule]++
	}
	return r.findings, sum
}
