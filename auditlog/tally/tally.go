package tally

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Config configures a tally. The zero value counts all requests for the newest
// known minor, with the default limits.
type Config struct {
	// Target has the minors for which APIs are checked.
	Target lifecycle.Target
	// Filter selects the requests to count. The zero value selects all.
	Filter Filter
	// MaxClients and MaxGroups are the largest numbers of clients and of groups
	// that are counted separately. Requests of further clients or groups are
	// counted together. 0 means DefaultMaxClients and DefaultMaxGroups.
	MaxClients, MaxGroups int
	// Judge, if not nil, checks the objects that clients send.
	Judge *Judge
	// Keep is set if the tally's State will be saved or merged.
	Keep bool
	// Live is set if the tally counts events while they arrive. Then blocks of
	// several inputs can alternate, the tally remembers fewer events, and its
	// State has the objects that a later tally needs to continue.
	Live bool
}

// These are the default limits of a tally.
const (
	DefaultMaxClients = 50_000
	DefaultMaxGroups  = 100_000
)

// maxOpen is the largest number of stored requests that have not ended.
const maxOpen = 1 << 18

// Tally has the counts. Its workers can run concurrently, but calls of Add and
// Report cannot.
type Tally struct {
	cfg      Config
	seed     uint64
	verdicts sync.Map  // lifecycle.API to verdict
	pool     sync.Pool // *[]record

	clients map[string]*Client // by identity
	list    []*Client          // by Client.id; the first is for clients beyond the limit
	apis    map[API]*API
	apiList []*API // by API.id; the first is for APIs beyond the limit
	uses    int    // number of uses of all clients

	groups map[groupKey]*Group
	// maybe has requests to APIs that count as deprecated only if another event
	// has the annotation.
	maybe  map[groupKey]*Group
	oldCRs map[uint32]string // release that removes it, from annotations, by API.id

	open  map[uint64]begun // requests that have not ended
	ended idSet            // requests that have ended; events about their beginning can follow
	// finished has the ended requests whose beginning can be in another log.
	// Only a State needs it.
	finished map[uint64]struct{}
	sample   sample // of the counted events; only for a State
	seen     idSet  // fingerprints of events
	hops     idSet  // requests that another server may also log

	objects   objectTable
	conflicts map[conflictKey]*Conflict
	refused   map[refusedKey]*Refused
	sent      map[bodyKey]*Body
	denials   denial.Table

	input  string // name of the current block's input
	source uint64 // fingerprint of input in a live run; otherwise 0
	line   int    // number of lines before the current block

	requests, copies, stages, filtered, watching int64
	first, last                                  int64
	server                                       lifecycle.Minor
	overflow                                     Overflow
}

// Overflow counts requests and texts that exceed the limits.
type Overflow struct {
	// Clients and Groups are the numbers of requests that were not counted
	// separately, because there were more clients or groups than the limits
	// allow. Refusals is the number of texts that were not kept.
	Clients, Groups, Refusals int64
	// Forgotten is the number of events whose fingerprints were removed from
	// memory. Copies of these events would be counted again.
	Forgotten int64
	// Objects is the number of objects whose version was removed from memory.
	// The next write of such an object is not in Counts.Compared.
	Objects int64
}

// Place is the position of an event. Line counts from 1.
type Place struct {
	Input string
	Line  int
}

// begun is a request that has not ended yet.
type begun struct {
	record
	at Place
}

// mark returns the position and the time of the request's beginning.
func (b *begun) mark() mark { return mark{b.stamp, b.at} }

// place returns the position of the current record.
func (t *Tally) place(r *record) Place { return Place{t.input, t.line + int(r.line) + 1} }

// New returns an empty tally.
func New(cfg Config) *Tally {
	if cfg.MaxClients <= 0 {
		cfg.MaxClients = DefaultMaxClients
	}
	if cfg.MaxGroups <= 0 {
		cfg.MaxGroups = DefaultMaxGroups
	}
	if cfg.Target.Range.To == 0 {
		cfg.Target.Range = lifecycle.Range{From: lifecycle.Newest, To: lifecycle.Newest}
	}
	seed := rand.Uint64()
	if cfg.Keep {
		// Fingerprints must be equal in all runs, so the seed is fixed. A
		// client could thus find two requests with equal fingerprints. But a
		// fingerprint that decides whether an event is counted includes the
		// server's own time, which clients cannot choose.
		seed = 1
	}
	t := &Tally{
		cfg: cfg, seed: seed, finished: map[uint64]struct{}{},
		clients: map[string]*Client{}, apis: map[API]*API{},
		groups: map[groupKey]*Group{}, maybe: map[groupKey]*Group{}, oldCRs: map[uint32]string{},
		open: map[uint64]begun{}, conflicts: map[conflictKey]*Conflict{}, refused: map[refusedKey]*Refused{},
		sent: map[bodyKey]*Body{},
	}
	limit := maxIDs
	if cfg.Live {
		limit = maxLiveIDs
	}
	t.seen.limit, t.ended.limit, t.hops.limit = limit, limit, limit
	t.list = append(t.list, newClient(&auditlog.Client{User: OtherClients}, 0))
	t.apiList = append(t.apiList, &API{})
	return t
}

