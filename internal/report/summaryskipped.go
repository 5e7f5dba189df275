package report

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// notJudged lists documents that were not checked, although the user may believe that
// they were. Documents that the user need not check are listed only with Verbose:
//
//   - broken documents, which have findings
//   - patches, which are checked with the patched objects
//   - documents that do not parse, which are not manifests
func (out *summaryWriter) notJudged(s *rules.Summary) {
	listed, total := []rules.NotJudged{}, 0
	for reason, n := range s.Skipped {
		if out.listsReason(reason) {
			total += n
		}
	}
	for _, n := range s.NotJudged {
		if out.listsReason(n.Reason) {
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
		out.line(out.paint.style(dim, text))
	}
	out.more(max(total, len(listed)) - shown)
}

// listsReason reports whether the summary lists documents that were skipped for this
// reason.
func (out *summaryWriter) listsReason(reason string) bool {
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

// skippedLine returns a line such as "skipped: 12 templated, 1 broken; also 40 empty", or
// "".
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
// missing dependencies; run `helm dependency build`", or "". For a single chart, the
// command has the chart's directory.
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

// skipNames has the text for each reason to skip a document. The most important reason
// comes first.
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

// skipName returns the text for a reason, or the reason itself if it is not in skipNames.
func skipName(reason string) string {
	for _, s := range skipNames {
		if s.reason == reason {
			return s.name
		}
	}
	return show(reason)
}

// skipOrder sorts reasons in the order of skipNames, and unknown reasons last.
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
