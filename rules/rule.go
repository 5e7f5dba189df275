// Package rules is kubevet's catalogue of rules. It also defines findings and the
// summary of a run.
//
// Every rule has one page, <id>.md, in this directory. The rule's title,
// severity, status and surfaces are only in the front matter of this page.
// `kubevet rules <id>` prints the page's text, and internal/ruletest runs its
// examples as tests. The code that finds the problem is in manifestlint/checks
// for objects and in analyzers for Go. This code refers to a rule only by its
// ID.
//
// The package imports only the standard library, so that reports, analyzers and
// linters can use it.
package rules

import "slices"

//go:generate go run internal/index/main.go README.md

// Rule is one kind of problem, as its page describes it.
type Rule struct {
	// ID is one lower-case word. It is the name of the page's file, and the
	// rule's name in findings, suppressions, flags and configuration.
	ID string `json:"id"`
	// Title is one line without a full stop that describes the problem.
	Title string `json:"title"`
	// Severity is the severity of the rule's findings, unless a finding has its
	// own severity or the user configured another. The page says when a finding
	// has its own severity.
	Severity Severity `json:"severity"`
	// Status is the maturity of the rule.
	Status Status `json:"status"`
	// Surfaces are the kinds of input to which the rule applies, in the order go,
	// manifest, audit. It is never empty.
	Surfaces []Surface `json:"surfaces"`
	// Default reports whether the rule is on by default.
	Default bool `json:"default"`
	// Fix says whether findings can have a fix, and whether the fix needs a
	// review.
	Fix Fix `json:"fix,omitempty"`
	// Since is the kubevet version that introduced the rule, such as "0.1.0".
	Since string `json:"since"`
	// Aliases are former IDs of the rule, or nil. Suppressions and configuration
	// may still use them.
	Aliases []string `json:"aliases,omitempty"`
	// Page is the page's Markdown after its front matter.
	Page string `json:"page"`
	// Line is the line on which Page begins in the page's file. Lines count from
	// 1.
	Line int `json:"-"`
}

// On reports whether the rule applies to surface s.
func (r Rule) On(s Surface) bool { return slices.Contains(r.Surfaces, s) }

// Status is the maturity of a rule. Every rule in the catalogue has a status; the
// zero value is invalid.
type Status string

// The statuses. A rule moves from preview to stable to deprecated. Its page is removed
// one minor version of kubevet after its deprecation.
const (
	// StatusPreview rules may change their findings in any version of kubevet.
	// The severity Preview is unrelated: it is about one finding.
	StatusPreview Status = "preview"
	// StatusStable rules change their findings only in new minor versions of
	// kubevet.
	StatusStable Status = "stable"
	// StatusDeprecated rules will be removed. Their pages give the reason and the
	// replacement.
	StatusDeprecated Status = "deprecated"
)

// Fix says whether the fixes of a rule need a review. The zero value means that
// the rule has no fixes.
type Fix string

// The kinds of fixes.
const (
	// FixSafe means that a fix only removes the problem and changes nothing else.
	// --fix applies it.
	FixSafe Fix = "safe"
	// FixReview means that a fix is usually right but needs a review. --fix=all
	// applies it.
	FixReview Fix = "review"
)

// Surface is a kind of input to which rules apply.
type Surface string

// The surfaces, in the order in which pages and the index name them.
const (
	// SurfaceGo is Go source code.
	SurfaceGo Surface = "go"
	// SurfaceManifest is Kubernetes objects in files, streams, and rendered
	// charts and kustomizations.
	SurfaceManifest Surface = "manifest"
	// SurfaceAudit is the objects in the events of a Kubernetes audit log.
	SurfaceAudit Surface = "audit"
)

// All statuses and surfaces, in the order of pages and indexes.
var (
	statuses = [...]Status{StatusPreview, StatusStable, StatusDeprecated}
	surfaces = [...]Surface{SurfaceGo, SurfaceManifest, SurfaceAudit}
)
