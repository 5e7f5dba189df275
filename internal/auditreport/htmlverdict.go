package auditreport

import (
	"strings"

	"github.com/kubevet/kubevet/internal/webpage"
)

// headline is the main result of a page.
type headline struct {
	// Tone is "stop", "care" or "go", and decides the colour.
	Tone string
	Text string
	// More has further sentences.
	More string
}

// controlPlaneUsers has the users of control-plane components. An upgrade replaces these
// components.
var controlPlaneUsers = map[string]bool{"system:apiserver": true, "system:kube-controller-manager": true, "system:kube-scheduler": true}

func (d *Document) headline() headline {
	clients, rejected, later := map[string]bool{}, map[string]bool{}, map[string]bool{}
	first := ""
	for i := range d.uses {
		r := &d.uses[i]
		who := r.values[useUser] + "\x00" + r.values[useAgent]
		switch {
		case r.Wildcard, controlPlaneUsers[r.values[useUser]]:
		case r.unserved:
			rejected[who] = true
		case r.Gone:
			clients[who] = true
			if first == "" || compareReleases(r.Removed, first) < 0 {
				first = r.Removed
			}
		default:
			later[who] = true
		}
	}
	ongoing := 0
	for i := range d.Fights {
		if d.Fights[i].Ongoing {
			ongoing++
		}
	}
	target := visible(d.Summary.Target)
	if _, newest, ok := strings.Cut(target, ".."); ok {
		target = newest
	}
	var parts, more []string
	if n := len(clients); n > 0 {
		text := webpage.Count(n, "client") + " must change before " + target
		if first != "" && first != target {
			text += ", the first before " + visible(first)
		}
		parts = append(parts, text)
	}
	if n := len(d.Fights); n > 0 {
		text := webpage.Count(n, "fight")
		if ongoing > 0 {
			text += " (" + webpage.Grouped(ongoing) + " ongoing)"
		}
		parts = append(parts, text)
	}
	if n := len(rejected); n > 0 {
		more = append(more, webpage.Count(n, "client")+" ask"+verbEnding(n)+" for APIs that this server answers with 404 today.")
	}
	if n := len(later); n > 0 {
		more = append(more, webpage.Count(n, "client")+" use"+verbEnding(n)+" APIs that "+target+" serves and that are deprecated.")
	}
	h := headline{Tone: "stop", Text: strings.Join(parts, "; ") + ".", More: strings.Join(more, " ")}
	switch {
	case len(clients) == 0 && len(d.Fights) > 0:
		h.Tone = "care"
	case len(parts) == 0 && d.admissionOnly:
		h.Tone, h.Text = "care", webpage.Count(len(d.Admission.Denials), "kind")+" of denials by admission control."
	case len(parts) == 0 && d.Summary.Requests == 0:
		h.Tone, h.Text = "care", "The logs have no requests."
	case len(parts) == 0 && d.Contention.Off:
		h.Tone, h.Text = "go", "No client must change before "+target+"."
	case len(parts) == 0:
		h.Tone, h.Text = "go", "No client must change before "+target+", and no writers fight."
	}
	if h.Tone == "go" && d.Summary.Incomplete() {
		h.Tone = "care"
	}
	return h
}

// verbEnding returns the ending of a verb: "s" for one client, otherwise "".
func verbEnding(n int) string {
	if n == 1 {
		return "s"
	}
	return ""
}
