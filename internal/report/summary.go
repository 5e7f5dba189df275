package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// summaryListed is the maximal number of entries in each list of a summary without
// Verbose.
const summaryListed = 10

// WriteSummary writes the summary of a run for people. s may be nil. Text from inputs is
// escaped. The summary has:
//
//   - the number of findings by rule
//   - the number of checked objects, the target and the time
//   - the objects without a schema, by kind
//   - the skipped documents by reason, with the names of the first
//   - the inputs that could not be read, and the functions that could not be type-checked
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
	if sum.Incomplete() {
		out.line(out.paint.in(boldRed, "incomplete: ") + incompleteReason(&sum))
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

// limit returns the number of entries to show from a list with n entries.
func (out *summaryWriter) limit(n int) int {
	if out.o.Verbose {
		return n
	}
	return min(n, summaryListed)
}

// notJudged lists documents that were not checked, although the user may believe that
// they were. Three kinds are listed only with Verbose, because the user need not check
// them. Broken documents have findings. Patches are checked with the patched objects.
// Documents that do not parse are not manifests.
func (out *summaryWriter) notJudged(s *rules.Summary) {
	listed, total := []rules.NotJudged{}, 0
	for reason, n := range s.Skipped {
		if out.names(reason) {
			total += n
		}
	}
	for _, n := range s.NotJudged {
		if out.names(n.Reason) {
			listed = append(listed, n)
		}
	}
	shown := 0
	for entries := 0; shown < len(listed) && entries < out.limit(len(listed)); entries++ {
		first := listed[shown]
		same := 1 // number of documents in one file with the same reason
		for shown+same < len(listed) && sameFile(first, listed[shown+same]) {
			same++
		}
		shown += same
		place := showFile(first.File)
		if first.Line > 0 {
			place += fmt.Sprintf(":%d", first.Line)
		}
		text := "  " + place + ": " + skipName(first.Reason)
		if same > 1 {
			text += ", " + thousands(same) + " documents"
		}
		if first.Detail != "" {
			text += " (" + show(first.Detail) + ")"
		}
		out.line(out.paint.in(dim, text))
	}
	out.more(max(total, len(listed)) - shown)
}

// names reports whether the summary lists the documents that were skipped for a reason.
func (out *summaryWriter) names(reason string) bool {
	switch reason {
	case rules.SkipEmpty, rules.SkipNotKubernetes, rules.SkipRendered, rules.SkipReleaseHistory, rules.SkipUnrenderedTemplate:
		return false
	case rules.SkipBroken, rules.SkipUntyped, rules.SkipPatch, rules.SkipMissingDependency, rules.SkipUnparsable:
		return out.o.Verbose
	}
	return true
}

func sameFile(a, b rules.NotJudged) bool {
	return a.File == b.File && a.Reason == b.Reason && a.Detail == b.Detail
}

func (out *summaryWriter) unreadable(s *rules.Summary) {
	n := max(s.UnreadableCount, len(s.Unreadable))
	if n == 0 {
		return
	}
	text := "could not read " + unreadable(s, n, "") + ":"
	if s.Code != nil {
		text = "could not analyze " + unreadable(s, n, "") + " completely:"
	}
	out.line(out.paint.in(boldRed, text))
	shown := out.limit(len(s.Unreadable))
	for _, u := range s.Unreadable[:shown] {
		text := quote.Within(u.Error, u.File)
		if s.Code == nil && strings.Contains(text, quote.Name(u.File)) { // the text has the name already, like errors of package os
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

// skippedFunctions lists the Go functions that were not analyzed.
func (out *summaryWriter) skippedFunctions(s *rules.Summary) {
	if s.Code == nil || s.Code.SkippedFunctionCount == 0 {
		return
	}
	out.line(skippedFunctionsLine(s.Code) + ":")
	shown := out.limit(len(s.Code.SkippedFunctions))
	for _, f := range s.Code.SkippedFunctions[:shown] {
		out.line(out.paint.in(dim, fmt.Sprintf("  %s:%d: %s", showFile(f.File), f.Line, show(f.Name))))
	}
	out.more(s.Code.SkippedFunctionCount - shown)
}

// skippedFunctionsLine returns a line such as "skipped 2 functions that could not be
// type-checked".
func skippedFunctionsLine(c *rules.CodeSummary) string {
	return "skipped " + plural(c.SkippedFunctionCount, "function", "functions") + " that could not be type-checked"
}

func (out *summaryWriter) more(n int) {
	if n > 0 {
		out.line(out.paint.in(dim, "  and "+thousands(n)+" more"))
	}
}

// nothingRead reports whether a run over manifests had no input at all.
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

// noFindings returns the line for a run without findings. If a run over Go code is
// incomplete, the line says what this means.
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

// codeLine returns a line such as "analyzed 80 packages (9 more do not use Kubernetes),
// 50 writes and 2 clients, 3 calls not understood, in 2.4s".
func codeLine(s *rules.Summary) string {
	c := s.Code
	line := "analyzed " + plural(max(c.Packages-c.Skipped-c.Excluded.TestPackages, 0), "package", "packages")
	if c.Skipped > 0 {
		line += " (" + plural(c.Skipped, "more does", "more do") + " not use Kubernetes)"
	}
	line += ": " + plural(c.Writes, "write", "writes")
	if c.Clients > 0 {
		line += " and " + plural(c.Clients, "client", "clients")
	}
	if c.Unresolved > 0 {
		line += ", " + plural(c.Unresolved, "call", "calls") + " not understood"
	}
	if s.Seconds > 0 {
		line += ", in " + duration(s.Seconds)
	}
	return line
}

// excludedLine returns a line such as "excluded: 2 packages and 14 files of test code, 3
// generated files, 1 fake". It returns "" if nothing is excluded.
func excludedLine(s *rules.Summary) string {
	if s.Code == nil {
		return ""
	}
	e := &s.Code.Excluded
	var tests, parts []string
	if e.TestPackages > 0 {
		tests = append(tests, plural(e.TestPackages, "package", "packages"))
	}
	if e.TestFiles > 0 {
		tests = append(tests, plural(e.TestFiles, "file", "files"))
	}
	if len(tests) > 0 {
		parts = append(parts, strings.Join(tests, " and ")+" of test code")
	}
	if e.GeneratedFiles > 0 {
		parts = append(parts, plural(e.GeneratedFiles, "generated file", "generated files"))
	}
	if e.Fakes > 0 {
		parts = append(parts, plural(e.Fakes, "function of a fake", "functions of fakes"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "excluded: " + strings.Join(parts, ", ")
}

// targetLine returns a line such as "target 1.31, from k8s.io/client-go v0.31.2", for a
// run over Go code.
func targetLine(s *rules.Summary) string {
	if s.Code == nil || s.Target == "" {
		return ""
	}
	line := "target " + show(s.Target)
	if s.Code.TargetSource != "" {
		line += ", from " + show(s.Code.TargetSource)
	}
	return line
}

// settingNames has the names of the settings that rules check in writes. The setting with
// the most important rule comes first.
var settingNames = [...]struct{ key, name string }{
	{"dryRun", "dry-run"},
	{"fieldManager", "field manager"},
	{"force", "force"},
	{"fieldValidation", "field validation"},
}

// unknownLine returns a line such as "not known: dry-run of 3 writes, field manager of
// 5". It returns "" if all settings are known.
func unknownLine(s *rules.Summary) string {
	if s.Code == nil {
		return ""
	}
	var parts []string
	for _, setting := range settingNames {
		if n := s.Code.Unknown[setting.key]; n > 0 {
			text := setting.name + " of " + thousands(n)
			if len(parts) == 0 {
				text = setting.name + " of " + plural(n, "write", "writes")
			}
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "not known: " + strings.Join(parts, ", ")
}

// unchecked writes a line with the kinds without a schema. With Verbose, it also writes
// the positions of their objects.
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
			if at == last { // the same place, from another build of the file
				continue
			}
			last = at
			place := showFile(at.File)
			if at.Line > 0 {
				place += fmt.Sprintf(":%d:%d", at.Line, at.Column)
			}
			out.line(out.paint.in(dim, "  "+place+": no schema of "+uncheckedName(&k)))
		}
		out.more(k.Objects - shown)
	}
}

// uncheckedLine returns a line such as "not checked: 403 objects without a schema: 201
// HelmRelease (helm.toolkit.fluxcd.io/v2), ... and 3 more kinds; add their definitions or
// schemas with --context". It has at most limit kinds, those with most objects first. It
// returns "" if all objects were checked.
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
		out.line(out.paint.in(dim, "  "+quote.Text(u.Reasons[i].What)+" ("+plural(u.Reasons[i].Objects, "object", "objects")+")"))
	}
	out.more(len(u.Reasons) - shown)
}

// countUnchecked returns the total number of objects of the kinds.
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

// UncheckedLine returns the line of the summary about objects without a schema. It
// returns "" if there are none.
func UncheckedLine(s *rules.Summary) string {
	sum := completeSummary(s)
	return uncheckedLine(&sum, min(len(sum.Unchecked.Kinds), summaryListed))
}

// uncheckedName returns a kind with its API version, such as "HelmRelease
// (helm.toolkit.fluxcd.io/v2)".
func uncheckedName(k *rules.UncheckedKind) string {
	return showName(k.Kind) + " (" + showName(k.APIVersion) + ")"
}

// unreadable returns the number of inputs that could not be read. For Go code, these are
// packages. more is a word before the noun, with a space.
func unreadable(s *rules.Summary, n int, more string) string {
	if s.Code != nil {
		return plural(n, more+"package", more+"packages")
	}
	return plural(n, more+"input", more+"inputs")
}

// readVerb returns the verb that says what was not possible.
func readVerb(s *rules.Summary) string {
	if s.Code != nil {
		return "analyzed completely"
	}
	return "read"
}

// skippedLine returns a line such as "skipped: 12 templated, 1 broken; also 40 empty". It
// returns "" if every document was checked.
func skippedLine(s *rules.Summary) string {
	var loud, quiet []string
	for _, reason := range skipOrder(s.Skipped) {
		n := s.Skipped[reason]
		part := thousands(n) + " " + skipName(reason)
		switch {
		case n <= 0, reason == rules.SkipRendered: // it was checked after rendering
		case reason == rules.SkipMissingDependency, reason == rules.SkipUnrenderedTemplate: // unrenderedLine reports these
		case reason == rules.SkipEmpty || reason == rules.SkipNotKubernetes || reason == rules.SkipUnparsable:
			quiet = append(quiet, part)
		default:
			loud = append(loud, part)
		}
	}
	switch {
	case len(loud) == 0 && len(quiet) == 0:
		return ""
	case len(loud) == 0:
		return "skipped: " + strings.Join(quiet, ", ")
	case len(quiet) == 0:
		return "skipped: " + strings.Join(loud, ", ")
	}
	return "skipped: " + strings.Join(loud, ", ") + "; also " + strings.Join(quiet, ", ")
}

// unrenderedLine returns a line such as "118 charts not rendered (3,644 documents):
// missing dependencies; run `helm dependency build`". If there is only one chart, the
// line has its name. It returns "" if there are none.
func unrenderedLine(s *rules.Summary) string {
	charts := s.Skipped[rules.SkipMissingDependency]
	if charts == 0 {
		return ""
	}
	line := plural(charts, "chart", "charts") + " not rendered"
	if n := s.Skipped[rules.SkipUnrenderedTemplate]; n > 0 {
		line += " (" + plural(n, "document", "documents") + ")"
	}
	command := "helm dependency build"
	if charts == 1 {
		for _, n := range s.NotJudged {
			if path.Base(n.File) == "Chart.yaml" && n.Reason == rules.SkipMissingDependency {
				command += " " + showFile(path.Dir(n.File))
			}
		}
	}
	return line + ": missing dependencies; run `" + command + "`"
}

// skipNames has the name of each reason for skipping a document. The most important
// reason comes first.
var skipNames = [...]struct{ reason, name string }{
	{rules.SkipTemplated, "templated"},
	{rules.SkipTooLarge, "too large"},
	{rules.SkipNotRendered, "not rendered"},
	{rules.SkipNotFetched, "not fetched"},
	{rules.SkipMissingDependency, "not rendered"},
	{rules.SkipUnrenderedTemplate, "in a chart that is not rendered"},
	{rules.SkipBroken, "broken"},
	{rules.SkipUntyped, "without kind or apiVersion"},
	{rules.SkipBinary, "binary"},
	{rules.SkipPatch, "Kustomize patch"},
	{rules.SkipRendered, "checked as rendered"},
	{rules.SkipReleaseHistory, "replaced Helm release revision"},
	{rules.SkipEmpty, "empty"},
	{rules.SkipNotKubernetes, "not Kubernetes"},
	{rules.SkipUnparsable, "unparsable without a sign of a manifest"},
}

// skipName returns the name of a reason. If it has none, skipName returns the reason
// itself.
func skipName(reason string) string {
	for _, s := range skipNames {
		if s.reason == reason {
			return s.name
		}
	}
	return show(reason)
}

// skipOrder sorts reasons. Reasons in skipNames come first, in that order. Other reasons
// follow.
func skipOrder(skipped map[string]int) []string {
	rank := func(reason string) int {
		for i, s := range skipNames {
			if s.reason == reason {
				return i
			}
		}
		return len(skipNames)
	}
	return slices.SortedFunc(maps.Keys(skipped), func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
}

// incompleteReason returns the reason why a run is incomplete, as text.
func incompleteReason(s *rules.Summary) string {
	var parts []string
	if n := max(s.UnreadableCount, len(s.Unreadable)); n > 0 {
		parts = append(parts, unreadable(s, n, "")+" could not be "+readVerb(s))
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

// size returns a number of bytes as text in decimal units, such as "1.2 MB".
func size(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return plural(int(n), "byte", "bytes")
	}
	v, unit := float64(n)/1000, 0
	for ; v >= 999.95 && unit < len(units)-1; unit++ {
		v /= 1000
	}
	return fmt.Sprintf("%.1f %cB", v, units[unit])
}

// duration returns a number of seconds as text, such as "0.042s", "1.3s" or "2m5s".
func duration(seconds float64) string {
	switch {
	case seconds < 1:
		return fmt.Sprintf("%.3fs", seconds)
	case seconds < 60:
		return fmt.Sprintf("%.1fs", seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}