// OtherClients is the user name for all clients beyond the limit.
const OtherClients = "(other clients)"

// Worker returns a worker for auditlog.Read.
func (t *Tally) Worker() auditlog.Worker[Part] {
	w := &worker{t: t}
	w.part.records = t.spare()
	return w
}

func (t *Tally) spare() []record {
	if r, ok := t.pool.Get().(*[]record); ok {
		return (*r)[:0]
	}
	return nil
}

// verdict returns the target's verdict on an API. It caches the verdict.
func (t *Tally) verdict(a *API) verdict {
	if a.Known.IsZero() {
		return verdict{}
	}
	if v, ok := t.verdicts.Load(a.Known); ok {
		return v.(verdict)
	}
	v := judge(a.Known, t.cfg.Target)
	t.verdicts.Store(a.Known, v)
	return v
}

// isOld reports whether the target has removed or deprecated an API.
func (t *Tally) isOld(a *API) bool {
	v := t.verdict(a)
	return v.removed != 0 || v.deprecated != 0
}

// Add counts the records of one block. Blocks are added in the order of the log.
// line is the number of lines before the block in the input.
func (t *Tally) Add(p Part, input string, line int) {
	t.enter(input)
	t.line = line
	t.filtered += p.skipped
	t.stages += p.stages
	t.seen.load(p.records)
	next, judged := 0, 0
	for i := range p.records {
		counted, copied := t.event(&p.records[i])
		for ; judged < len(p.decided) && p.decided[judged].at == i; judged++ {
			if !copied {
				t.decide(&p.records[i], p.decided[judged].request, counted)
			}
		}
		for ; next < len(p.sent) && p.sent[next].at == i; next++ {
			if counted {
				r := &p.records[i]
				t.bodies(t.client(r.client), t.api(r.api), &p.sent[next], mark{r.stamp, t.place(r)})
			}
		}
	}
	if cap(p.records) > 0 {
		t.pool.Put(&p.records)
	}
}

// enter sets the input of the next blocks. Objects of different inputs are not
// compared: logs can be read in any order, so the end of a log says nothing about
// the beginning of the next one.
func (t *Tally) enter(input string) {
	switch {
	case input == t.input:
	case t.cfg.Live:
		t.source = mixString(t.seed, input)
	default:
		t.objects.forget()
	}
	t.input = input
}

// event counts the request of an event, unless the request was already counted.
// counted reports whether event counted it. copied reports whether the event is
// a copy of an earlier event.
func (t *Tally) event(r *record) (counted, copied bool) {
	switch r.stage {
	case auditlog.StageResponseStarted, auditlog.StagePanic:
		t.stages++
		t.begin(r, t.place(r))
		return false, false
	}
	if !t.seen.add(r.id) {
		t.copies++
		return false, true
	}
	if t.cfg.Keep {
		t.sample.add(r.id)
	}
	if r.lasting() {
		t.ended.add(r.request)
		delete(t.open, r.request)
		if t.cfg.Keep && r.longRunning() {
			t.markFinished(r.request)
		}
	}
	if r.passedOn() {
		// The server of an aggregated API also logs the request, with the same
		// audit ID and a slightly different time.
		const moment = 10e6
		at := uint64(r.stamp) / moment
		if !t.hops.add(r.request+at) || t.hops.has(r.request+at-1) {
			t.copies++
			return false, false
		}
	}
	t.request(r)
	return true, false
}

// begin records that a request has begun, unless it has already ended.
func (t *Tally) begin(r *record, at Place) {
	b := begun{*r, at}
	known, is := t.open[r.request]
	if _, ended := t.finished[r.request]; ended || t.ended.has(r.request) || !is && len(t.open) >= maxOpen {
		return
	}
	if !is || b.mark().compare(known.mark()) < 0 {
		t.open[r.request] = b
	}
}

// markFinished records that a request has ended, for a State.
func (t *Tally) markFinished(id uint64) {
	delete(t.open, id)
	if len(t.finished) < maxFinished {
		t.finished[id] = struct{}{}
	}
}

// maxFinished is the largest number of ended requests that are kept for a
// State.
const maxFinished = 1 << 20

