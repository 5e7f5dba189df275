// Package rules is kubevet's catalogue of rules. It also defines findings and the
// summary of a run.
//
// Every rule is one page, <id>.md, in this directory. Only the front matter of the page
// has the rule's title, severity, status and surfaces. `kubevet rules <id>` prints its
// text, and internal/ruletest runs its examples as tests. The code that finds the
// problem is in manifestlint/checks for objects and in analyzers for Go, and names the
// rule by its ID only.
//
// The package imports nothing but the standard library, so that reports, analyzers and
// linters can all use it.
package rules

import "slices"

//go:generate go run internal/index/main.go README.md

// Rule is one kind of problem, as its page describes it.
type Rule struct {
	// ID is one lower-case word: the name of the page's file, and the name in findings,
	// suppressions, flags and configuration.
	ID string `json:"id"`
	// Title is one line without a full stop that describes the problem.
	Title string `json:"title"`
	// Severity is that of the rule's findings, unless a finding has its own or the user
	// configured another. The page says when a finding has its own.
	Severity Severity `json:"severity"`
	// Status is the maturity of the rule.
	Status Status `json:"status"`
	// Surfaces are the kinds of input that the rule is applied to, in the order go,
	// manifest, audit; never empty.
	Surfaces []Surface `json:"surfaces"`
	// Default reports whether the rule is on by default.
	Default bool `json:"default"`
	// Fix says whether findings may have a fix, and whether it needs a review.
	Fix Fix `json:"fix,omitempty"`
	// Since is the kubevet version that introduced the rule, such as "0.1.0".
	Since string `json:"since"`
	// Aliases are former IDs of the rule; suppressions and configuration may still use
	// them. Usually nil.
	Aliases []string `json:"aliases,omitempty"`
	// Page is the page's Markdown after its front matter.
	Page string `json:"page"`
	// Line is the line of the page's file on which Page starts, counted from 1.
	Line int `json:"-"`
}

// On reports whether the rule is applied to surface s.
func (r Rule) On(s Surface) bool { return slices.Contains(r.Surfaces, s) }

// Status is the maturity of a rule. Every rule of the catalogue has one; the zero value
// is invalid.
type Status string

// The statuses. A rule moves from preview to stable to deprecated. Its page is removed
// one minor version of kubevet after its deprecation.
const (
	// StatusPreview rules may change their findings in any version. The severity of the
	// same name is about a finding, not about a rule.
	StatusPreview Status = "preview"
	// StatusStable rules have more or fewer findings only from minor version to minor
	// version.
	StatusStable Status = "stable"
	// StatusDeprecated rules are about to be removed. Their page gives the reason and
	// the replacement.
	StatusDeprecated Status = "deprecated"
)

// Fix says whether a rule's fixes need a review. The zero value means that the rule has
// none.
type Fix string

// The kinds of fixes.
const (
	// FixSafe fixes only remove the problem: the program or the object does the same
	// otherwise. --fix applies them.
	FixSafe Fix = "safe"
	// FixReview fixes compile and are usually right, but need a review; --fix=all
	// applies them.
	FixReview Fix = "review"
)

// Surface is a kind of input that rules are applied to.
type Surface string

// The surfaces, in the order in which pages and the index name them.
const (
	// SurfaceGo is Go source code.
	SurfaceGo Surface = "go"
	// SurfaceManifest is Kubernetes objects in files, streams and renders.
	SurfaceManifest Surface = "manifest"
	// SurfaceAudit is the objects in the events of a Kubernetes audit log.
	SurfaceAudit Surface = "audit"
)

// The closed sets in their canonical order.
var (
	statuses = [...]Status{StatusPreview, StatusStable, StatusDeprecated}
	surfaces = [...]Surface{SurfaceGo, SurfaceManifest, SurfaceAudit}
)
