package tally

import (
	"regexp"
	"strings"
	"sync"
)

// Conflict counts the applies of a client that failed because another manager
// owns a field.
type Conflict struct {
	Client *Client
	API    *API
	// Manager is the owner of the field. Field is the path of the field.
	Manager, Field string
	Count          int64
}

type conflictKey struct {
	client, api    uint32
	manager, field string
}

// Refusal is a reason why the server refused a write.
type Refusal uint8

// These are the reasons that reports show.
const (
	// RefusedDryRun means that a webhook does not support dry runs.
	// Refused.Text is the webhook's name.
	RefusedDryRun Refusal = iota + 1
	// RefusedParameter means that a parameter such as fieldManager, force or
	// dryRun is invalid. Refused.Text is the server's message.
	RefusedParameter
)

// Refused counts the writes of a client that the server refused with one text.
type Refused struct {
	Client *Client
	Kind   Refusal
	Text   string
	Count  int64
}

type refusedKey struct {
	client uint32
	kind   Refusal
	text   string
}

// maxRefused is the largest number of texts and of conflicts.
const maxRefused = 10_000

var (
	// noDryRun matches a message from k8s.io/apiserver,
	// pkg/admission/plugin/webhook/errors/statuserror.go.
	noDryRun = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^admission webhook "([^"]*)" does not support dry run`)
	})
	// badOptions matches a message from k8s.io/apimachinery,
	// pkg/apis/meta/v1/validation.
	badOptions = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:Create|Update|Patch|Delete)Options\.meta\.k8s\.io "" is invalid: `)
	})
	// owner matches the manager in a message such as: conflict with "MANAGER"
	// using v1 at TIME (sigs.k8s.io/structured-merge-diff, merge/conflict.go).
	owner = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`conflict with "((?:[^"\\]|\\.)*)"`) })
)

// refuse counts the reason why the server refused a write.
func (t *Tally) refuse(c *Client, a *API, r *record) {
	d := r.detail
	switch r.code {
	case 409:
		switch {
		case strings.HasPrefix(d.message, "Apply failed with "):
			c.ManagerConflicts++
			t.conflictsOf(c, a, d)
		case d.reason == "AlreadyExists":
			c.AlreadyExists++
		case strings.HasPrefix(d.message, "Operation cannot be fulfilled on "):
			c.LockConflicts++
		default:
			c.OtherConflicts++
		}
	case 400, 422:
		if m := noDryRun().FindStringSubmatch(d.message); m != nil {
			t.refusedWith(c, RefusedDryRun, m[1], 1)
		} else if badOptions().MatchString(d.message) {
			t.refusedWith(c, RefusedParameter, d.message, 1)
		}
	}
}

func (t *Tally) refusedWith(c *Client, kind Refusal, text string, n int64) {
	key := refusedKey{c.id, kind, text}
	x := t.refused[key]
	if x == nil {
		if len(t.refused) >= maxRefused {
			t.overflow.Refusals += n
			return
		}
		x = &Refused{Client: c, Kind: kind, Text: text}
		t.refused[key] = x
	}
	x.Count += n
}

// conflictsOf counts the fields that a failed apply could not change, and their
// owners. It uses the causes in the response. If the log has no causes, it uses
// the message.
func (t *Tally) conflictsOf(c *Client, a *API, d *detail) {
	found := false
	for _, cause := range d.causes {
		if cause.reason != "FieldManagerConflict" {
			continue
		}
		if m := owner().FindStringSubmatch(cause.message); m != nil {
			t.conflictWith(c, a, m[1], cause.field, 1)
			found = true
		}
	}
	if found {
		return
	}
	// The message is: conflict with "a": .spec.replicas. For several fields,
	// lines with the fields follow conflicts with "a":
	rest := d.message
	for {
		m := ownerLine().FindStringSubmatchIndex(rest)
		if m == nil {
			return
		}
		manager := rest[m[2]:m[3]]
		rest = rest[m[1]:]
		fields := rest
		if next := ownerLine().FindStringIndex(rest); next != nil {
			fields = rest[:next[0]]
		}
		for _, f := range strings.Split(fields, "\n") {
			f = strings.TrimPrefix(strings.TrimSpace(f), "- ")
			if strings.HasPrefix(f, ".") {
				t.conflictWith(c, a, manager, f, 1)
			}
		}
	}
}

// ownerLine matches the line before the fields that a manager owns, such as:
// conflicts with "a":
var ownerLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`conflicts? with "((?:[^"\\]|\\.)*)"[^:\n]*:`) })

func (t *Tally) conflictWith(c *Client, a *API, manager, field string, n int64) {
	key := conflictKey{c.id, a.id, manager, field}
	x := t.conflicts[key]
	if x == nil {
		if len(t.conflicts) >= maxRefused {
			t.overflow.Refusals += n
			return
		}
		x = &Conflict{Client: c, API: a, Manager: manager, Field: field}
		t.conflicts[key] = x
	}
	x.Count += n
}
