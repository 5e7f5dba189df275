package tally

import (
	"regexp"
	"strings"
	"sync"
)

// Conflict is a field that one client could not apply because another manager
// owns it.
type Conflict struct {
	Client *Client
	API    *API
	// Manager is the owner, Field the path.
	Manager, Field string
	Count          int64
}

type conflictKey struct {
	client, api    uint32
	manager, field string
}

// Refusal is a kind of answer to a write that was not carried out.
type Refusal uint8

// The kinds of refusals in reports.
const (
	// RefusedDryRun: a webhook that cannot be called for a dry run. Text is its
	// name.
	RefusedDryRun Refusal = iota + 1
	// RefusedParameter: a parameter, such as fieldManager, force or dryRun, that
	// is not valid. Text is the server's message.
	RefusedParameter
)

// Refused is a text with which the server refused writes of a client.
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

// maxRefused is the maximum number of texts and conflicts.
const maxRefused = 10_000

var (
	// k8s.io/apiserver, pkg/admission/plugin/webhook/errors/statuserror.go.
	noDryRun = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^admission webhook "([^"]*)" does not support dry run`)
	})
	// k8s.io/apimachinery, pkg/apis/meta/v1/validation.
	badOptions = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:Create|Update|Patch|Delete)Options\.meta\.k8s\.io "" is invalid: `)
	})
	// sigs.k8s.io/structured-merge-diff, merge/conflict.go, in the API server's form: conflict with
	// "MANAGER" using v1 at TIME.
	owner = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`conflict with "((?:[^"\\]|\\.)*)"`) })
)

// refuse counts the reason why a write was not carried out.
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

// conflictsOf counts the fields of a failed apply with their owners. It uses the causes, or the
// message if the log has no causes.
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
	// conflict with "a": .spec.replicas, or for several fields a list of lines after conflicts with
	// "a":.
	rest := d.message
	for {
		m := owner2().FindStringSubmatchIndex(rest)
		if m == nil {
			return
		}
		manager := rest[m[2]:m[3]]
		rest = rest[m[1]:]
		fields := rest
		if next := owner2().FindStringIndex(rest); next != nil {
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

var owner2 = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`conflicts? with "((?:[^"\\]|\\.)*)"[^:\n]*:`) })

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
