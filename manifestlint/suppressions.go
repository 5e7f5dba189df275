package manifestlint

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Suppressions are the kubevet:ignore comments of a source file whose objects
// are checked in a rendered text. A nil *Suppressions has no comments. It is
// safe for concurrent use.
type Suppressions struct {
	mu  sync.Mutex
	all []directive // sorted by line
	// covered has the directives by rule; nil before the first use.
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
			dir.wholeFile = dir.wholeFile && d.Index == 0
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
		s.covered = newCoverage(s.all)
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

// coverage has the directives by rule, to find those that cover a finding.
type coverage map[string]*ruleCoverage

type ruleCoverage struct {
	directives []*directive // sorted by first line; directives for the whole file come first
	// maxLine[i] is the last line that any of directives[:i+1] covers.
	maxLine []int
	unused  int
}

// newCoverage returns the coverage of directives. It points to the elements of
// all.
func newCoverage(all []directive) coverage {
	c := coverage{}
	for i := range all {
		d := &all[i]
		rule := c[d.rule]
		if rule == nil {
			rule = &ruleCoverage{}
			c[d.rule] = rule
		}
		rule.directives = append(rule.directives, d)
		if !d.used {
			rule.unused++
		}
	}
	for _, rule := range c {
		slices.SortStableFunc(rule.directives, func(a, b *directive) int { return a.firstLine() - b.firstLine() })
		maxLine := 0
		for _, d := range rule.directives {
			if maxLine = max(maxLine, d.to); d.wholeFile {
				maxLine = math.MaxInt
			}
			rule.maxLine = append(rule.maxLine, maxLine)
		}
	}
	return c
}

// firstLine returns the first line that a directive covers; 0 for the whole
// file.
func (d *directive) firstLine() int {
	if d.wholeFile {
		return 0
	}
	return d.from
}

// use marks the directives that cover a finding, and reports whether there are
// any.
func (c coverage) use(f *rules.Finding) bool {
	rule := c[f.Rule]
	if rule == nil {
		return false
	}
	n, _ := slices.BinarySearchFunc(rule.directives, f.Line+1, func(d *directive, line int) int { return d.firstLine() - line })
	covered := false
	for n--; n >= 0 && rule.maxLine[n] >= f.Line && (!covered || rule.unused > 0); n-- {
		d := rule.directives[n]
		if !d.covers(f) {
			continue
		}
		covered = true
		if !d.used {
			d.used = true
			rule.unused--
		}
	}
	return covered
}

// suppress removes the findings that directives cover, and counts them.
func suppress(findings []rules.Finding, all []directive, sum *rules.Summary) []rules.Finding {
	if len(all) == 0 || len(findings) == 0 {
		return findings
	}
	covered := newCoverage(all)
	kept := findings[:0]
	for i := range findings {
		if covered.use(&findings[i]) {
			sum.Suppressed++
		} else {
			kept = append(kept, findings[i])
		}
	}
	return kept
}

// directiveMessage returns a message if a directive is wrong or unused; "" for
// none. checked is false if the objects were not checked here. Then no
// directive counts as unused.
func (l *Linter) directiveMessage(d *directive, checked bool) string {
	switch {
	case d.rule == "-many":
		return fmt.Sprintf("a document has at most %d kubevet:ignore comments: this one and those after it count for nothing", maxDirectives)
	case d.rule == "-file":
		return "kubevet:ignore-file counts only before the first line of the file that is no comment"
	case d.rule == "":
		return "kubevet:ignore names no rule"
	case !d.known:
		return fmt.Sprintf("kubevet:ignore names %q, which is no rule", d.rule)
	case l.opts.RequireReason && d.noReason:
		return fmt.Sprintf("kubevet:ignore %s gives no reason: write it after --", d.rule)
	case !d.used && checked && l.enabled[d.rule]:
		return unusedText(d.rule)
	}
	return ""
}
