package traffic

// churn writes events about a short-lived object: a creation and, for two of three
// objects, one more write. The clients are pipelines of continuous integration.
func (g *Generator) churn() {
	g.wait(1000)
	g.born++
	o := g.newObject(g.byName[churnKinds[g.born%len(churnKinds)]], g.born)
	o.owner = g.clients.all[g.r.below(len(g.clients.all))]
	g.create(o.owner, o)
	o.kind.pool = o.kind.pool[:0]
	if g.born%3 > 0 {
		g.churnObjects = append(g.churnObjects, o)
	}
	if len(g.churnObjects) < 20_000 {
		return
	}
	i := g.r.below(len(g.churnObjects))
	o = g.churnObjects[i]
	g.churnObjects[i] = g.churnObjects[len(g.churnObjects)-1]
	g.churnObjects = g.churnObjects[:len(g.churnObjects)-1]
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

// churnKinds has the kinds of short-lived objects. A kind that occurs twice is twice as
// frequent.
var churnKinds = []string{"configmaps", "secrets", "pods", "jobs", "serviceaccounts", "pods"}
