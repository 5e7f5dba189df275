// Package traffic writes audit logs that look like those of a busy cluster, for
// benchmarks. Names, namespaces, users, agents, addresses, versions, audit IDs and
// times vary as they do in production: 250 nodes, some 900 clients and 24,000
// objects at the beginning; pods come and go.
//
// The same configuration gives the same bytes on every machine. Nothing in the logs
// is anybody's: names, addresses and keys are invented.
package traffic

// The levels of a log.
const (
	Metadata        = "Metadata"
	Request         = "Request"
	RequestResponse = "RequestResponse"
)

// Config describes a log. The zero value is not usable.
type Config struct {
	Seed uint64
	// Level is the level of the log. Requests that read have no answers at
	// RequestResponse, and secrets have no bodies at all.
	Level string
	// Churn is set for a log of short-lived objects alone: each is created by one
	// client, and two in three are written or deleted later.
	Churn bool
}

// Generator makes the events of a log. It must not be used concurrently.
type Generator struct {
	cfg      Config
	r, shape *random
	now      int64 // microseconds since 1970
	version  uint64
	clients  *clients
	kinds    []*kind
	byName   map[string]*kind
	oldKinds []*kind
	open     []watch
	fights   []fight
	recent   []*object // of Config.Churn
	born     int

	buf, sent, answer []byte
	events            int
}

// fight is an object that two clients write in turn.
type fight struct {
	o     *object
	sides [2]*client
	turn  int
}

// begin is when logs begin, 2026-03-02T09:00:00Z.
const begin = 1772442000_000000

// New returns a generator.
func New(cfg Config) *Generator {
	g := &Generator{cfg: cfg, r: newRandom(cfg.Seed), shape: newRandom(0), now: begin, version: 40_000_000, byName: map[string]*kind{}}
	if g.clients = newClients(g.r); cfg.Churn {
		g.clients = newRunners(g.r)
	}
	g.kinds = newKinds()
	for _, k := range g.kinds {
		g.byName[k.resource] = k
		if k.old != "" {
			g.oldKinds = append(g.oldKinds, k)
		}
		if cfg.Churn {
			continue
		}
		for i := range k.initial {
			o := g.newObject(k, i)
			o.created -= int64(g.r.below(90*24*3600)) * 1e6
			k.pool = append(k.pool, o)
		}
	}
	g.open = make([]watch, 3*len(g.clients.all))
	if cfg.Churn {
		return g
	}
	for i := range 24 {
		o := g.some(g.kind([]string{"deployments", "configmaps", "ingresses"}[i%3]))
		other := g.clients.operators[g.r.below(operators)]
		g.fights = append(g.fights, fight{o: o, sides: [2]*client{o.owner, other}})
	}
	return g
}

// Next returns the lines of the next few events, valid until the next call, and
// the number of them.
func (g *Generator) Next() (lines []byte, events int) {
	g.buf, g.events = g.buf[:0], 0
	if g.cfg.Churn {
		g.churn()
	} else {
		g.traffic()
	}
	return g.buf, g.events
}

// Log returns at least size bytes of a log.
func Log(cfg Config, size int) []byte {
	g := New(cfg)
	log := make([]byte, 0, size+size/8)
	for len(log) < size {
		lines, _ := g.Next()
		log = append(log, lines...)
	}
	return log
}

func (g *Generator) kind(resource string) *kind { return g.byName[resource] }

// some returns an object of a kind, some much more often than others.
func (g *Generator) some(k *kind) *object { return k.pool[g.r.skewed(len(k.pool))] }

// revision returns the next resourceVersion.
func (g *Generator) revision() uint64 {
	g.version += uint64(1 + g.r.skewed(4))
	return g.version
}

// wait lets time pass, microseconds on average.
func (g *Generator) wait(average int) { g.now += int64(g.r.below(2 * average)) }

