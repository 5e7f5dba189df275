package manifestlint

import (
	"bytes"
	"fmt"
	"sort"
	"sync"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Suppressions are the kubevet:ignore comments of a source file. A
// kustomization or a chart renders the file's objects, which are checked in the
// rendered text. A nil *Suppressions has no comments. It is safe for concurrent
// use.
type Suppressions struct {
	mu  sync.Mutex
	all []directive // sorted by line
	// covered has the directives by the lines that they cover; nil before the
	// first use.
	covered coverage
	// documents has the first line of each document.
	documents []int
}

// ReadSuppressions returns the kubevet:ignore comments of a text. If the text
// is not YAML, such as a template, a comment covers its own line or the next
// line.
func ReadSuppressions(text []byte) *Suppressions {
	s := &Suppressions{}
	text = document.Decode(text)
	split := document.NewSplitter(text)
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		s.documents = append(s.documents, d.Line)
		if !bytes.Contains(d.Data, suppressMark) {
			continue
		}
		var root *wire.Value
		if trees, failed := yamltree.Parse(d.Data, d.Line); failed == nil && len(trees) > 0 {
			root = trees[0].Root
		}
		for _, dir := range directives(d.Data, d.Line, root) {
			dir.file = dir.file && d.Index == 0
			s.all = append(s.all, dir)
		}
	}
	return s
}

// Document returns the index of the document that contains a line. The index
// counts from 0, and the line from 1.
func (s *Suppressions) Document(line int) int {
	if s == nil {
		return 0
	}
	return max(0, sort.SearchInts(s.documents, line+1)-1)
}

// Suppress reports whether a comment covers a finding of the file.
func (s *Suppressions) Suppress(f *rules.Finding) bool {
	if s == nil || len(s.all) == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.covered == nil {
		s.covered = cover(s.all)
	}
	return s.covered.use(f)
}

// Use marks the comment on a line as used for a rule.
func (s *Suppressions) Use(line int, rule string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	first := sort.Search(len(s.all), func(i int) bool { return s.all[i].span.Pos.Line >= line })
	for i := first; i < len(s.all) && s.all[i].span.Pos.Line == line; i++ {
		if s.all[i].rule == rule {
			s.all[i].used = true
		}
	}
}

// Unused returns a finding for each comment that suppresses nothing although
// its rule is active. The findings have no file and no severity yet.
func (s *Suppressions) Unused(active func(rule string) bool) []rules.Finding {
	if s == nil || !active(ruleSuppression) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []rules.Finding
	for i := range s.all {
		d := &s.all[i]
		if d.used || !d.known || !active(d.rule) {
			continue
		}
		all = append(all, rules.Finding{
			Rule: ruleSuppression, Message: unusedText(d.rule), Document: s.Document(d.span.Pos.Line),
			Line: d.span.Pos.Line, Column: d.span.Pos.Column, EndLine: d.span.End.Line, EndColumn: d.span.End.Column,
		})
	}
	return all
}

// unusedText is the message about a comment that suppresses nothing.
func unusedText(rule string) string { return fmt.Sprintf("kubevet:ignore %s suppresses nothing", rule) }
