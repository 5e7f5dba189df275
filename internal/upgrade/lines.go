package upgrade

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// ownerKinds has the text for each kind of owner.
var ownerKinds = map[string]string{
	"audit": "client", "manifest": "manifests of", "go": "Go package", "helm": "Helm release", "writer": "writer in the cluster", "cluster": "", "unknown": "",
	"team": "team", "label": "owner", "argocd": "Argo CD application", "flux": "Flux", "manager": "managed by", "namespace": "objects in namespace", "webhook": "",
}

// Title returns the kind and name of an owner. For a client, it adds the probable owner.
func (o *Owner) Title() string {
	return strings.TrimSpace(ownerKinds[o.Kind]+" "+quote.Name(o.Name)) + o.likelyOwnerText()
}

// likelyOwnerText returns a text such as ", probably team-a: same namespace", or "".
func (o *Owner) likelyOwnerText() string {
	if o.Likely == "" {
		return ""
	}
	return ", probably " + quote.Text(o.Likely) + ": same namespace"
}

func (it *Item) line() string {
	text := it.Subject
	switch {
	case fightRank(it.Rule) > 0:
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
		text += ". " + correctFix
	}
	if it.Rule != "" {
		text += " [" + it.Rule + "]"
	}
	return text
}

// sentence returns the line of an item without a rule. It says what breaks, and when.
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
		text += ": " + e.requestCount()
	case e.Object == "" || e.Source == "cluster" || e.Source == "audit":
		text += ": " + e.Text
	}
	return text
}

// observation returns what was found at a place, without the place and the object.
func (e *Evidence) observation() string {
	switch {
	case e.Count > 0:
		return e.requestCount()
	case strings.HasPrefix(e.Text, SetFor):
		return e.Text
	case e.Object == "" || e.Source == "cluster" || e.Source == "audit":
		return e.Text
	}
	return ""
}

// requestCount returns a text such as "3 requests, the first here, the last at
// 2026-01-31T12:00:00Z".
func (e *Evidence) requestCount() string {
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

// SetFor is the beginning of Evidence.Text for a setting of a program. The program's name
// follows.
const SetFor = "set for "

func (p *Place) line() string {
	return fmt.Sprintf("%s:%d: %s", quote.Name(p.File), p.Line, p.Text)
}
