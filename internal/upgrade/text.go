package upgrade

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// placesShown is the number of places that an item shows without Verbose.
const placesShown = 3

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
	if n := r.countOffByDefault(); n > 0 && !l.Verbose {
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
		fmt.Fprintf(w, "\n%s\n", leftOutText(n))
	}
	if n := r.Summary.Accepted; n > 0 {
		fmt.Fprintf(w, "\n%s\n", acceptedText(n))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "%snote: %s%s\n", dim, quote.Text(n), reset)
	}
}

// part is one part of the report as text.
type part struct {
	title string
	// about is a sentence that explains the title. It may be empty.
	about  string
	owners []Owner
}

// parts returns the parts that have items. Items that the old release already breaks are
// a separate part.
func (r *Report) parts() (all []part) {
	for _, p := range []part{
		{"Must act", "", r.MustAct},
		{"Should act", "", ownersWith(r.ShouldAct, func(it *Item) bool { return !it.Already })},
		{"Already broken in " + r.From, "not caused by the upgrade", ownersWith(r.ShouldAct, func(it *Item) bool { return it.Already })},
	} {
		if len(p.owners) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// ownersWith returns copies of the owners that have only the items for which keep returns
// true. Owners without items are left out.
func ownersWith(list []Owner, keep func(*Item) bool) (kept []Owner) {
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

// countShouldAct counts the items of ShouldAct. broken counts the items that the old
// release already breaks, should all others.
func (r *Report) countShouldAct() (should, broken int) {
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
				most = min(most, placesShown)
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

// leftOutText returns a sentence about n facts that need no action.
func leftOutText(n int) string {
	return fmt.Sprintf("%s left out that %s for nothing: of clients that read everything there is, of the control plane itself, of what is over.", report.Count(n, "observation"), verb(n, "asks", "ask"))
}

func acceptedText(n int) string {
	return fmt.Sprintf("%s left out that the baseline has.", report.Count(n, "item"))
}

func (r *Report) headline() string {
	must, owners := r.Summary.MustAct, map[[2]string]bool{}
	var kinds []string
	should, broken := r.countShouldAct()
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
		head += ", by " + ownerCounts(kinds)
	}
	if broken > 0 {
		head += fmt.Sprintf("; %s broken in %s already", plural(broken, "thing is", "things are"), r.From)
	}
	if r.Summary.Incomplete {
		head += "; but not everything could be read"
	}
	return head
}
