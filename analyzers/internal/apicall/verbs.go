package apicall

import (
	"go/types"
	"strings"
)

// verbSet is a set of verbs.
type verbSet uint32

func setOf(v Verb) verbSet { return 1 << v }

func (s verbSet) has(v Verb) bool { return s&setOf(v) != 0 }

// namedVerbs are beginnings of names, and the verbs that they mean.
var namedVerbs = []struct {
	prefix string
	verb   Verb
}{
	{"createor", 0}, {"patchor", 0}, {"updateor", 0}, // both, in any order
	{"uninstall", VerbDelete}, {"delete", VerbDelete}, {"remove", VerbDelete}, {"destroy", VerbDelete},
	{"prune", VerbDelete}, {"purge", VerbDelete}, {"cleanup", VerbDelete}, {"teardown", VerbDelete},
	{"rollback", VerbUpdate}, {"upgrade", VerbUpdate}, {"update", VerbUpdate}, {"replace", VerbUpdate},
	{"install", VerbCreate}, {"create", VerbCreate}, {"apply", VerbApply}, {"patch", VerbPatch},
}

// mainVerb is the verb in the name of a function, or in that of its receiver, if the
// function has a write with that verb. An uninstall may update a record before it
// deletes, and a function that removes a finalizer deletes nothing.
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

// called returns the fact about a function as its callers see it.
func (f *writerFact) called(fn *types.Func) *writerFact {
	verb := mainVerb(fn, f)
	if verb == f.Verb {
		return f
	}
	out := *f
	out.Verb, out.Patch, out.Subresource = verb, "", ""
	return &out
}

// unknownImplementation returns the verb of an interface method of the package that no
// type implements here. An interface for clients has methods for several verbs that
// take objects, and its name does not say that it keeps them in memory.
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

// interfaceVerbs are the methods of clients.
var interfaceVerbs = map[string]Verb{
	"Create": VerbCreate, "Update": VerbUpdate, "UpdateStatus": VerbUpdate, "Patch": VerbPatch, "Apply": VerbApply, "Delete": VerbDelete,
}

// objectParam is the parameter of a method that is an object of an API (2 for
// the first, since the receiver counts), or 0.
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