// request counts one request.
func (t *Tally) request(r *record) {
	t.requests++
	if r.stamp != 0 {
		t.first = earliest(t.first, r.stamp)
		t.last = max(t.last, r.stamp)
	}
	c, a := t.client(r.client), t.api(r.api)
	c.count(r)
	t.use(c, a, r)
	var seen past
	if r.object != 0 {
		seen = t.history(c, r)
	}
	if r.verb.writes() {
		t.write(c, a, r, seen)
	}
	t.old(c, a, r)
}

// past has facts about a write that come from earlier requests for the same
// object.
type past struct {
	// compared is set if the object's versions before and after the write are
	// known. noop is set if they are equal.
	compared, noop bool
	// read is set if the client read the object within the last minute.
	read bool
}

// history records the version of an object, and returns the facts about a
// write.
func (t *Tally) history(c *Client, r *record) (seen past) {
	s := t.objects.at(r.object ^ t.source)
	if r.verb == VerbGet {
		s.read, s.reader = r.stamp, c.id
		return seen
	}
	seen.read = s.read != 0 && s.reader == c.id && r.stamp-s.read >= 0 && r.stamp-s.read < lately
	if r.stamp < s.stamp {
		// The event is older than the version that is already known, so it
		// comes from the log of another server.
		seen.compare(r, r.before)
		return seen
	}
	if r.version != 0 {
		before := r.before
		if before == 0 {
			before = s.version
		}
		seen.compare(r, before)
		s.version, s.stamp = r.version, r.stamp
	} else if r.verb.writes() && r.flags&flagDryRun == 0 && r.code < 300 {
		s.version, s.stamp = 0, r.stamp // the write gave the object a new, unknown version
	}
	return seen
}

// compare compares the versions of an object before and after a write. before
// is 0 if it is unknown. A request with status 201 created the object, so that
// there was no version before.
func (p *past) compare(r *record, before uint64) {
	p.compared = r.version != 0 && before != 0 && r.code == 200
	p.noop = p.compared && r.version == before
}

// identity returns a text that identifies a client. Equal clients have equal
// texts, and other clients have other texts.
func identity(c *auditlog.Client) string {
	const sep = "\xff" // a byte that valid text does not contain
	return c.User + sep + c.Impersonated + sep + c.Agent + sep + c.SourceIP + sep + c.LastIP + sep + c.Pod + sep + strings.Join(c.Groups, sep)
}

// client returns the tally's client for an event's client.
func (t *Tally) client(w *auditlog.Client) *Client {
	if w.Index != 0 {
		return t.list[w.Index]
	}
	id := identity(w)
	c := t.clients[id]
	if c == nil {
		if len(t.list) >= t.cfg.MaxClients {
			t.overflow.Clients++
			return t.list[0]
		}
		c = newClient(w, uint32(len(t.list)))
		t.list = append(t.list, c)
		t.clients[id] = c
		if w.User == "system:apiserver" {
			t.server = max(t.server, serverMinor(w.Agent))
		}
	}
	w.Index = c.id
	return c
}

var serverVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^kube-apiserver[^/]*/v(\d+\.\d+)`) })

// serverMinor returns the server's minor from its own User-Agent; 0 if this is
// the agent of another program.
func serverMinor(agent string) lifecycle.Minor {
	m := serverVersion().FindStringSubmatch(agent)
	if m == nil {
		return 0
	}
	minor, err := lifecycle.ParseMinor(m[1])
	if err != nil {
		return 0
	}
	return minor
}

// api returns the tally's API for a worker's API.
func (t *Tally) api(w *API) *API {
	if w.id != 0 {
		return t.apiList[w.id]
	}
	key := API{Group: w.Group, Version: w.Version, Resource: w.Resource, Subresource: w.Subresource}
	a := t.apis[key]
	if a == nil {
		if len(t.apiList) >= t.cfg.MaxClients {
			return t.apiList[0]
		}
		n := *w
		a = &n
		a.id = uint32(len(t.apiList))
		t.apiList = append(t.apiList, a)
		t.apis[key] = a
	}
	w.id = a.id
	return a
}

// finish counts the requests that have not ended, and decides about the
// requests in maybe.
func (t *Tally) finish() {
	waiting := sortedOpen(t.open)
	for i := range waiting {
		b := &waiting[i]
		if b.stage == auditlog.StageResponseStarted {
			t.watching++
		}
		t.input, t.line, b.line = b.at.Input, b.at.Line-1, 0
		t.request(&b.record)
	}
	clear(t.open)
	for key, g := range t.maybe {
		if removed, old := t.oldCRs[key.api]; old {
			g.Removed, g.Derived = removed, g.Count
			t.groups[key] = g
		}
	}
	clear(t.maybe)
	t.overflow.Forgotten += t.seen.forgotten
	t.overflow.Objects += t.objects.forgotten
}
