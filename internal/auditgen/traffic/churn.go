package traffic

// churn writes events about short-lived objects: a creation and, for two of three
// objects, one more write. The clients are pipelines of continuous integration.
func (g *Generator) churn() {
	g.wait(1000)
	g.born++
	o := g.newObject(g.byName[churned[g.born%len(churned)]], g.born)
	o.owner = g.clients.all[g.r.below(len(g.clients.all))]
	g.create(o.owner, o)
	o.kind.pool = o.kind.pool[:0]
	if g.born%3 > 0 {
		g.recent = append(g.recent, o)
	}
	if len(g.recent) < 20_000 {
		return
	}
	i := g.r.below(len(g.recent))
	o = g.recent[i]
	g.recent[i] = g.recent[len(g.recent)-1]
	g.recent = g.recent[:len(g.recent)-1]
	g.wait(500)
	switch g.r.below(5) {
	case 0, 1:
		g.patch(o.owner, o, "")
	case 2, 3:
		g.put(o.owner, o, "")
	default:
		o.kind.pool = append(o.kind.pool, o)
		g.remove(o.owner, o.kind)
	}
}

// churned has the kinds of short-lived objects. Kinds that occur twice are twice as
// frequent.
var churned = []string{"configmaps", "secrets", "pods", "jobs", "serviceaccounts", "pods"}
