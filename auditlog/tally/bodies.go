package tally

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/rules"
)

// Judge checks the objects in requests' bodies.
type Judge struct {
	// Words are texts. A body that contains none of them has no findings.
	Words [][]byte
	// Body checks one body. It is called from several goroutines.
	Body func(body []byte) []rules.Finding
}

// Body is a finding in the objects that a client sent, with its number.
type Body struct {
	Client *Client
	API    *API
	// Finding is the first finding with this rule, path and message. Its lines
	// are lines of the body.
	Finding rules.Finding
	// Count is the number of requests with the finding.
	Count int64
	// At is the position of the earliest event with the finding. Objects are
	// the names of some objects with the finding.
	At      Place
	Objects []string

	at mark
}

type bodyKey struct {
	client, api         uint32
	rule, path, message string
}

// sent is a body with findings. A worker passes it to the tally.
type sent struct {
	at       int // line of the event's record
	findings []rules.Finding
	object   string
}

// maxBodies is the largest number of different findings in bodies.
const maxBodies = 10_000

// checkBody checks the body of a request that contains a whole object.
func (w *worker) checkBody(e *auditlog.Event, r *record) {
	judge := w.t.cfg.Judge
	if judge == nil || !e.HasBodies() || r.api.Resource == "secrets" {
		return // reports must not show the contents of secrets
	}
	switch {
	case r.verb == VerbCreate, r.verb == VerbUpdate:
	case r.verb == VerbPatch && r.flags&flagApply != 0:
	default:
		return
	}
	body, _ := e.Bodies()
	if !slices.ContainsFunc(judge.Words, func(word []byte) bool { return bytes.Contains(body, word) }) {
		return
	}
	found := judge.Body(body)
	if len(found) == 0 {
		return
	}
	name := e.Ref.Name.String()
	if ns := e.Ref.Namespace.String(); ns != "" && !(e.Ref.Resource.Is("namespaces") && e.Ref.Group.IsZero()) {
		name = ns + "/" + name
	}
	w.part.sent = append(w.part.sent, sent{len(w.part.records), found, clip(name, 512)})
}

// bodies counts the findings in the body of a request.
func (t *Tally) bodies(c *Client, a *API, s *sent, at mark) {
	for _, f := range s.findings {
		t.body(c, a, f, 1, at, []string{s.object})
	}
}

// body counts a finding in n bodies.
func (t *Tally) body(c *Client, a *API, f rules.Finding, n int64, at mark, objects []string) {
	key := bodyKey{c.id, a.id, f.Rule, f.Path, f.Message}
	b := t.sent[key]
	if b == nil {
		if len(t.sent) >= maxBodies {
			t.overflow.Refusals += n
			return
		}
		b = &Body{Client: c, API: a, Finding: f}
		t.sent[key] = b
	}
	before := b.at
	if b.at.earlier(at); b.at != before {
		b.Finding, b.At = f, at.Place
	}
	b.Count += n
	for _, o := range objects {
		b.Objects = addSorted(b.Objects, o)
	}
}

func (t *Tally) sortedBodies() []*Body {
	return slices.SortedFunc(maps.Values(t.sent), func(a, b *Body) int {
		return cmp.Or(
			cmp.Compare(b.Finding.Severity, a.Finding.Severity), strings.Compare(a.Finding.Rule, b.Finding.Rule),
			compareClients(a.Client, b.Client), strings.Compare(a.API.String(), b.API.String()),
			strings.Compare(a.Finding.Path, b.Finding.Path), strings.Compare(a.Finding.Message, b.Finding.Message),
		)
	})
}
