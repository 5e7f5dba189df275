package upgrade

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// maxMarkdown is the maximal size of the plan in Markdown, in bytes. An issue or a
// comment on GitHub has at most 65,536 characters.
const maxMarkdown = 56_000

// markdown is the plan for an issue or a pull request. Each owner has a box to tick.
type markdown struct {
	b    strings.Builder
	look Look
	// left is the number of entries that did not fit.
	left int
}

func (r *Report) markdown(w io.Writer, l Look) error {
	p := r.plan()
	v := r.verdict(p)
	m := &markdown{look: l}
	m.line("## %s", text(v.Text))
	m.line("")
	m.line("Kubernetes upgrade from %s to %s, as of %s. %s", text(r.From), text(r.To), l.date(), text(strings.TrimSpace(v.First+" "+v.Caution)))
	m.line("")
	m.counts(r)
	for i := range p.Hops {
		h := &p.Hops[i]
		m.stage(fmt.Sprintf("%s → %s", text(h.From), text(h.To)), h, "Nothing was found that breaks.")
	}
	m.stage("At any time", &p.Later, "")
	m.stage("Already broken in "+text(r.From), &p.Already, "")
	if n := m.left + p.Omitted; n > 0 {
		m.line("**%s not listed here.**", plural(n, "more entry is", "more entries are"))
		m.line("")
	}
	m.done(r)
	m.absent(r)
	m.evidence(r)
	_, err := io.WriteString(w, m.b.String())
	return err
}

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

// text escapes a text from the input for Markdown. code writes it as Markdown code.
func text(s string) string { return report.MarkdownText(quote.Text(s)) }
func code(s string) string { return report.MarkdownCode(quote.Text(s)) }

func (m *markdown) counts(r *Report) {
	should, broken := r.countShouldAct()
	m.line("| Must change | Should change | Already broken | Removed APIs without evidence |")
	m.line("| ---: | ---: | ---: | ---: |")
	m.line("| **%d** | %d | %d | %d of %d |", r.Summary.MustAct, should, broken, len(r.NoEvidence), r.Summary.Removed)
	m.line("")
	if r.Compared.Since != "" {
		m.line("Since %s: **%d done**, **%d new**, %d still open.", text(r.Compared.Since), r.Compared.Done, r.Compared.New, r.Compared.Open)
		m.line("")
	}
}

// stage writes a stage of the plan. After an entry that did not fit, it also leaves out
// all later entries.
func (m *markdown) stage(title string, s *stage, empty string) {
	if len(s.Actions) == 0 {
		if empty != "" {
			m.line("### %s\n\n%s\n", title, empty)
		}
		return
	}
	m.line("### %s\n", title)
	for _, a := range s.Actions {
		one := m.action(a)
		if m.left > 0 || m.b.Len()+len(one) > maxMarkdown {
			m.left += len(a.Tasks)
			continue
		}
		m.b.WriteString(one)
	}
	m.line("")
}

// fewPlaces and mostPlaces are the maximal numbers of places of a task, without and with
// Look.Verbose. mostMembers is the maximal number of tasks of an action.
const (
	fewPlaces   = 3
	mostPlaces  = maxEvidence
	mostMembers = 60
)

// action returns a change as a list item. The fix is printed once. The list of owners is
// folded.
func (m *markdown) action(a *action) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- **%s** %s", a.Level, code(a.Subject))
	for _, s := range []string{a.Effect(), sentence(a.Text)} {
		if s != "" {
			b.WriteString(" " + text(s))
		}
	}
	if fix := a.FixText(); fix != "" {
		b.WriteString(" **Fix:** " + text(fix))
	}
	if url := httpsOnly(a.Reference); url != "" {
		fmt.Fprintf(&b, " ([source](<%s>))", report.MarkdownURL(url))
	}
	if url := m.look.rule(a.Rule); url != "" {
		fmt.Fprintf(&b, " ([%s](<%s>))", text(a.Rule), report.MarkdownURL(url))
	}
	fmt.Fprintf(&b, "\n  <details><summary>%s, %s</summary>\n\n", a.Who(), report.Count(a.Places, "place"))
	for i := range a.Tasks {
		if i == mostMembers && !m.look.Verbose {
			fmt.Fprintf(&b, "  - and %s\n", report.Count(len(a.Tasks)-i, "more owner"))
			break
		}
		m.task(&b, &a.Tasks[i])
	}
	b.WriteString("\n  </details>\n")
	return b.String()
}

func (m *markdown) task(b *strings.Builder, t *task) {
	fmt.Fprintf(b, "  - [ ] %s", text(t.Owner.Title()))
	if t.News == newsNew {
		b.WriteString(" (new)")
	}
	if t.Text != "" {
		b.WriteString(": " + text(sentence(t.Text)))
	} else if names := t.Names(); names != "" {
		b.WriteString(": " + text(names))
	}
	most := fewPlaces
	if m.look.Verbose {
		most = mostPlaces
	}
	shown := t.Places[:min(most, len(t.Places))]
	for i := range shown {
		e := &shown[i]
		separator := ", "
		if i == 0 {
			separator = " – "
		}
		place := code(placeText(e.File, e.Line))
		if url := m.look.link(e.File, e.Line); url != "" && !strings.HasPrefix(url, "./") && !strings.HasPrefix(url, "/") {
			place = "[" + place + "](<" + report.MarkdownURL(url) + ">)"
		}
		b.WriteString(separator + place)
		switch {
		case e.Count > 0:
			b.WriteString(" (" + text(e.requestCount()) + ")")
		case e.Source == "audit" && e.Text != "":
			b.WriteString(" (" + text(e.Text) + ")")
		}
	}
	if n := t.Count() - len(shown); n > 0 {
		b.WriteString(" and " + report.Count(n, "more place"))
	}
	b.WriteString("\n")
}

func (m *markdown) done(r *Report) {
	if len(r.Done) == 0 {
		return
	}
	m.line("### Done since %s\n", text(r.Compared.Since))
	list, more := firstEntries(r.Done, mostMembers)
	for _, d := range list {
		m.line("- [x] %s: %s", text(d.Owner), code(d.Subject))
	}
	if more > 0 {
		m.line("- and %d more", more)
	}
	m.line("")
}

func (m *markdown) absent(r *Report) {
	m.line("### No evidence\n\n%s\n", text(r.absence()))
	for _, a := range r.absent(true) {
		m.line("- %s: %s", text(a.Release), text(strings.Join(a.APIs, ", ")))
	}
	m.line("")
}

func (m *markdown) evidence(r *Report) {
	m.line("### What was examined\n")
	for _, s := range r.Sources {
		if s.Given {
			m.line("- %s: %s", text(s.Kind), text(s.Text))
			for _, gap := range s.Gaps {
				m.line("  - **gap:** %s", text(gap))
			}
		}
	}
	for _, s := range r.Sources {
		if !s.Given {
			m.line("- %s", text(s.Text))
		}
	}
	if len(r.Unreadable) > 0 {
		m.line("\n### Could not be read: the report is incomplete\n")
	}
	list, more := firstEntries(r.Unreadable, 20)
	for _, u := range list {
		m.line("- %s: %s", code(quote.Name(u.File)), text(quote.Within(u.Error, u.File)))
	}
	if more > 0 {
		m.line("- and %d more", more)
	}
	if n := r.Summary.Informational; n > 0 {
		m.line("\n%s", leftOutText(n))
	}
	if n := r.Summary.Accepted; n > 0 {
		m.line("\n%s", acceptedText(n))
	}
	for _, n := range r.Notes {
		m.line("\n> %s", text(n))
	}
}
