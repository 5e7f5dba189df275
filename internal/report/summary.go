package report

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// summaryListed is the maximal number of entries in each list of a summary, unless
// Verbose is set.
const summaryListed = 10

// WriteSummary writes the summary of a run for people. s may be nil. Text from inputs is
// escaped. The summary has:
//
//   - the number of findings by rule
//   - the number of checked objects, the target and the time
//   - the objects without a schema, by kind
//   - the skipped documents by reason, with the names of the first
//   - the inputs that could not be read, and the functions that could not be type-checked
//   - the calls that were not understood, if Verbose is set
func WriteSummary(w io.Writer, s *rules.Summary, o Options) error {
	sum := completeSummary(s)
	out := summaryWriter{bufio.NewWriter(w), o, paint(o.Color)}
	switch {
	case !nothingRead(&sum):
		out.line(findingsLine(&sum))
		out.line(checkedLine(&sum))
		if line := targetLine(&sum); line != "" {
			out.line(line)
		}
	case !sum.Incomplete():
		out.line("nothing to check")
	}
	out.unchecked(&sum)
	out.undecided(&sum)
	if line := excludedLine(&sum); line != "" {
		out.line(line)
	}
	if line := unknownLine(&sum); line != "" {
		out.line(line)
	}
	if line := skippedLine(&sum); line != "" {
		out.line(line)
	}
	out.notJudged(&sum)
	if line := unrenderedLine(&sum); line != "" {
		out.line(line)
	}
	out.unreadable(&sum)
	out.skippedFunctions(&sum)
	out.unresolvedCalls(&sum)
	if sum.Incomplete() {
		out.line(out.paint.style(boldRed, "incomplete: ") + incompleteReason(&sum))
	}
	return out.w.Flush()
}

type summaryWriter struct {
	w     *bufio.Writer
	o     Options
	paint paint
}

func (out *summaryWriter) line(s string) {
	out.w.WriteString(s)
	out.w.WriteByte('\n')
}

// limit returns how many of n entries of a list are shown.
func (out *summaryWriter) limit(n int) int {
	if out.o.Verbose {
		return n
	}
	return min(n, summaryListed)
}

func (out *summaryWriter) unreadable(s *rules.Summary) {
	n := max(s.UnreadableCount, len(s.Unreadable))
	if n == 0 {
		return
	}
	text := "could not read " + inputCount(s, n, "") + ":"
	if s.Code != nil {
		text = "could not analyze " + inputCount(s, n, "") + " completely:"
	}
	out.line(out.paint.style(boldRed, text))
	shown := out.limit(len(s.Unreadable))
	for _, u := range s.Unreadable[:shown] {
		text := quote.Within(u.Error, u.File)
		if s.Code == nil && strings.Contains(text, quote.Name(u.File)) { // errors of package os already have the name of the file
			out.line("  " + show(text))
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				out.line("    " + show(line))
				continue
			}
			out.line("  " + showFile(u.File) + ": " + show(line))
		}
	}
	out.more(n - shown)
}

func (out *summaryWriter) more(n int) {
	if n > 0 {
		out.line(out.paint.style(dim, "  and "+thousands(n)+" more"))
	}
}

// nothingRead reports whether a run over manifests had no input.
func nothingRead(s *rules.Summary) bool {
	return s.Code == nil && s.Files == 0 && s.Objects == 0 && s.Documents == 0 && len(s.Findings) == 0
}

// findingsLine returns a line such as "4 findings: 3 removedapi, 1 syntax; 2 suppressed,
// 5 in the baseline". The rule with most findings comes first.
func findingsLine(s *rules.Summary) string {
	total := 0
	ids := slices.SortedFunc(maps.Keys(s.Findings), func(a, b string) int {
		if d := s.Findings[b] - s.Findings[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	parts := make([]string, 0, len(ids))
	for _, id := range ids {
		if n := s.Findings[id]; n > 0 {
			total += n
			parts = append(parts, thousands(n)+" "+show(id))
		}
	}
	line := noFindings(s)
	if total > 0 {
		line = plural(total, "finding", "findings") + ": " + strings.Join(parts, ", ")
	}
	var hidden []string
	if s.Suppressed > 0 {
		hidden = append(hidden, thousands(s.Suppressed)+" suppressed")
	}
	if s.Baselined > 0 {
		hidden = append(hidden, thousands(s.Baselined)+" in the baseline")
	}
	if len(hidden) > 0 {
		line += "; " + strings.Join(hidden, ", ")
	}
	return line
}

// noFindings returns the line for a run without findings. For Go code, the line also says
// if the run is incomplete.
func noFindings(s *rules.Summary) string {
	switch {
	case s.Code == nil || !s.Incomplete():
		return "no findings"
	case s.Files == 0:
		return "no code could be analyzed"
	}
	return "no findings in the code that could be analyzed"
}

// notPrintedLine returns a line such as "2,345 more findings are not printed (12 errors,
// 2,333 warnings); --max-findings 0 prints all". It returns "" if all findings are
// printed.
func notPrintedLine(s *rules.Summary) string {
	if s == nil || s.NotPrinted == nil || s.NotPrinted.Findings == 0 {
		return ""
	}
	var counts tally
	counts.addNotPrinted(s)
	return plural(s.NotPrinted.Findings, "more finding is", "more findings are") + " not printed (" + counts.String() + "); --max-findings 0 prints all"
}

// checkedLine returns a line such as "checked 120 objects in 45 files (1.2 MB) against
// Kubernetes 1.37 in 0.42s".
func checkedLine(s *rules.Summary) string {
	if s.Code != nil {
		return codeLine(s)
	}
	line := "checked " + plural(s.Objects-s.Unchecked.Objects, "object", "objects")
	line += " in " + plural(s.Files, "file", "files")
	if s.Scripts > 0 {
		line += ", of which " + plural(s.Scripts, "is a script", "are scripts")
	}
	if s.Bytes > 0 {
		line += " (" + size(s.Bytes) + ")"
	}
	if s.Target != "" {
		line += " against Kubernetes " + show(s.Target)
	}
	if s.Seconds > 0 {
		line += " in " + duration(s.Seconds)
	}
	return line
}

// inputCount returns a text such as "2 inputs" or "2 packages". more is a word before the
// noun, followed by a space, or "".
func inputCount(s *rules.Summary, n int, more string) string {
	if s.Code != nil {
		return plural(n, more+"package", more+"packages")
	}
	return plural(n, more+"input", more+"inputs")
}

// readVerb returns the verb after "could not be": "read", or for Go code "analyzed
// completely".
func readVerb(s *rules.Summary) string {
	if s.Code != nil {
		return "analyzed completely"
	}
	return "read"
}

// incompleteReason returns a text such as "2 inputs could not be read and 1 document is
// too large".
func incompleteReason(s *rules.Summary) string {
	var parts []string
	if n := max(s.UnreadableCount, len(s.Unreadable)); n > 0 {
		parts = append(parts, inputCount(s, n, "")+" could not be "+readVerb(s))
	}
	if n := s.Skipped[rules.SkipTooLarge]; n > 0 {
		verb := " are too large"
		if n == 1 {
			verb = " is too large"
		}
		parts = append(parts, plural(n, "document", "documents")+verb)
	}
	return strings.Join(parts, " and ")
}
