// Package traffic generates audit logs for benchmarks, like those of a busy cluster.
// Names, namespaces, users, agents, addresses, versions, audit IDs and times vary as in
// production. There are 250 nodes, about 900 clients and, at the beginning, 24,000
// objects. Pods are created and deleted.
//
// The same configuration gives the same bytes on every machine. All names, addresses and
// keys are invented.
package traffic

// These are the audit levels of a log.
const (
	Metadata        = "Metadata"
	Request         = "Request"
	RequestResponse = "RequestResponse"
)

// Config describes a log. Level is required.
type Config struct {
	Seed uint64
	// Level is the audit level of the log. Even at RequestResponse, secrets have no
	// bodies, and requests that only read have no response bodies.
	Level string
	// If Churn is true, the log has only short-lived objects. A client creates each
	// object. Two of three objects are written or deleted later.
	Churn bool
}

// Generator generates the events of a log. It must not be used concurrently.
type Generator struct {
	cfg          Config
	r, shape     *random
	now          int64 // current time in microseconds since 1970
	version      uint64
	clients      *clients
	kinds        []*kind
	byName       map[string]*kind
	oldKinds     []*kind
	open         []watch
	fights       []fight
	churnObjects []*object // short-lived objects of Config.Churn that are written later
	born         int       // number of short-lived objects so far

	buf, sent, answer []byte
	events            int
}

// fight is an object that two clients write in turn.
type fight struct {
	o     *object
	sides [2]*client
	turn  int
}

// begin is the time of the first event, 2026-03-02T09:00:00Z, in microseconds since 1970.
const begin = 1772442000_000000

// New returns a generator for a log.
func New(cfg Config) *Generator {
	g := &Generator{cfg: cfg, r: newRandom(cfg.Seed), shape: newRandom(0), now: begin, version: 40_000_000, byName: map[string]*kind{}}
	if g.clients = newClients(g.r); cfg.Churn {
		g.clients = newRunners(g.r)
	}
	g.kinds = newKinds()
	for _, k := range g.kinds {
		g.byName[k.resource] = k
		if k.oldVersion != "" {
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
		o := g.randomObject(g.kind([]string{"deployments", "configmaps", "ingresses"}[i%3]))
		other := g.clients.operators[g.r.below(operators)]
		g.fights = append(g.fights, fight{o: o, sides: [2]*client{o.owner, other}})
	}
	return g
}

// Next returns the lines of the next few events, and their number. The lines are valid
// until the next call.
func (g *Generator) Next() (lines []byte, events int) {
	g.buf, g.events = g.buf[:0], 0
	if g.cfg.Churn {
		g.churn()
	} else {
		g.traffic()
	}
	return g.buf, g.events
}

// Log returns the beginning of a log, with at least size bytes.
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

// randomObject returns an object of a kind. Some objects are returned much more often
// than others.
func (g *Generator) randomObject(k *kind) *object { return k.pool[g.r.skewed(len(k.pool))] }

// revision returns the next resourceVersion of the cluster.
func (g *Generator) revision() uint64 {
	g.version += uint64(1 + g.r.skewed(4))
	return g.version
}

// wait advances the clock by a random time. average is in microseconds.
func (g *Generator) wait(average int) { g.now += int64(g.r.below(2 * average)) }

// weights has the actions of the cluster with their probabilities in percent.
var weights = [...]struct {
	percent int
	do      func(g *Generator)
}{
	{19, func(g *Generator) { // nodes renew their leases
		o := g.kind("leases").pool[g.r.below(nodes)]
		g.put(o.owner, o, "")
	}},
	{8, func(g *Generator) { // leader election
		o := g.kind("leases").pool[nodes+g.r.below(operators)]
		g.update(o.owner, o, "")
	}},
	{12, (*Generator).watches},
	{15, func(g *Generator) { // controllers read their objects
		o := g.randomCommonObject()
		g.get(o.owner, o)
	}},
	{7, func(g *Generator) {
		k := g.kinds[g.r.below(len(g.kinds))]
		g.list(g.clients.all[g.r.skewed(len(g.clients.all))], k, k.version)
	}},
	{2, func(g *Generator) {
		o := g.randomObject(g.kind("nodes"))
		g.patch(o.owner, o, "status")
	}},
	{4, func(g *Generator) {
		o := g.randomObject(g.kind("pods"))
		g.patch(o.owner, o, "status")
	}},
	{5, func(g *Generator) {
		o := g.randomCommonObject()
		if o.kind.status != nil && !o.kind.cluster {
			g.put(o.owner, o, "status")
			return
		}
		g.get(o.owner, o)
	}},
	{8, func(g *Generator) { // clients write their own objects
		o := g.randomCommonObject()
		g.save(o.owner, o)
	}},
	{1, func(g *Generator) { // people write objects of other clients
		g.save(g.clients.people[g.r.skewed(len(g.clients.people))], g.randomCommonObject())
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
		o := g.randomObject(k)
		g.patch(o.owner, o, "")
	}},
	{4, func(g *Generator) { g.review(g.clients.operators[g.r.below(operators)]) }},
	{2, (*Generator).path},
	{1, (*Generator).deprecatedRequest},
	{1, (*Generator).fail},
	{1, (*Generator).rareActions},
}

// traffic executes one random action.
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

// randomCommonObject returns a random object that is not a lease, event or node.
func (g *Generator) randomCommonObject() *object {
	return g.randomObject(g.kinds[g.r.below(len(g.kinds)-3)])
}

// pods creates and deletes pods, so that their total number stays the same.
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
	if g.r.chance(8) { // the controller in this pod moves to another node
		i := g.r.below(operators)
		old := g.clients.operators[i]
		c := newOperator(g.r)
		c.manager, c.style, c.agent = old.manager, old.style, old.agent
		*old = *c
	}
}

// rareActions writes dry runs, impersonated requests and turns of fights.
func (g *Generator) rareActions() {
	by := g.clients.people[g.r.below(people)]
	switch g.r.below(4) {
	case 0:
		o := g.randomCommonObject()
		q := g.request(by, "patch", o)
		q.query = `dryRun=All\u0026fieldManager=kubectl\u0026fieldValidation=Strict\u0026force=true`
		g.sent = g.body(g.sent[:0], o, q.version, by, true)
		g.answer = g.body(g.answer[:0], o, q.version, by, false)
		q.requestBody, q.responseBody = g.sent, g.answer
		g.write(q)
	case 1:
		q := g.request(by, "get", g.randomCommonObject())
		q.impersonates = g.clients.operators[g.r.below(operators)].name
		g.write(q)
	default:
		f := &g.fights[g.r.below(len(g.fights))]
		f.turn++
		f.o.generation, f.o.version = 7+f.turn%2, g.revision()
		g.writePatchEvent(f.sides[f.turn%2], f.o, "")
	}
}
