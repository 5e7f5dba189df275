package tally

import (
	"github.com/kubevet/kubevet/manifestlint/auditlog"
)

// Client is one who sends requests, and how it writes.
type Client struct {
	*auditlog.Client
	// Program is the agent without versions.
	Program string
	// Derived is the field manager that the server records for writes of this
	// client that name none.
	Derived string

	// Requests are all of the client's; First and Last when the first and last
	// were, in microseconds since 1970.
	Requests    int64
	First, Last int64
	// Reads and the verbs count requests, whatever came of them.
	Reads, Creates, Updates, Patches, Deletes int64
	// Puts are updates of whole objects rather than of a status or a scale.
	Puts int64
	// Writes are creates, updates, patches and deletions that were not dry
	// runs and that the server carried out; Named those among the managed ones
	// that name a field manager, Unnamed those that do not.
	Writes, Named, Unnamed int64
	// UnnamedAt is where the first write without a field manager stands.
	UnnamedAt Place
	// Applies are server-side applies that are certain, MaybeApplies patches of
	// which that is not known, Forced forced applies.
	Applies, MaybeApplies, Forced int64
	// DryRuns are requests for a dry run, DryRunsFailed those among them that
	// the server refused.
	DryRuns, DryRunsFailed int64
	// The three kinds of 409, and those that are none of them.
	AlreadyExists, LockConflicts, ManagerConflicts, OtherConflicts int64
	// Compared are writes of which it can be told whether they changed
	// anything, Noops those that did not.
	Compared, Noops int64
	// AfterGet are updates and patches of an object that the client had read
	// within the last minute.
	AfterGet int64
	// Impersonating are requests made as somebody else.
	Impersonating int64
	// Managers counts the field managers that it names; at most maxManagers
	// of them.
	Managers map[string]int64

	id uint32
}

const maxManagers = 32

func newClient(c *auditlog.Client, id uint32) *Client {
	return &Client{Client: c, Program: FoldAgent(c.Agent), Derived: DerivedManager(c.Agent), id: id}
}

// count counts a request.
func (c *Client) count(r *record) {
	c.Requests++
	if r.stamp != 0 {
		if c.First == 0 || r.stamp < c.First {
			c.First = r.stamp
		}
		c.Last = max(c.Last, r.stamp)
	}
	switch r.verb {
	case VerbCreate:
		c.Creates++
	case VerbUpdate:
		if c.Updates++; r.api.Subresource == "" {
			c.Puts++
		}
	case VerbPatch:
		c.Patches++
	case VerbDelete, VerbDeleteCollection:
		c.Deletes++
	default:
		c.Reads++
	}
	if r.flags&flagImpersonated != 0 {
		c.Impersonating++
	}
}

// pair is a client and an API.
type pair struct{ client, api uint32 }

// use is what a client does with an API.
type use struct{ reads, lists, writes uint32 }

// maxUsed bounds how many pairs of client and API are told apart.
const maxUsed = 1 << 20

func (t *Tally) use(c *Client, a *API, r *record) {
	k := pair{c.id, a.id}
	u := t.used[k]
	if u == nil {
		if len(t.used) >= maxUsed {
			return
		}
		u = &use{}
		t.used[k] = u
	}
	switch {
	case r.verb.writes():
		u.writes++
	case r.verb == VerbList || r.verb == VerbWatch:
		u.lists++
	default:
		u.reads++
	}
}

// write counts what is asked of writes.
func (t *Tally) write(c *Client, a *API, r *record, noop, read bool) {
	ok := r.code >= 200 && r.code < 300
	if r.flags&flagDryRun != 0 {
		c.DryRuns++
		if !ok {
			c.DryRunsFailed++
		}
	}
	if r.detail != nil && !ok {
		t.refuse(c, a, r)
	}
	if r.flags&flagApply != 0 {
		c.Applies++
		if r.flags&flagForce != 0 {
			c.Forced++
		}
	}
	if r.flags&flagMaybeApply != 0 {
		c.MaybeApplies++
	}
	if r.manager != nil {
		if n := c.Managers[*r.manager]; n > 0 || len(c.Managers) < maxManagers {
			if c.Managers == nil {
				c.Managers = map[string]int64{}
			}
			c.Managers[*r.manager] = n + 1
		}
	}
	if read && (r.verb == VerbUpdate || r.verb == VerbPatch) {
		c.AfterGet++
	}
	if !ok || r.flags&flagDryRun != 0 {
		return
	}
	c.Writes++
	if r.verb.manages() && managed(a) && r.flags&(flagNoQuery|flagTail) == 0 {
		if r.manager == nil {
			if c.Unnamed++; c.Unnamed == 1 {
				c.UnnamedAt = t.place(r)
			}
		} else {
			c.Named++
		}
	}
	if r.flags&flagBody != 0 && (r.before != 0 || noop) {
		if c.Compared++; noop {
			c.Noops++
		}
	}
}

// managed reports whether writes of an API record a field manager: those of
// virtual kinds and of most subresources store nothing of their own.
func managed(a *API) bool {
	switch a.Subresource {
	case "", "status", "scale", "finalize", "approval", "ephemeralcontainers", "resize":
	default:
		return false
	}
	switch a.Group {
	case "authentication.k8s.io", "authorization.k8s.io":
		return false
	}
	return true
}
