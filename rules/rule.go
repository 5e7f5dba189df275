// Package rules is kubevet's catalogue: what it can find, and the finding
// itself.
//
// Every rule is one page, <id>.md, in this directory. The front matter of the
// page is the only place where the rule's title, severity, status and surfaces
// are written; its prose is what `kubevet rules <id>` prints; its examples are
// run as tests by internal/ruletest. The code that finds the problem lives
// elsewhere, in manifestlint/checks for objects and in analyzers for Go, and
// names the rule by its ID only.
//
// The package imports nothing but the standard library, so that reports,
// analyzers and linters can all share it.
package rules

import "slices"

//go:generate go run internal/index/main.go README.md

// Rule is one kind of problem that kubevet can name, as its page describes it.
type Rule struct {
	// ID is one lower-case word: the page's file name, the name in findings,
	// suppressions, flags and configuration.
	ID string `json:"id"`
	// Title says in one line, without a full stop, what is wrong.
	Title string `json:"title"`
	// Severity is that of the rule's findings, unless a finding knows better
	// (its page then says when) or the user configured another.
	Severity Severity `json:"severity"`
	// Status is how settled the rule is.
	Status Status `json:"status"`
	// Surfaces are what the rule is applied to, in the order go, manifest,
	// audit; never empty.
	Surfaces []Surface `json:"surfaces"`
	// Default reports whether the rule runs without being asked for.
	Default bool `json:"default"`
	// Fix says whether findings may carry a fix and how far it can be trusted.
	Fix Fix `json:"fix,omitempty"`
	// Since is the kubevet version that brought the rule, such as "0.1.0".
	Since string `json:"since"`
	// Aliases are IDs that the rule had before; suppressions and
	// configuration that use them go on working. Usually nil.
	Aliases []string `json:"aliases,omitempty"`
	// Page is the page's Markdown after its front matter.
	Page string `json:"page"`
	// Line is the line of the page's file on which Page starts, counted from
	// 1, so that a tool that reads Page can point into the file.
	Line int `json:"-"`
}

// On reports whether the rule is applied to surface s.
func (r Rule) On(s Surface) bool { return slices.Contains(r.Surfaces, s) }

// Status says how settled a rule is. The zero value is no status; a rule of
// the catalogue always has one.
type Status string

// The statuses. A rule moves from preview to stable to deprecated, and its
// page is removed one minor version of kubevet after it was deprecated.
const (
	// StatusPreview rules may still change what they report in any version. It is
	// a word of its own beside the severity of that name: the one is about
	// the rule, the other about a finding.
	StatusPreview Status = "preview"
	// StatusStable rules report more or less only in minor versions.
	StatusStable Status = "stable"
	// StatusDeprecated rules are about to be removed; their page says why and
	// what takes their place.
	StatusDeprecated Status = "deprecated"
)

// Fix says how far a rule's fixes can be trusted. The zero value means that
// the rule has none.
type Fix string

// The kinds of fixes.
const (
	// FixSafe fixes cannot change what the program or the object does, other
	// than removing the problem; --fix applies them.
	FixSafe Fix = "safe"
	// FixReview fixes compile and are usually what is meant, but somebody has
	// to look at them; --fix=all applies them.
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
