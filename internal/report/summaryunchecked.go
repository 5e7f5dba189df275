package report

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// unchecked lists the kinds without a schema. With Verbose, it also lists the positions
// of their objects.
func (out *summaryWriter) unchecked(s *rules.Summary) {
	if line := uncheckedLine(s, out.limit(len(s.Unchecked.Kinds))); line != "" {
		out.line(line)
	}
	if !out.o.Verbose {
		return
	}
	for _, k := range s.Unchecked.Kinds {
		shown, last := 0, rules.Place{}
		for _, at := range k.Places {
			shown++
			if at == last { // the same position, from another build of the file
				continue
			}
			last = at
			place := showFile(at.File)
			if at.Line > 0 {
				place += fmt.Sprintf(":%d:%d", at.Line, at.Column)
			}
			out.line(out.paint.style(dim, "  "+place+": no schema of "+uncheckedName(&k)))
		}
		out.more(k.Objects - shown)
	}
}

// uncheckedLine returns a line such as "not checked: 403 objects without a schema: 201
// HelmRelease (helm.toolkit.fluxcd.io/v2), ... and 3 more kinds; add their definitions or
// schemas with --context", or "". It names at most limit kinds, those with most objects
// first.
func uncheckedLine(s *rules.Summary, limit int) string {
	u := &s.Unchecked
	if u.Objects == 0 {
		return ""
	}
	parts := make([]string, 0, limit)
	for i := range u.Kinds[:limit] {
		parts = append(parts, thousands(u.Kinds[i].Objects)+" "+uncheckedName(&u.Kinds[i]))
	}
	line := "not checked: " + plural(u.Objects, "object", "objects") + " without a schema: " + strings.Join(parts, ", ")
	switch left := len(u.Kinds) - limit; {
	case u.Others > 0:
		line += fmt.Sprintf(" and %s of other kinds", thousands(u.Objects-countUnchecked(u.Kinds[:limit])))
	case left > 0:
		line += " and " + plural(left, "more kind", "more kinds")
	}
	return line + "; add their definitions or schemas with --context"
}

// undecided writes which parts of the server's answers are unknown.
func (out *summaryWriter) undecided(s *rules.Summary) {
	u := &s.Undecided
	if u.Objects == 0 {
		return
	}
	out.line("not known: " + plural(u.Objects, "answer depends", "answers depend") + " on what the files do not say; see --as and --context")
	shown := out.limit(len(u.Reasons))
	for i := range u.Reasons[:shown] {
		out.line(out.paint.style(dim, "  "+quote.Text(u.Reasons[i].What)+" ("+plural(u.Reasons[i].Objects, "object", "objects")+")"))
	}
	out.more(len(u.Reasons) - shown)
}

func countUnchecked(kinds []rules.UncheckedKind) int {
	n := 0
	for i := range kinds {
		n += kinds[i].Objects
	}
	return n
}

// uncheckedKind returns a text such as "not checked: 201 objects without a schema:
// HelmRelease (helm.toolkit.fluxcd.io/v2)".
func uncheckedKind(k *rules.UncheckedKind) string {
	return "not checked: " + plural(k.Objects, "object", "objects") + " without a schema: " + uncheckedName(k)
}

// UncheckedLine returns the line of WriteSummary about objects without a schema, or "".
func UncheckedLine(s *rules.Summary) string {
	sum := completeSummary(s)
	return uncheckedLine(&sum, min(len(sum.Unchecked.Kinds), summaryListed))
}

// uncheckedName returns a text such as "HelmRelease (helm.toolkit.fluxcd.io/v2)".
func uncheckedName(k *rules.UncheckedKind) string {
	return showName(k.Kind) + " (" + showName(k.APIVersion) + ")"
}
