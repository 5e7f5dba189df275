// Package synth generates Kubernetes manifests for benchmarks. They resemble real
// repositories: many kinds, the habits of many authors, and a known number of objects in
// deprecated and removed API versions.
//
// The same seed gives the same bytes on every machine and with every Go release. All
// names, hosts, keys and certificates are invented.
package synth

import "strconv"

// Minor is the minor for which State is true, release 1.37 of Kubernetes.
const Minor = 37

// State says whether release 1.Minor serves and deprecates an API version. The zero value
// is Current.
type State uint8

const (
	// Current means that the version is served without a warning. Versions of custom
	// resources are Current.
	Current State = iota
	// Deprecated means that the version is still served, but deprecated.
	Deprecated
	// Removed means that the version is no longer served.
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

// Object is a generated manifest, with facts about it.
type Object struct {
	// Text is the document without a separator. It ends with a newline. It is valid until
	// the next call of Generator.Next.
	Text []byte
	// First is true for the first document of a file. The documents up to the next First
	// belong to this file.
	First bool
	// Marked is true if the file begins with "---".
	Marked bool

	APIVersion, Kind string
	// Namespace is empty for cluster-scoped kinds.
	Namespace, Name string
	State           State
	// PreStop is true if a container has a preStop hook.
	PreStop bool
	// Refused is true if the server refuses the object, because a preStop sleep is longer
	// than the grace period. The State of these objects is Current.
	Refused bool
}

// oldPercent is the percentage of objects in deprecated or removed API versions.
const oldPercent = 14

// Generator generates objects. Use New to create one. It must not be used concurrently.
type Generator struct {
	seed    uint64
	index   uint64 // number of objects so far
	more    int    // number of further documents in the current file
	style   style
	buf     []byte
	current formPicker
	old     formPicker
}

// New returns a generator. Generators with the same seed generate the same objects.
func New(seed uint64) *Generator {
	return &Generator{seed: seed, current: newFormPicker(currentForms), old: newFormPicker(oldForms)}
}

// Next returns the next object.
func (g *Generator) Next() Object {
	r := &random{state: g.seed}
	// The seed and the index are mixed, so that consecutive objects have nothing in
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
	budget, begin := randomLength(r), *r
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
		// Forms only estimate the length of their lists, so the document may be too
		// short.
		budget += 2 * (shortest - len(d.buf))
	}
	return Object{
		Text: d.buf, First: first, Marked: first && d.start,
		APIVersion: f.apiVersion, Kind: f.kind, Namespace: d.namespace, Name: d.name,
		State: f.state, PreStop: d.preStop, Refused: d.refused,
	}
}

// shortest is the minimal length of a document in bytes. A shorter document is written
// again, with a larger budget.
const shortest = 1000

// randomLength returns a length for a document in bytes. Short documents are much more
// frequent than long ones, as with files: the product of two uniform random numbers has
// about the distribution of file sizes. Nearly all documents get 1 to 5 KB, and 2.1 KB on
// average.
func randomLength(r *random) int { return 1250 + r.below(4800)*r.below(1000)/1000 }

// formPicker returns random forms by weight.
type formPicker struct {
	forms []form
	upTo  []int // sum of the weights up to and including each form
}

func newFormPicker(forms []form) formPicker {
	d := formPicker{forms: forms, upTo: make([]int, len(forms))}
	sum := 0
	for i := range forms {
		sum += forms[i].weight
		d.upTo[i] = sum
	}
	return d
}

func (d *formPicker) draw(r *random) *form {
	n := r.below(d.upTo[len(d.upTo)-1])
	for i, upTo := range d.upTo {
		if n < upTo {
			return &d.forms[i]
		}
	}
	panic("synth: weights do not add up")
}
