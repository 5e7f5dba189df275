// Package synth writes Kubernetes manifests that look like those of real
// repositories, for benchmarks: many kinds, the habits of many authors, a
// known number of objects in deprecated and removed API versions.
//
// The same seed gives the same bytes on every machine and with every Go
// release. Nothing in the manifests is anybody's: names, hosts, keys and
// certificates are invented.
package synth

import "strconv"

// Minor is the minor Kubernetes release, 1.Minor, that State speaks about.
const Minor = 37

// State is what a kube-apiserver of release 1.Minor does with an API version.
// The zero value is Current.
type State uint8

const (
	// Current is served without a warning, or unknown to the server because
	// it is a custom resource.
	Current State = iota
	// Deprecated has not been removed, and is past its deprecation.
	Deprecated
	// Removed is no longer served.
	Removed
)

// String returns the name of the state in lower case.
func (s State) String() string {
	switch s {
	case Current:
		return "current"
	case Deprecated:
		return "deprecated"
	case Removed:
		return "removed"
	}
	return "State(" + strconv.Itoa(int(s)) + ")"
}

// Object is one generated manifest and what is known about it.
type Object struct {
	// Text is the document without a separator, ending in a newline. It is
	// valid until the next call of Generator.Next.
	Text []byte
	// First marks the first document of a file; the following documents up
	// to the next First belong into the same file.
	First bool
	// Marked is set if the author opens the first document with "---".
	Marked bool

	APIVersion, Kind string
	// Namespace is empty for cluster-scoped kinds.
	Namespace, Name string
	State           State
	// PreStop is set if a container has a preStop handler.
	PreStop bool
	// Refused is set if a preStop sleep is longer than the grace period, so
	// that the server refuses the object. Such objects are always Current.
	Refused bool
}

// oldPercent is the share of objects in old API versions.
const oldPercent = 14

// Generator makes one object after the other. The zero value is not usable;
// see New. A Generator must not be used concurrently.
type Generator struct {
	seed    uint64
	index   uint64 // objects made
	more    int    // documents that the present file still gets
	style   style
	buf     []byte
	current drawer
	old     drawer
}

// New returns a generator. Two generators with the same seed make the same
// objects.
func New(seed uint64) *Generator {
	return &Generator{seed: seed, current: newDrawer(current), old: newDrawer(old)}
}

// Next makes the next object.
func (g *Generator) Next() Object {
	r := &random{state: g.seed}
	// Seed and index go through the mixer so that neighbours have nothing in
	// common.
	r.state = r.next() + g.index*0xd1342543de82ef95
	r.state = r.next()
	g.index++

	first := g.more == 0
	if first {
		g.style = r.style()
		g.more = 1
		if r.chance(6) {
			g.more = r.between(2, 5)
		}
	}
	g.more--

	forms := &g.current
	if r.chance(oldPercent) {
		forms = &g.old
	}
	f := forms.draw(r)
	budget, begin := budget(r), *r
	var d document
	for range 4 {
		*r = begin
		d = document{
			writer: &writer{style: g.style, r: r, buf: g.buf[:0], budget: budget},
			form:   f,
			app:    r.pick(services),
			role:   r.pick(roles),
		}
		d.name = d.app + "-" + d.role + "-" + strconv.FormatUint(g.index, 36)
		if !f.cluster {
			d.namespace = r.pick(namespaces)
		}
		d.write(first)
		g.buf = d.buf
		if len(d.buf) >= shortest {
			break
		}
		// The forms only estimate what their lists will take.
		budget += 2 * (shortest - len(d.buf))
	}
	return Object{
		Text: d.buf, First: first, Marked: first && d.start,
		APIVersion: f.apiVersion, Kind: f.kind, Namespace: d.namespace, Name: d.name,
		State: f.state, PreStop: d.preStop, Refused: d.refused,
	}
}

// shortest is the length in bytes below which a document is written again with
// a larger budget.
const shortest = 1000

// budget is the length that a document aims at, short ones much more often
// than long ones: the product of two even numbers falls off about as file
// sizes do. With it nearly all documents are 1 to 5 KB long, 2.1 KB on average.
func budget(r *random) int { return 1250 + r.below(4800)*r.below(1000)/1000 }

// drawer draws forms by weight.
type drawer struct {
	forms []form
	upTo  []int // sum of the weights up to and with this form
}

func newDrawer(forms []form) drawer {
	d := drawer{forms: forms, upTo: make([]int, len(forms))}
	sum := 0
	for i := range forms {
		sum += forms[i].weight
		d.upTo[i] = sum
	}
	return d
}

func (d *drawer) draw(r *random) *form {
	n := r.below(d.upTo[len(d.upTo)-1])
	for i, upTo := range d.upTo {
		if n < upTo {
			return &d.forms[i]
		}
	}
	panic("synth: weights do not add up")
}
