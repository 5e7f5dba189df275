package manifestlint

import (
	"slices"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Check is the implementation of one rule for objects. It is a plain value;
// the linter calls its functions from several goroutines at once.
type Check struct {
	// Rule is the ID of the rule in the catalogue.
	Rule string
	// Also are further rules that the check reports, with Pass.ReportRule, so
	// that what a server says in one answer stays in its order. Usually nil.
	Also []string
	// Head is called for every object and may use all of it but its Root,
	// which is there only if something else needed it. nil: the check needs
	// the body.
	Head func(*Pass)
	// Body is called for every object that the check applies to and whose
	// document was parsed. nil: the head is enough.
	Body func(*Pass)
	// Script is called for every text that has calls of kubectl or oc, such as
	// a shell script or the steps of a CI system. nil: the check is about
	// objects alone. A check that has neither Head nor Body is about scripts
	// alone.
	Script func(*ScriptPass)
	// Applies says by its head whether Body can find anything in an object;
	// nil: in any.
	Applies func(*Object) bool
	// Spared, if not nil, says by an object's head that Body finds nothing about
	// it by the rules that report in this run, though it might by others.
	Spared func(o *Object, reports func(rule string) bool) bool
	// Others says how far what the check finds in an object depends on the other
	// objects of a run.
	Others Others
	// Metadata is set where Body looks at metadata alone, so that it can judge
	// objects of which nothing else is known.
	Metadata bool
	// Fix, if not nil, says how an object is changed so that one of the check's
	// findings about it is fixed; false: nothing is known. The object has its
	// Root, whatever the other functions need.
	Fix func(*Pass, *rules.Finding) (Change, bool)
	// Triggers say without which keys Body finds nothing, so that a document
	// need not be parsed: from each of the lists, it must have at least one.
	// A Body without Triggers makes the linter parse every document; one whose
	// Triggers are no lists, every document that the check applies to.
	Triggers func(lifecycle.Target) [][]Trigger
}

// Others are the other objects of a run that a check judges an object by.
type Others uint8

const (
	// None count: what an object is judged by is the object.
	None Others = iota
	// Definitions count where no release of Kubernetes has the object's kind: by
	// them Applies and Spared say whether Body finds anything.
	Definitions
	// Any may count.
	Any
)

// Trigger is a map key, anywhere in a document, that makes a finding possible.
type Trigger struct {
	Key string
	// Value narrows it to keys whose value is a scalar that, as it stands on
	// the key's line, satisfies a test; one that begins on another line
	// satisfies every test. nil stands for any value. The root's apiVersion and kind never count: they
	// are the object's head.
	Value func(text []byte) bool
}

// Object is one Kubernetes object as it is written.
type Object struct {
	APIVersion, Kind string
	// Namespace and Name are empty where the manifest has none. A
	// generateName is given as a Name that ends in "*".
	Namespace, Name string
	// APIVersionAt and KindAt are where the values stand.
	APIVersionAt, KindAt Span
	// API is the history of the object's kind; Known is false where no
	// Kubernetes release in the tables has it.
	API   lifecycle.API
	Known bool
	// Root is the object's body; nil where it was not parsed.
	Root *wire.Value
	// Duplicates are the fields that the body repeats; nil where the document
	// holds several objects, whose paths would be ambiguous.
	Duplicates []wire.Duplicate
	// JSON is the text of Root where it is a JSON document of its own, which
	// a client can send as it stands; nil: a client makes JSON of it. It is
	// valid while the check runs.
	JSON []byte
	// Old is the stored object where the object is judged as an update of it;
	// nil: it is new.
	Old *wire.Value
	// Unfinished is set where something completes the object before a server
	// sees it: see Input.
	Unfinished bool
	// Listed is set for an item of a list.
	Listed bool
	// Embedded is the field of another object whose string holds this one,
	// such as data[app.yaml]; empty for an object of its own.
	Embedded string

	// packed is what Root is made of where it is not there, of an object that is
	// gathered: the text that begins at a place of the input, which has a column
	// if it is JSON and none if it is a document that is regular; or the object's
	// JSON, if there is no such place. Nobody writes to it.
	packed   []byte
	packedAt wire.Pos
	away     *packedText // has what packed would be; nil: it is there
}

// Tree gives the object's body, which lasts: Root or, of an object that was gathered, what
// is read anew from its text.
func (o *Object) Tree() *wire.Value {
	var b Bodies
	return b.Of(o)
}

// text is what Root is made of, or nil.
func (o *Object) text() []byte {
	if o.away != nil {
		return o.away.read()
	}
	return o.packed
}

// PackedSize is the length of the text that Tree makes a body of, in bytes; 0
// where it does not.
func (o *Object) PackedSize() int {
	if o.away != nil {
		return o.away.size
	}
	return len(o.packed)
}

// Packed is what Tree makes a body of, where it does and has it at hand; nil for
// others. It is YAML with no escapes that stand for letters, or JSON. Objects of
// which it is the same have the same body.
func (o *Object) Packed() []byte { return o.packed }

// Ref gives the object's identity for a finding.
func (o *Object) Ref() *rules.ObjectRef {
	return &rules.ObjectRef{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}

// looksAt reports whether a check's Body may find anything in an object.
func (l *Linter) looksAt(c *Check, o *Object) bool {
	return (c.Applies == nil || c.Applies(o)) && (c.Spared == nil || !c.Spared(o, l.reports))
}

// reports reports whether a rule reports in this run.
func (l *Linter) reports(rule string) bool { return l.active[rule] }

// Rules are all rules that the check reports.
func (c *Check) Rules() []string { return append([]string{c.Rule}, c.Also...) }

// Pass is one check's look at one object.
type Pass struct {
	Target lifecycle.Target
	// Validation is what becomes of fields that the server does not know.
	Validation apiserver.FieldValidation
	Object     *Object

	rule     string
	severity rules.Severity
	linter   *Linter
	// file and document are where the object is; result takes what is reported.
	file     string
	document int
	result   *result
	// named is set where findings have an object, or none, already.
	named bool
}

// ReportRule reports a finding of one of the check's rules, with a severity of
// its own or the rule's if that is lower; of a rule that does not report in
// this run it does nothing.
func (p *Pass) ReportRule(rule string, severity rules.Severity, at Span, f rules.Finding) {
	if !p.Reports(rule) {
		return
	}
	q := *p
	q.rule, q.severity = rule, p.linter.opts.Severity[rule]
	q.ReportAs(severity, at, f)
}

// Restate moves what the linter itself has found at a place of the document,
// such as a key that is repeated, behind what was reported since, and says
// with it what the server makes of it. It reports whether there was such a
// finding.
func (p *Pass) Restate(rule string, at wire.Pos, server *rules.ServerText) bool {
	if p.result == nil {
		return false
	}
	all := p.result.findings
	for i := range all {
		if f := all[i]; f.Rule == rule && f.Line == at.Line && f.Column == at.Column && f.Document == p.document {
			f.Server = server
			f.Object = p.Object.Ref()
			p.result.findings = append(slices.Delete(all, i, i+1), f)
			return true
		}
	}
	return false
}

// Reports reports whether a rule reports in this run.
func (p *Pass) Reports(rule string) bool { return p.linter.reports(rule) }

// Report reports a finding with the rule's severity. The check fills in
// Message, Path, Minors, Server and Replacement; the rest follows from the
// pass and the span. An empty span means the object's kind.
func (p *Pass) Report(at Span, f rules.Finding) { p.ReportAs(p.severity, at, f) }

// ReportAs reports a finding with a severity of its own, or the rule's if that
// is lower: a user who lowered a rule's severity lowered all of it.
func (p *Pass) ReportAs(severity rules.Severity, at Span, f rules.Finding) {
	if at.Pos.Line == 0 {
		at = p.Object.KindAt
	}
	f.Rule = p.rule
	f.Severity = min(severity, p.severity)
	f.Line, f.Column = at.Pos.Line, at.Pos.Column
	f.EndLine, f.EndColumn = at.End.Line, at.End.Column
	if f.EndLine == 0 || f.EndLine == f.Line && f.EndColumn <= f.Column {
		f.EndLine, f.EndColumn = f.Line, f.Column+1
	}
	if !p.named {
		f.Object = p.Object.Ref()
	}
	f.File, f.Document = p.file, p.document
	p.result.findings = append(p.result.findings, f)
}
