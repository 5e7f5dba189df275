package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// maxSARIFResults is the maximal number of results in a run. GitHub code scanning rejects
// a file with more results. A notification of the run reports that results were left out.
const maxSARIFResults = 25000

// sarif is the format sarif. It writes SARIF 2.1.0 with one run, in the form that GitHub
// code scanning reads. Each result is written as it arrives, on its own line. The totals
// of the run follow.
type sarif struct {
	w     *bufio.Writer
	o     Options
	index map[string]int // index of each rule in tool.driver.rules

	started       bool
	results, over int

	prints fingerprints
}

func newSARIF(w io.Writer, o Options) Report {
	s := &sarif{w: newWriter(w), o: o, index: map[string]int{}}
	for i, r := range o.Rules {
		if _, ok := s.index[r.ID]; !ok {
			s.index[r.ID] = i
		}
	}
	return s
}

func (s *sarif) Finding(f rules.Finding) error {
	if s.results == maxSARIFResults {
		s.over++
		return nil
	}
	if err := s.start(); err != nil {
		return err
	}
	line, err := encode(s.result(&f))
	if err != nil {
		return err
	}
	if s.results > 0 {
		s.w.WriteByte(',')
	}
	s.results++
	s.w.WriteByte('\n')
	_, err = s.w.Write(line)
	return err
}

// start writes the text before the first result. It does nothing if it was called before.
func (s *sarif) start() error {
	if s.started {
		return nil
	}
	s.started = true
	s.w.WriteString(`{"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",` + "\n")
	s.w.WriteString(`"version": "2.1.0",` + "\n" + `"runs": [{` + "\n" + `"tool": `)
	tool, err := encode(sarifTool{s.driver()})
	if err != nil {
		return err
	}
	s.w.Write(tool)
	if err := s.automation(); err != nil {
		return err
	}
	s.w.WriteString(",\n" + `"columnKind": "unicodeCodePoints",` + "\n" + `"results": [`)
	return nil
}

// automation writes the name of the run. Code scanning uses the part before its last
// slash as the category.
func (s *sarif) automation() error {
	if s.o.Category == "" {
		return nil
	}
	details, err := encode(sarifAutomation{strings.TrimRight(s.o.Category, "/") + "/"})
	if err != nil {
		return err
	}
	s.w.WriteString(",\n" + `"automationDetails": `)
	_, err = s.w.Write(details)
	return err
}

func (s *sarif) Close(sum *rules.Summary) error {
	if err := s.start(); err != nil {
		return err
	}
	if s.results > 0 {
		s.w.WriteByte('\n')
	}
	s.w.WriteString("],\n" + `"invocations": `)
	line, err := encode([]sarifInvocation{s.invocation(completeSummary(sum))})
	if err != nil {
		return err
	}
	s.w.Write(line)
	s.w.WriteString("\n}]}\n")
	return s.w.Flush()
}

// driver returns the description of kubevet and its rules.
func (s *sarif) driver() sarifDriver {
	d := sarifDriver{
		Name:           "kubevet",
		InformationURI: "https://github.com/kubevet/kubevet",
		Version:        s.o.ToolVersion,
		Rules:          make([]sarifRule, 0, len(s.o.Rules)),
		Notifications: []sarifDescriptor{
			{ID: "unreadable", ShortDescription: &sarifText{Text: "an input could not be read"}},
			{ID: "unchecked", ShortDescription: &sarifText{Text: "objects of a kind were not checked"}},
			{ID: "notjudged", ShortDescription: &sarifText{Text: "a document was skipped"}},
			{ID: "cut", ShortDescription: &sarifText{Text: "findings were left out"}},
			{ID: "note", ShortDescription: &sarifText{Text: "the input does not show something"}},
		},
	}
	for _, r := range s.o.Rules {
		d.Rules = append(d.Rules, newSARIFRule(r))
	}
	return d
}

func (s *sarif) result(f *rules.Finding) sarifResult {
	r := sarifResult{
		RuleID:       f.Rule,
		Level:        sarifLevel(f.Severity),
		Message:      sarifText{Text: sarifMessage(f, s.o.Target)},
		Fingerprints: map[string]string{"kubevetFinding/v1": s.prints.fingerprint(f)},
		Properties: &sarifProperties{
			Severity: f.Severity.String(), Document: f.Document,
			Minors: f.Minors, Replacement: f.Replacement, Hidden: f.Hidden,
		},
	}
	if i, ok := s.index[f.Rule]; ok {
		r.RuleIndex = &i
	}
	if f.Server != nil {
		r.Properties.ServerKind, r.Properties.ServerText, r.Properties.ServerAlso = f.Server.Kind, f.Server.Text, f.Server.Also
	}
	r.Locations = []sarifLocation{{
		Physical: sarifPhysical{Artifact: newSARIFArtifact(f.File), Region: newSARIFRegion(f)},
		Logical:  newSARIFLogical(f),
	}}
	r.Related, r.Fixes = newSARIFRelated(f), newSARIFFixes(f)
	return r
}

func sarifLevel(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "error"
	case rules.Warning:
		return "warning"
	}
	return "note"
}

// sarifMessage returns the message of a finding with its object. It escapes
// [text](target), which SARIF interprets as a link.
func sarifMessage(f *rules.Finding, target string) string {
	text := message(f)
	exact := func(s string) string { return s }
	if n := notes(f, target, exact); n != "" {
		text += " (" + n + ")"
	}
	return plainMessage(text)
}

func plainMessage(text string) string { return strings.ReplaceAll(text, "](", `\](`) }

// invocation returns what happened in the run: errors, skipped inputs and totals.
func (s *sarif) invocation(sum rules.Summary) sarifInvocation {
	inv := sarifInvocation{Successful: !sum.Incomplete(), Notifications: []sarifNotification{}}
	for _, u := range sum.Unreadable {
		file, text := u.File, "could not be read: "+u.Error
		if sum.Code != nil { // for Go code, Unreadable lists packages, which have no location
			file, text = "", u.File+" could not be analyzed completely: "+u.Error
		}
		inv.notify("unreadable", "error", text, file, 0)
	}
	if more := sum.UnreadableCount - len(sum.Unreadable); more > 0 {
		inv.notify("unreadable", "error", inputCount(&sum, more, "more ")+" could not be "+readVerb(&sum), "", 0)
	}
	for _, note := range sum.Notes {
		inv.notify("note", "note", note, "", 0)
	}
	for _, n := range sum.NotJudged {
		level := ""
		switch n.Reason {
		case rules.SkipBroken, rules.SkipUntyped, rules.SkipPatch:
			continue // not skipped silently: these documents have findings, or are checked elsewhere
		case rules.SkipTooLarge:
			level = "error"
		default:
			level = "note"
		}
		text := "skipped: " + skipName(n.Reason)
		if n.Detail != "" {
			text += " (" + n.Detail + ")"
		}
		inv.notify("notjudged", level, text, n.File, n.Line)
	}
	for i := range sum.Unchecked.Kinds {
		k := &sum.Unchecked.Kinds[i]
		var first rules.Place
		if len(k.Places) > 0 {
			first = k.Places[0]
		}
		inv.notify("unchecked", "note", uncheckedKind(k), first.File, first.Line)
	}
	if line := notPrintedLine(&sum); line != "" {
		inv.notify("cut", "warning", line, "", 0)
	}
	if s.over > 0 {
		inv.notify("cut", "warning", fmt.Sprintf("%s left out: code scanning accepts %s results",
			plural(s.over, "finding", "findings"), thousands(maxSARIFResults)), "", 0)
	}
	return inv
}
