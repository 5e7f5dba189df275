package apicall

import (
	"go/types"
	"strings"
)

// verbSet is a set of verbs.
type verbSet uint32

func setOf(v Verb) verbSet { return 1 << v }

func (s verbSet) has(v Verb) bool { return s&setOf(v) != 0 }

// namedVerbs maps the beginnings of function names to verbs.
var namedVerbs = []struct {
	prefix string
	verb   Verb
}{
	{"createor", 0}, {"patchor", 0}, {"updateor", 0}, // these functions have two verbs
	{"uninstall", VerbDelete}, {"delete", VerbDelete}, {"remove", VerbDelete}, {"destroy", VerbDelete},
	{"prune", VerbDelete}, {"purge", VerbDelete}, {"cleanup", VerbDelete}, {"teardown", VerbDelete},
	{"rollback", VerbUpdate}, {"upgrade", VerbUpdate}, {"update", VerbUpdate}, {"replace", VerbUpdate},
	{"install", VerbCreate}, {"create", VerbCreate}, {"apply", VerbApply}, {"patch", VerbPatch},
}

// mainVerb returns the verb that the name of a function, or of its receiver's type,
// means. If the function has no write with this verb, it returns fact.Verb.
//
// The name decides because an uninstall may update a record before it deletes. A write
// with this verb is required because a function such as RemoveFinalizer deletes
// nothing.
func mainVerb(fn *types.Func, fact *writerFact) Verb {
	names := []string{fn.Name()}
	if recv := fn.Signature().Recv(); recv != nil {
		if n := namedType(recv.Type()); n != nil {
			names = append(names, n.Obj().Name())
		}
	}
	for _, name := range names {
		name = strings.ToLower(name)
		for _, n := range namedVerbs {
			if !strings.HasPrefix(name, n.prefix) {
				continue
			}
			if fact.Verbs.has(n.verb) {
				return n.verb
			}
			return fact.Verb
		}
	}
	return fact.Verb
}

// combinedVerb returns the verb of the writes with the same rank as main. For a create and an
// update or patch of the same object, it is VerbCreateOrUpdate or VerbCreateOrPatch. In
// other cases, it is the verb of main.
func combinedVerb(all []*writerFact, main *writerFact) Verb {
	var verbs verbSet
	for _, f := range all {
		if f.rank() != main.rank() {
			continue
		}
		if f.Kind != main.Kind || f.Subresource != main.Subresource || !f.Object.equal(main.Object) {
			return main.Verb
		}
		switch f.Verb {
		case VerbCreateOrUpdate:
			verbs |= setOf(VerbCreate) | setOf(VerbUpdate)
		case VerbCreateOrPatch:
			verbs |= setOf(VerbCreate) | setOf(VerbPatch)
		default:
			verbs |= setOf(f.Verb)
		}
	}
	switch verbs {
	case setOf(VerbCreate) | setOf(VerbUpdate):
		return VerbCreateOrUpdate
	case setOf(VerbCreate) | setOf(VerbPatch):
		return VerbCreateOrPatch
	}
	return main.Verb
}

// forCallers returns the fact about a function that its callers use. Its verb is the
// main verb.
func (f *writerFact) forCallers(fn *types.Func) *writerFact {
	verb := mainVerb(fn, f)
	if verb == f.Verb {
		return f
	}
	out := *f
	out.Verb, out.Patch, out.Subresource = verb, "", ""
	return &out
}

// unknownImplementation returns the fact about a method m of an interface, if no type
// of the package implements m. It returns nil unless the interface looks like a client:
// it has methods for several verbs that take objects, and its name does not say that it
// stores objects in memory.
func unknownImplementation(m *types.Func, n *types.Named) *writerFact {
	fact := &writerFact{Verb: interfaceVerbs[m.Name()], Settable: true}
	fact.Object.Param = objectParam(m)
	if fact.Verb == 0 || fact.Object.Param == 0 {
		return nil
	}
	fact.Verbs = setOf(fact.Verb)
	name := strings.ToLower(n.Obj().Name())
	for _, word := range []string{"store", "cache", "index", "queue", "tracker", "handler", "lister", "recorder", "strategy"} {
		if strings.Contains(name, word) {
			return nil
		}
	}
	verbs := map[Verb]bool{}
	for other := range n.Underlying().(*types.Interface).Methods() {
		if verb := interfaceVerbs[other.Name()]; verb != 0 && objectParam(other) > 0 {
			verbs[verb] = true
		}
	}
	if len(verbs) < 2 {
		return nil
	}
	return fact
}

// interfaceVerbs maps the names of the methods of clients that write to their verbs.
var interfaceVerbs = map[string]Verb{
	"Create": VerbCreate, "Update": VerbUpdate, "UpdateStatus": VerbUpdate, "Patch": VerbPatch, "Apply": VerbApply, "Delete": VerbDelete,
}

// objectParam returns the number of a method's parameter that is an API object. The first
// parameter has number 2, after the receiver. It is 0 if there is no such parameter.
func objectParam(m *types.Func) int {
	i := 2
	for param := range m.Signature().Params().Variables() {
		if object, _, _ := types.LookupFieldOrMethod(param.Type(), false, nil, "DeepCopyObject"); object != nil {
			return i
		}
		i++
	}
	return 0
}
