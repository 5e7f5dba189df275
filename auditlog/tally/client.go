package tally

import (
	"strings"

	"github.com/kubevet/kubevet/auditlog"
)

// Client is a sender of requests, with counts of its writes.
type Client struct {
	*auditlog.Client
	// Program is the User-Agent without versions: see FoldAgent.
	Program string
	// Derived is the field manager that the server records for writes that name
	// no manager.
	Derived string

	Counts
	// UnnamedAt is the position of the first write that names no field manager.
	UnnamedAt Place
	// Managers counts the writes for each field manager that the requests name.
	// It has at most maxManagers managers.
	Managers map[string]int64

	id      uint32
	unnamed mark  // position and time of UnnamedAt
	uses    []use // sorted by API
	lastUse int   // index of the last use in uses
}

// Counts are numbers of requests.
type Counts struct {
	// Requests is the number of all requests. First and Last are the times of
	// the first and the last request, in microseconds since 1970.
	Requests    int64
	First, Last int64
	// Reads, Creates, Updates, Patches and Deletes are numbers of requests,
	// whether they succeeded or not.
	Reads, Creates, Updates, Patches, Deletes int64
	// Puts are the updates of whole objects. Updates of a status or a scale are
	// not counted.
	Puts int64
	// Writes are the successful creates, updates, patches and deletions,
	// without dry runs. The server records a field manager for some of them:
	// Named are those that name the manager, and Unnamed are those for which
	// the server derives it from the agent. No manager is recorded for
	// deletions, reviews, evictions, bindings and requests for tokens.
	Writes, Named, Unnamed int64
	// Applies are patches that certainly are server-side applies, and
	// MaybeApplies are patches that may be. Forced are forced applies. All
	// three include applies that the server refused, but no dry runs.
	Applies, MaybeApplies, Forced int64
	// DryRuns are requests for a dry run. DryRunsFailed are the dry runs that the server refused.
	DryRuns, DryRunsFailed int64
	// These are requests with the status 409, by reason: the object exists
	// already, its resource version has changed, another manager owns a field,
	// or another reason.
	AlreadyExists, LockConflicts, ManagerConflicts, OtherConflicts int64
	// Compared are updates and patches for which the object's versions before
	// and after the write are known. Noops are those that changed nothing.
	Compared, Noops int64
	// AfterGet are updates and patches of an object that the client read within
	// the minute before.
	AfterGet int64
	// Impersonating are requests with an impersonated user.
	Impersonating int64
}

// add adds the counts of another log.
func (c *Counts) add(o *Counts) {
	c.Requests += o.Requests
	c.First, c.Last = earliest(c.First, o.First), max(c.Last, o.Last)
	c.Reads, c.Creates, c.Updates, c.Patches, c.Deletes = c.Reads+o.Reads, c.Creates+o.Creates, c.Updates+o.Updates, c.Patches+o.Patches, c.Deletes+o.Deletes
	c.Puts += o.Puts
	c.Writes, c.Named, c.Unnamed = c.Writes+o.Writes, c.Named+o.Named, c.Unnamed+o.Unnamed
	c.Applies, c.MaybeApplies, c.Forced = c.Applies+o.Applies, c.MaybeApplies+o.MaybeApplies, c.Forced+o.Forced
	c.DryRuns, c.DryRunsFailed = c.DryRuns+o.DryRuns, c.DryRunsFailed+o.DryRunsFailed
	c.AlreadyExists, c.LockConflicts = c.AlreadyExists+o.AlreadyExists, c.LockConflicts+o.LockConflicts
	c.ManagerConflicts, c.OtherConflicts = c.ManagerConflicts+o.ManagerConflicts, c.OtherConflicts+o.OtherConflicts
	c.Compared, c.Noops = c.Compared+o.Compared, c.Noops+o.Noops
	c.AfterGet += o.AfterGet
	c.Impersonating += o.Impersonating
}

// manage counts n writes of a client that name this field manager.
func (c *Client) manage(name string, n int64) {
	if c.Managers[name] == 0 && len(c.Managers) >= maxManagers {
		return
	}
	if c.Managers == nil {
		c.Managers = map[string]int64{}
	}
	c.Managers[name] += n
}

const maxManagers = 32

func newClient(c *auditlog.Client, id uint32) *Client {
	return &Client{Client: c, Program: FoldAgent(c.Agent), Derived: DerivedManager(c.Agent), id: id}
}

// count counts a request.
func (c *Client) count(r *record) {
	c.Requests++
	if r.stamp != 0 {
		c.First = earliest(c.First, r.stamp)
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

// write counts a write. seen are facts from earlier requests for the object.
func (t *Tally) write(c *Client, a *API, r *record, seen past) {
	ok := r.code >= 200 && r.code < 300
	dry := r.flags&flagDryRun != 0
	if dry {
		c.DryRuns++
		if !ok {
			c.DryRunsFailed++
		}
	}
	if r.detail != nil && !ok {
		t.refuse(c, a, r)
	}
	switch {
	case dry:
	case r.flags&flagApply != 0:
		c.Applies++
		if r.flags&flagForce != 0 {
			c.Forced++
		}
	case r.flags&flagMaybeApply != 0:
		c.MaybeApplies++
	}
	if r.manager != nil {
		c.manage(*r.manager, 1)
	}
	if seen.read && (r.verb == VerbUpdate || r.verb == VerbPatch) {
		c.AfterGet++
	}
	if !ok || dry {
		return
	}
	c.Writes++
	if r.verb.manages() && managed(a) && r.flags&(flagNoQuery|flagTail) == 0 {
		if r.manager == nil {
			c.Unnamed++
			c.unnamed.earlier(mark{r.stamp, t.place(r)})
			c.UnnamedAt = c.unnamed.Place
		} else {
			c.Named++
		}
	}
	if seen.compared {
		if c.Compared++; seen.noop {
			c.Noops++
		}
	}
}

// managed reports whether the server records a field manager for writes of an
// API. It records none for virtual kinds and most subresources, because it
// stores no object for their requests.
func managed(a *API) bool {
	switch a.Subresource {
	case "", "status", "scale", "finalize", "approval", "ephemeralcontainers", "resize":
	default:
		return false
	}
	switch a.Group {
	case "authentication.k8s.io", "authorization.k8s.io", "authorization.openshift.io":
		return false
	case "":
		return a.Resource != "bindings"
	case "security.openshift.io":
		return !strings.HasSuffix(a.Resource, "reviews")
	}
	return true
}
