package webhookdryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// marker is a comment from which controller-gen generates the configuration of a webhook:
//
//	//+kubebuilder:webhook:path=/mutate,mutating=true,sideEffects=None,verbs=create;update,…
type marker struct {
	comment  *ast.Comment
	file     *token.File
	mutating bool
	path     string   // of the webhook's URL
	verbs    []string // in lower case; nil if they are not known
	// claims is the marker's value for side effects, or "" if it has none.
	claims string
	// old is true if the marker does not ask for a configuration of v1.
	old bool
}

const markerPrefix = "+kubebuilder:webhook:"

// readMarkers returns the markers of a package in order of their position.
func readMarkers(pass *analysis.Pass) (all []*marker) {
	for _, f := range pass.Files {
		file := pass.Fset.File(f.FileStart)
		if file == nil || ast.IsGenerated(f) {
			continue
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				text, ok := strings.CutPrefix(c.Text, "//")
				if !ok {
					continue
				}
				if text, ok = strings.CutPrefix(strings.TrimSpace(text), markerPrefix); ok {
					if m := parseMarker(text); m != nil {
						m.comment, m.file = c, file
						all = append(all, m)
					}
				}
			}
		}
	}
	return all
}

// parseMarker returns the marker with these arguments, or nil for an unknown form.
func parseMarker(text string) *marker {
	m := &marker{}
	known := false
	for _, arg := range splitArguments(text) {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil
		}
		switch value = strings.Trim(strings.TrimSpace(value), "\"'`"); strings.TrimSpace(name) {
		case "mutating":
			known = value == "true" || value == "false"
			m.mutating = value == "true"
		case "path":
			m.path = value
		case "verbs":
			for v := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(`;{}" `, r) }) {
				m.verbs = append(m.verbs, strings.ToLower(v))
			}
		case "sideEffects":
			m.claims = value
		case "webhookVersions":
			m.old = !slices.Contains(strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(`;{}" `, r) }), "v1")
		}
	}
	if !known {
		return nil
	}
	return m
}

// splitArguments splits at commas that are not inside quotes or braces.
func splitArguments(text string) (args []string) {
	depth, start := 0, 0
	var quote rune
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'' || r == '`':
			quote = r
		case r == '{':
			depth++
		case r == '}':
			depth--
		case r == ',' && depth == 0:
			args = append(args, text[start:i])
			start = i + 1
		}
	}
	return append(args, text[start:])
}

// reportSilent reports markers without side effects, unless a manifest or code declares the
// side effects.
func reportSilent(pass *analysis.Pass, markers []*marker, manifests *configurations) {
	for _, m := range markers {
		if m.claims != "" || slices.ContainsFunc(manifests.all(), func(w *configuration) bool { return w.answers(m) }) {
			continue
		}
		what := "controller-gen makes no v1 configuration of it, and one of v1beta1 refuses dry-runs"
		if m.old {
			what = "the server takes that for Unknown and refuses dry-runs"
		}
		scope.Report(pass, analysis.Diagnostic{
			Pos: m.comment.Pos(), End: m.comment.End(),
			Message: "the webhook's marker has no sideEffects: " + what + "; add sideEffects=None, or NoneOnDryRun for a handler that writes",
		})
	}
}

// claim says which side effects the handler's marker, or its webhook's manifest, declares.
// The zero value says nothing.
type claim struct {
	// marker or configuration is the origin. Both are nil if neither is known.
	marker        *marker
	configuration *configuration
	text          string
	never         bool // the webhook does not get the handler's requests
}

// claimOf returns the claim of a handler's marker. In the handler's file, that
// is the nearest marker before the handler, because a marker is above the
// code that it describes. Otherwise it is the only marker of the package that
// can belong to the handler. A package without markers may have a manifest.
func (c *checker) claimOf(h *handler) claim {
	fn := outermost(h.fn)
	var here, elsewhere []*marker
	for _, m := range c.markers {
		switch {
		case !h.mayBe(fn, m.mutating):
		case m.file == c.pass.Fset.File(fn.Pos()):
			here = append(here, m)
		default:
			elsewhere = append(elsewhere, m)
		}
	}
	if len(here) > 0 && len(h.verb()) > 0 && !slices.ContainsFunc(here, func(m *marker) bool { return m.asks(h.verb()) }) {
		return claim{never: len(here) == 1}
	}
	unasked := func(m *marker) bool { return !m.asks(h.verb()) }
	here, elsewhere = slices.DeleteFunc(here, unasked), slices.DeleteFunc(elsewhere, unasked)
	if len(here) == 0 {
		if len(c.markers) == 0 {
			return c.configured(h)
		}
		if len(elsewhere) != 1 {
			return claim{}
		}
		return claim{marker: elsewhere[0], text: elsewhere[0].claims}
	}
	best := here[0]
	for _, m := range here {
		if m.comment.Pos() < fn.Pos() {
			best = m
		}
	}
	return claim{marker: best, text: best.claims}
}

// mayBe reports whether the name of a handler allows its webhook to be a mutating or a
// validating one. mutating says which.
func (h *handler) mayBe(fn *ssa.Function, mutating bool) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Signature().Recv() == nil {
		return true
	}
	switch obj.Name() {
	case "Default":
		return mutating
	case "ValidateCreate", "ValidateUpdate", "ValidateDelete":
		return !mutating
	}
	return true
}

// verb returns the verb that a marker must have for a handler to be called, or "" for any.
func (h *handler) verb() string {
	switch h.requests {
	case "creates", "updates", "deletes":
		return strings.TrimSuffix(h.requests, "s")
	}
	return ""
}

// asks reports whether a webhook receives requests with a verb.
func (m *marker) asks(verb string) bool { return asked(m.verbs, verb) }

// asked reports whether a webhook receives requests with a verb. "" stands for any verb.
// verbs holds the verbs of its rules, or nothing if they are not known.
func asked(verbs []string, verb string) bool {
	return verb == "" || len(verbs) == 0 || slices.Contains(verbs, verb) || slices.Contains(verbs, "*")
}

// refuses reports whether a handler never gets a dry run. The server refuses dry runs for
// webhooks with the side effects Some or Unknown, and sends only the requests that match
// their rules.
func (c claim) refuses() bool { return c.never || c.text == "Some" || c.text == "Unknown" }

// objection returns the part of a message about the claim.
func (c claim) objection() string {
	if c.text != "None" && c.text != "NoneOnDryRun" {
		return ""
	}
	if c.configuration != nil {
		return ", though " + c.configuration.name() + " claims sideEffects: " + c.text
	}
	return ", though its marker claims sideEffects=" + c.text
}

// fixText removes the advice about side effects from a fix if the claim already follows it.
func (c claim) fixText(text string) string {
	if c.text == "NoneOnDryRun" {
		return strings.TrimSuffix(text, declare)
	}
	return text
}

// related points to the marker.
func (m *marker) related() analysis.RelatedInformation {
	text := "the marker says nothing of side effects"
	if m.claims != "" {
		text = "the marker claims sideEffects=" + m.claims
	}
	return analysis.RelatedInformation{Pos: m.comment.Pos(), End: m.comment.End(), Message: text}
}
