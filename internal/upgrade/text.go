package upgrade

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// Look is the appearance of a format for people.
type Look struct {
	Color bool
	// Width is the terminal's width in columns; 0 is unlimited.
	Width int
	// Verbose shows all evidence.
	Verbose bool
	// Link returns the address of a line of a file for pages, and "" for none; nil
	// makes no links.
	Link func(file string, line int) string
	// RulePages is the address of the directory with the rules' pages; empty for no
	// links to them.
	RulePages string
	// Version is kubevet's version; empty if unknown.
	Version string
}

// Formats returns the formats.
func Formats() []string { return []string{"text", "json", "html", "markdown"} }

// Write writes the report in a format of Formats. It returns the writer's errors,
// and one for an unknown format.
func (r *Report) Write(format string, w io.Writer, l Look) error {
	b := bufio.NewWriter(w)
	var err error
	switch format {
	case "text":
		r.text(b, l)
	case "json":
		var text []byte
		text, err = quote.JSON(r, func(e *json.Encoder) { e.SetIndent("", "  ") })
		b.Write(append(text, '\n'))
	case "html":
		err = r.html(b, l)
	case "markdown":
		err = r.markdown(b, l)
	default:
		err = fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// shown is the number of places of an item without Verbose.
const shown = 3

// text writes the report for a terminal.
func (r *Report) text(w *bufio.Writer, l Look) {
	bold, dim, reset := "", "", ""
	if l.Color {
		bold, dim, reset = "\x1b[1m", "\x1b[2m", "\x1b[0m"
	}
	fmt.Fprintf(w, "%s%s%s\n", bold, quote.Text(r.headline()), reset)
	if c := r.Compared; c.Since != "" {
		fmt.Fprintf(w, "Since %s: %d done, %d new, %d still open\n", quote.Name(c.Since), c.Done, c.New, c.Open)
	}
	for _, part := range []struct {
		title string
		list  []Owner
	}{{"Must act", r.MustAct}, {"Should act", r.ShouldAct}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s%s%s\n", bold, part.title, reset)
		for _, o := range part.list {
			fmt.Fprintf(w, "  %s%s%s\n", bold, quote.Text(o.title()), reset)
			for i := range o.Items {
				it := &o.Items[i]
				fmt.Fprintf(w, "    %s\n", quote.Text(it.line()))
				most := len(it.Evidence)
				if !l.Verbose {
					most = min(most, shown)
				}
				for j := range it.Evidence[:most] {
					e := &it.Evidence[j]
					fmt.Fprintf(w, "      %s\n", quote.Text(e.line()))
					for _, p := range e.Code {
						fmt.Fprintf(w, "        %s%s%s\n", dim, quote.Text(p.line()), reset)
					}
				}
				if more := len(it.Evidence) - most + it.EvidenceLeft; more > 0 {
					fmt.Fprintf(w, "      %sand %d more%s\n", dim, more, reset)
				}
			}
		}
	}
	fmt.Fprintf(w, "\n%sNo evidence%s\n", bold, reset)
	fmt.Fprintf(w, "  %s\n", quote.Text(r.absence()))
	for _, line := range r.absent(l.Verbose) {
		fmt.Fprintf(w, "    %s\n", quote.Text(line.Release+": "+strings.Join(line.APIs, ", ")))
	}
	if n := r.off(); n > 0 && !l.Verbose {
		fmt.Fprintf(w, "    %d of them are off by default: -v lists them, too\n", n)
	}
	fmt.Fprintf(w, "\n%sWhat was looked at%s\n", bold, reset)
	for _, s := range r.Sources {
		if s.Given {
			fmt.Fprintf(w, "  %s\n", quote.Text(s.Kind+": "+s.Text))
			for _, gap := range s.Gaps {
				fmt.Fprintf(w, "    %s\n", quote.Text(gap))
			}
		}
	}
	for _, s := range r.Sources {
		if !s.Given {
			fmt.Fprintf(w, "  %s%s%s\n", dim, quote.Text(s.Text), reset)
		}
	}
	const most = 10
	if len(r.Unreadable) > 0 {
		fmt.Fprintf(w, "\n%sCould not be read: the report is incomplete%s\n", bold, reset)
		for i, u := range r.Unreadable {
			if i == most && !l.Verbose && len(r.Unreadable) > most+1 {
				fmt.Fprintf(w, "  and %d more: -v shows them\n", len(r.Unreadable)-most)
				break
			}
			fmt.Fprintf(w, "  %s\n", quote.Text(quote.Name(u.File)+": "+quote.Within(u.Error, u.File)))
		}
	}
	if n := r.Summary.Informational; n > 0 {
		fmt.Fprintf(w, "\n%s\n", left(n))
	}
	if n := r.Summary.Accepted; n > 0 {
		fmt.Fprintf(w, "\n%s\n", accepted(n))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "%snote: %s%s\n", dim, quote.Text(n), reset)
	}
}

// left describes the evidence without an item.
func left(n int) string {
	return fmt.Sprintf("%s left out that %s for nothing: of clients that read everything there is, of the control plane itself, of what is over.", report.Count(n, "observation"), verb(n, "asks", "ask"))
}

// accepted describes what the baseline leaves out.
func accepted(n int) string {
	return fmt.Sprintf("%s left out that the baseline has.", report.Count(n, "item"))
}

// headline summarises the report.
func (r *Report) headline() string {
	s := &r.Summary
	head := fmt.Sprintf("From %s to %s: ", r.From, r.To)
	switch {
	case s.MustAct > 0:
		head += fmt.Sprintf("%s must be done", report.Count(s.MustAct, "thing"))
		if s.ShouldAct > 0 {
			head += fmt.Sprintf(", %d should be", s.ShouldAct)
		}
	case s.ShouldAct > 0:
		head += fmt.Sprintf("nothing must be done, %s should be", report.Count(s.ShouldAct, "thing"))
	default:
		head += "nothing that was looked at breaks"
	}
	if s.Owners > 0 {
		head += ", by " + report.Count(s.Owners, "owner")
	}
	if s.Incomplete {
		head += "; but not everything could be read"
	}
	return head
}

// ownerKinds are the words for kinds of owners.
var ownerKinds = map[string]string{
	"audit": "client", "manifest": "manifests of", "go": "Go package", "helm": "Helm release", "writer": "writer in the cluster", "cluster": "", "unknown": "",
	"team": "team", "label": "owner", "argocd": "Argo CD application", "flux": "Flux", "manager": "managed by", "namespace": "objects in namespace", "webhook": "",
}

func (o *Owner) title() string {
	return strings.TrimSpace(ownerKinds[o.Kind] + " " + quote.Name(o.Name))
}

// line describes what is to be done.
func (it *Item) line() string {
	text := it.Subject
	switch {
	case fights(it.Rule) > 0:
		if text += ": " + it.Text; it.Replacement != "" {
			text += "; " + it.Replacement
		}
		return text + " [" + it.Rule + "]"
	case it.Rule == "" && it.Category != "api":
		return it.sentence()
	case it.Already:
		text += fmt.Sprintf(": broken in %s already", it.BreaksAt)
	case it.Rule == "deprecatedapi" && it.BreaksAt != "":
		text += ": deprecated, breaks in " + it.BreaksAt
	case it.Rule == "deprecatedapi":
		text += ": deprecated"
	case it.BreaksAt != "":
		text += ": breaks in " + it.BreaksAt
	}
	if it.Replacement != "" {
		text += "; use " + it.Replacement
	}
	if it.Text != "" {
		text += " (" + it.Text + ")"
	}
	if it.Rule != "" {
		text += " [" + it.Rule + "]"
	}
	return text
}

// sentence describes what no rule found: what breaks, and when.
func (it *Item) sentence() string {
	text := it.Subject
	switch {
	case it.Already:
		text += fmt.Sprintf(": broken in %s already", it.BreaksAt)
	case it.BreaksAt != "":
		text += ": breaks in " + it.BreaksAt
	}
	return fmt.Sprintf("%s: %s. %s [%s]", text, it.Text, it.Replacement, it.Category)
}

// line describes where something was seen.
func (e *Evidence) line() string {
	text := quote.Name(e.File)
	if e.Line > 0 {
		text += fmt.Sprintf(":%d", e.Line)
		if e.Column > 0 && e.Source != "audit" {
			text += fmt.Sprintf(":%d", e.Column)
		}
	}
	if e.Object != "" {
		text += ": " + quote.Name(e.Object)
	}
	switch {
	case e.Count > 0:
		text += ": " + report.Count(int(e.Count), "request")
		if e.LastSeen != "" {
			text += ", last " + e.LastSeen
		}
	case e.Object == "" || e.Source == "cluster" || e.Source == "audit":
		text += ": " + e.Text
	}
	return text
}

// seen says what was seen at a place, without the place and the object.
func (e *Evidence) seen() string {
	switch {
	case e.Count > 0 && e.LastSeen != "":
		return report.Count(int(e.Count), "request") + ", last " + e.LastSeen
	case e.Count > 0:
		return report.Count(int(e.Count), "request")
	case e.Object == "" || e.Source == "cluster" || e.Source == "audit":
		return e.Text
	}
	return ""
}

// line describes a place in code.
func (p *Place) line() string {
	return fmt.Sprintf("%s:%d: %s", quote.Name(p.File), p.Line, p.Text)
}

// absence introduces the list of unused APIs.
func (r *Report) absence() string {
	if r.Summary.Removed == 0 {
		return "The releases on the way remove no API."
	}
	var looked []string
	for _, s := range r.Sources {
		if s.Given {
			looked = append(looked, s.Kind)
		}
	}
	if len(r.NoEvidence) == 0 {
		return fmt.Sprintf("Of the %s that go on the way, each is used.", report.Count(r.Summary.Removed, "API"))
	}
	text := fmt.Sprintf("Of the %s that go on the way, %d %s not seen in %s", report.Count(r.Summary.Removed, "API"), len(r.NoEvidence), verb(len(r.NoEvidence), "was", "were"), strings.Join(looked, ", "))
	if r.Summary.Incomplete {
		text += ", as far as that could be read"
	}
	if slices.ContainsFunc(r.Sources, func(s Source) bool { return len(s.Gaps) > 0 }) {
		text += " (what these cannot show is said below)"
	}
	return text + ":"
}

// Absent are the APIs that one release removes and that nothing uses.
type Absent struct {
	Release string
	// APIs are group versions with their kinds, and a note if they are off by
	// default.
	APIs []string
}

func (r *Report) absent(all bool) (lines []Absent) {
	for i := 0; i < len(r.NoEvidence); {
		a := r.NoEvidence[i]
		if a.OffByDefault && !all {
			i++
			continue
		}
		var kinds []string
		j := i
		for ; j < len(r.NoEvidence) && r.NoEvidence[j].RemovedIn == a.RemovedIn && r.NoEvidence[j].APIVersion == a.APIVersion && r.NoEvidence[j].OffByDefault == a.OffByDefault; j++ {
			kinds = append(kinds, r.NoEvidence[j].Kind)
		}
		i = j
		text := a.APIVersion + " " + strings.Join(kinds, " and ")
		if len(kinds) > 2 {
			text = a.APIVersion + " " + strings.Join(kinds[:len(kinds)-1], " ") + " and " + kinds[len(kinds)-1]
		}
		if a.OffByDefault {
			text += " (off by default)"
		}
		if n := len(lines); n > 0 && lines[n-1].Release == a.RemovedIn {
			lines[n-1].APIs = append(lines[n-1].APIs, text)
		} else {
			lines = append(lines, Absent{a.RemovedIn, []string{text}})
		}
	}
	return lines
}

// off counts the unused APIs that are off by default.
func (r *Report) off() (n int) {
	for _, a := range r.NoEvidence {
		if a.OffByDefault {
			n++
		}
	}
	return n
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
