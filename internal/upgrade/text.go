package upgrade

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// Look has the options of formats for people.
type Look struct {
	Color bool
	// Width is the width of the terminal in columns. 0 means no limit.
	Width int
	// If Verbose is true, the report shows all evidence.
	Verbose bool
	// Link returns the address of a line in a file, or "". If it is nil, pages have no
	// links to files.
	Link func(file string, line int) string
	// RulePages is the address of the directory with the pages about rules. If it is
	// empty, there are no links to them.
	RulePages string
	// Version is the version of kubevet. It is empty if unknown.
	Version string
	// Now is the time of the report, which pages and Markdown print.
	Now time.Time
}

// date returns the day of the report, such as "2026-01-31".
func (l *Look) date() string { return l.Now.UTC().Format(time.DateOnly) }

// Formats returns the names of all formats.
func Formats() []string { return []string{"text", "json", "html", "markdown"} }

// Write writes the report in one of the formats. It returns the errors of w, and an error
// for an unknown format.
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

// shown is the number of places that an item shows without Verbose.
const shown = 3

// text writes the report as text for a terminal.
func (r *Report) text(w *bufio.Writer, l Look) {
	bold, dim, reset := "", "", ""
	if l.Color {
		bold, dim, reset = "\x1b[1m", "\x1b[2m", "\x1b[0m"
	}
	fmt.Fprintf(w, "%s%s%s\n", bold, quote.Text(r.headline()), reset)
	if c := r.caution(); c != "" {
		fmt.Fprintln(w, quote.Text(c))
	}
	if c := r.Compared; c.Since != "" {
		fmt.Fprintf(w, "Since %s: %d done, %d new, %d still open\n", quote.Name(c.Since), c.Done, c.New, c.Open)
	}
	for _, part := range r.parts() {
		part.text(w, l.Verbose, bold, dim, reset)
	}
	fmt.Fprintf(w, "\n%sNo evidence%s\n", bold, reset)
	fmt.Fprintf(w, "  %s\n", quote.Text(r.absence()))
	for _, line := range r.absent(l.Verbose) {
		fmt.Fprintf(w, "    %s\n", quote.Text(line.Release+": "+strings.Join(line.APIs, ", ")))
	}
	if n := r.off(); n > 0 && !l.Verbose {
		fmt.Fprintf(w, "    %d of them are off by default: -v lists them, too\n", n)
	}
	fmt.Fprintf(w, "\n%sWhat was examined%s\n", bold, reset)
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

// part is one part of the report as text. It has owners with their items.
type part struct {
	title string
	// about is a sentence that explains the title. It may be empty.
	about  string
	owners []Owner
}

// parts returns the parts that have items. Items that are already broken in the old
// release are in a part of their own.
func (r *Report) parts() (all []part) {
	for _, p := range []part{
		{"Must act", "", r.MustAct},
		{"Should act", "", having(r.ShouldAct, func(it *Item) bool { return !it.Already })},
		{"Already broken in " + r.From, "not caused by the upgrade", having(r.ShouldAct, func(it *Item) bool { return it.Already })},
	} {
		if len(p.owners) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// having returns the owners who have items for which keep returns true, with only these
// items.
func having(list []Owner, keep func(*Item) bool) (kept []Owner) {
	for _, o := range list {
		items := o.Items
		o.Items = nil
		for i := range items {
			if keep(&items[i]) {
				o.Items = append(o.Items, items[i])
			}
		}
		if len(o.Items) > 0 {
			kept = append(kept, o)
		}
	}
	return kept
}

// advisable counts the items of ShouldAct. should counts the items that the upgrade
// concerns, broken the items that are already broken in the old release.
func (r *Report) advisable() (should, broken int) {
	for i := range r.ShouldAct {
		for j := range r.ShouldAct[i].Items {
			if r.ShouldAct[i].Items[j].Already {
				broken++
			} else {
				should++
			}
		}
	}
	return should, broken
}

// text writes a part: its owners, their items, and the places of the items.
func (p *part) text(w *bufio.Writer, verbose bool, bold, dim, reset string) {
	fmt.Fprintf(w, "\n%s%s%s", bold, quote.Text(p.title), reset)
	if p.about != "" {
		fmt.Fprintf(w, " (%s)", p.about)
	}
	fmt.Fprintln(w)
	for _, o := range p.owners {
		fmt.Fprintf(w, "  %s%s%s\n", bold, quote.Text(o.Title()), reset)
		for i := range o.Items {
			it := &o.Items[i]
			fmt.Fprintf(w, "    %s\n", quote.Text(it.line()))
			most := len(it.Evidence)
			if !verbose {
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

// left returns a sentence about n facts that need no action.
func left(n int) string {
	return fmt.Sprintf("%s left out that %s for nothing: of clients that read everything there is, of the control plane itself, of what is over.", report.Count(n, "observation"), verb(n, "asks", "ask"))
}

// accepted returns a sentence about n items that the baseline has.
func accepted(n int) string {
	return fmt.Sprintf("%s left out that the baseline has.", report.Count(n, "item"))
}

// headline returns one sentence that summarises the report.
func (r *Report) headline() string {
	must, owners := r.Summary.MustAct, map[[2]string]bool{}
	var kinds []string
	should, broken := r.advisable()
	for o, it := range r.items() {
		if k := [2]string{o.Kind, o.Name}; !it.Already && !owners[k] {
			owners[k] = true
			kinds = append(kinds, o.Kind)
		}
	}
	head := fmt.Sprintf("From %s to %s: ", r.From, r.To)
	switch {
	case must > 0:
		head += fmt.Sprintf("%s must be done", report.Count(must, "thing"))
		if should > 0 {
			head += fmt.Sprintf(", %d should be", should)
		}
	case should > 0:
		head += fmt.Sprintf("nothing must be done, %s should be", report.Count(should, "thing"))
	default:
		head += "nothing that was examined breaks"
	}
	if len(owners) > 0 {
		head += ", by " + parties(kinds)
	}
	if broken > 0 {
		head += fmt.Sprintf("; %s broken in %s already", plural(broken, "thing is", "things are"), r.From)
	}
	if r.Summary.Incomplete {
		head += "; but not everything could be read"
	}
	return head
}

// ownerKinds has the word for each kind of owner.
var ownerKinds = map[string]string{
	"audit": "client", "manifest": "manifests of", "go": "Go package", "helm": "Helm release", "writer": "writer in the cluster", "cluster": "", "unknown": "",
	"team": "team", "label": "owner", "argocd": "Argo CD application", "flux": "Flux", "manager": "managed by", "namespace": "objects in namespace", "webhook": "",
}

// Title returns the kind and the name of an owner. For a client it also returns the
// probable owner.
func (o *Owner) Title() string {
	return strings.TrimSpace(ownerKinds[o.Kind]+" "+quote.Name(o.Name)) + o.probably()
}

// probably returns a text with the probable owner of a client, or "".
func (o *Owner) probably() string {
	if o.Likely == "" {
		return ""
	}
	return ", probably " + quote.Text(o.Likely) + ": same namespace"
}

// line returns an item as one line.
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
	case it.Rule == warning && it.BreaksAt != "":
		text += ": the server warns from " + it.BreaksAt + " on"
	case it.Rule == "deprecatedfield" && it.BreaksAt != "":
		text += ": has no effect from " + it.BreaksAt + " on"
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
	if it.Replacement == "" && it.Category == "verdict" {
		text += ". " + correct
	}
	if it.Rule != "" {
		text += " [" + it.Rule + "]"
	}
	return text
}

// sentence returns the line of an item that has no rule. It says what breaks, and when.
func (it *Item) sentence() string {
	text := it.Subject
	switch {
	case it.Already:
		text += fmt.Sprintf(": broken in %s already", it.BreaksAt)
	case it.Category == "drain" || it.Category == "webhook" || it.Category == "certificate":
		if it.BreaksAt != "" {
			text += ": before " + it.BreaksAt
		}
	case it.Category == "skew" && it.BreaksAt != "":
		text += ": not supported with an API server of " + it.BreaksAt
	case it.Category == "default":
		text += ": the default changes in " + it.BreaksAt
	case it.BreaksAt != "":
		text += ": breaks in " + it.BreaksAt
	}
	return fmt.Sprintf("%s: %s. %s [%s]", text, it.Text, it.Replacement, it.Category)
}

// line returns a place and what was found there.
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
		text += ": " + e.requests()
	case e.Object == "" || e.Source == "cluster" || e.Source == "audit":
		text += ": " + e.Text
	}
	return text
}

// seen returns what was found at a place, without the place and the object.
func (e *Evidence) seen() string {
	switch {
	case e.Count > 0:
		return e.requests()
	case strings.HasPrefix(e.Text, SetFor):
		return e.Text
	case e.Object == "" || e.Source == "cluster" || e.Source == "audit":
		return e.Text
	}
	return ""
}

// requests returns the number of requests as text. If there are several, it says that the
// place is the first of them.
func (e *Evidence) requests() string {
	text := report.Count(int(e.Count), "request")
	if e.Line > 0 && e.Count > 1 {
		text += ", the first here"
	}
	switch {
	case e.LastSeen == "":
	case e.Count > 1:
		text += ", the last at " + e.LastSeen
	default:
		text += " at " + e.LastSeen
	}
	return text
}

// SetFor is the beginning of Evidence.Text for a setting of a program. The name of the
// program follows it.
const SetFor = "set for "

// line returns a place in code as one line.
func (p *Place) line() string {
	return fmt.Sprintf("%s:%d: %s", quote.Name(p.File), p.Line, p.Text)
}

// absence returns the sentence before the list of unused APIs.
func (r *Report) absence() string {
	if r.Summary.Removed == 0 {
		return "The releases on the way remove no API."
	}
	var looked []string
	for _, s := range r.Sources {
		if s.Given {
			looked = append(looked, cmp.Or(sourceNames[s.Kind], s.Kind))
		}
	}
	removed := report.Count(r.Summary.Removed, "API")
	if len(r.NoEvidence) == 0 {
		return fmt.Sprintf("The releases on the way remove %s. %s in use.", removed, verb(r.Summary.Removed, "It is", "All of them are"))
	}
	which := fmt.Sprintf("%d of them %s not seen", len(r.NoEvidence), verb(len(r.NoEvidence), "was", "were"))
	switch {
	case r.Summary.Removed == 1:
		which = "It was not seen"
	case len(r.NoEvidence) == r.Summary.Removed:
		which = "None of them was seen"
	}
	text := fmt.Sprintf("The releases on the way remove %s. %s in the %s given", removed, which, enumerate(looked))
	if r.Summary.Incomplete {
		text += ", as far as they could be read"
	}
	text += "."
	if slices.ContainsFunc(r.Sources, func(s Source) bool { return len(s.Gaps) > 0 }) {
		text += " This proves little where the evidence has gaps."
	}
	return text
}

// sourceNames has the words for kinds of sources whose name differs from the kind.
var sourceNames = map[string]string{"audit": "audit logs", "code": "Go code"}

// enumerate joins a list as in "a, b and c".
func enumerate(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// Absent has the unused APIs that one release removes.
type Absent struct {
	Release string
	// APIs has a text for each API version. The text has the kinds, and a note if they
	// are off by default.
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

// off returns the number of unused APIs that are off by default.
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