// weights are how many of a hundred actions are of each kind.
var weights = [...]struct {
	percent int
	do      func(g *Generator)
}{
	{19, func(g *Generator) { // heartbeats of nodes
		o := g.kind("leases").pool[g.r.below(nodes)]
		g.put(o.owner, o, "")
	}},
	{8, func(g *Generator) { // leader election
		o := g.kind("leases").pool[nodes+g.r.below(operators)]
		g.update(o.owner, o, "")
	}},
	{12, (*Generator).watches},
	{15, func(g *Generator) { // controllers read their objects
		o := g.any()
		g.get(o.owner, o)
	}},
	{7, func(g *Generator) {
		k := g.kinds[g.r.below(len(g.kinds))]
		g.list(g.clients.all[g.r.skewed(len(g.clients.all))], k, k.version)
	}},
	{2, func(g *Generator) {
		o := g.some(g.kind("nodes"))
		g.patch(o.owner, o, "status")
	}},
	{4, func(g *Generator) {
		o := g.some(g.kind("pods"))
		g.patch(o.owner, o, "status")
	}},
	{5, func(g *Generator) {
		o := g.any()
		if o.kind.status != nil && !o.kind.cluster {
			g.put(o.owner, o, "status")
			return
		}
		g.get(o.owner, o)
	}},
	{8, func(g *Generator) { // owners write
		o := g.any()
		g.save(o.owner, o)
	}},
	{1, func(g *Generator) { // people write others' objects
		g.save(g.clients.people[g.r.skewed(len(g.clients.people))], g.any())
	}},
	{6, (*Generator).pods},
	{4, func(g *Generator) {
		k := g.kind("events")
		if g.r.chance(60) {
			o := g.newObject(k, 0)
			g.create(o.owner, o)
			k.pool = k.pool[max(0, len(k.pool)-1000):]
			return
		}
		o := g.some(k)
		g.patch(o.owner, o, "")
	}},
	{4, func(g *Generator) { g.review(g.clients.operators[g.r.below(operators)]) }},
	{2, (*Generator).path},
	{1, (*Generator).old},
	{1, (*Generator).fail},
	{1, (*Generator).others},
}

// traffic does one thing.
func (g *Generator) traffic() {
	g.wait(20_000)
	n := g.r.below(100)
	for _, w := range weights {
		if n -= w.percent; n < 0 {
			w.do(g)
			return
		}
	}
	panic("traffic: weights do not add up")
}

// any returns an object that is not a lease, event or node.
func (g *Generator) any() *object { return g.some(g.kinds[g.r.below(len(g.kinds)-3)]) }

// pods creates pods and deletes others, so that their number stays.
func (g *Generator) pods() {
	k := g.kind("pods")
	o := g.newObject(k, 0)
	creator := g.clients.controllers[g.r.below(6)]
	g.create(creator, o)
	g.wait(3000)
	bind := g.request(g.clients.scheduler, "create", o)
	bind.sub, bind.code, bind.object = "binding", 201, nil
	g.write(bind)
	if len(k.pool) > k.initial {
		g.wait(3000)
		g.remove(o.owner, k)
	}
	if g.r.chance(8) { // a controller moves to another node
		i := g.r.below(operators)
		old := g.clients.operators[i]
		c := newOperator(g.r)
		c.manager, c.style, c.agent = old.manager, old.style, old.agent
		*old = *c
	}
}

// others are dry runs, impersonation and turns of fights.
func (g *Generator) others() {
	by := g.clients.people[g.r.below(people)]
	switch g.r.below(4) {
	case 0:
		o := g.any()
		q := g.request(by, "patch", o)
		q.query = `dryRun=All\u0026fieldManager=kubectl\u0026fieldValidation=Strict\u0026force=true`
		g.sent = g.body(g.sent[:0], o, q.version, by, true)
		g.answer = g.body(g.answer[:0], o, q.version, by, false)
		q.sent, q.answer = g.sent, g.answer
		g.write(q)
	case 1:
		q := g.request(by, "get", g.any())
		q.impersonates = g.clients.operators[g.r.below(operators)].name
		g.write(q)
	default:
		f := &g.fights[g.r.below(len(g.fights))]
		f.turn++
		f.o.generation, f.o.version = 7+f.turn%2, g.revision()
		g.patched(f.sides[f.turn%2], f.o, "")
	}
}
