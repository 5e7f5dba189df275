package contention

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// answer is one reversal of a field, by a writer that responds to another one.
type answer struct {
	after  int64 // time since the reverted value was set, in microseconds
	value  uint64
	writer uint32
	how    How
	flags  uint8
	firm   bool // see pathFight.firm
}

// clearedValues are the fingerprints of the values that a controller leaves in
// a field after it has served the request in the field (see analysis.served):
// absent, empty or false.
var clearedValues = [...]uint64{
	0, emptyValue,
	fingerprint.Add(valueSeed, nil),
	fingerprint.Add(scalarSeed, []byte("false")),
	fingerprint.Add(valueSeed, []byte("false")),
}

// cleared reports whether a value is one of clearedValues.
func cleared(value uint64) bool { return slices.Contains(clearedValues[:], value) }

// served reports whether a field is a request to a controller: one side sets
// the field, and the controller clears the field after it has done the work.
// This looks like a fight, but all of these points are different:
//
//   - A writer that clears the field never sets it. It clears the field by a
//     patch or by an update of the object that it read, and not by sending a
//     template without the field.
//   - The controller clears the field soon after the request. The usual time
//     until the next request is at least three times as long.
//   - A new request is not a response to the cleared field. Requests come at
//     uneven times, or each request has a new value. This is not checked for
//     an annotation that a patch removes. It is also not checked for fewer
//     than 4*Thresholds.MinReversals requests that only persons sent, because
//     their times can be similar by chance.
//   - If the field is in the spec of a built-in kind, it is a switch that is
//     set to true, such as spec.unschedulable of a node. The switch stays set
//     for longer than promptTime, because the work takes time.
func (x *analysis) served(path uint64, p *pathFight) bool {
	if path == wholePath {
		return x.restarted(p)
	}
	if p.hooked {
		return false
	}
	var sets, clears []int64
	values := map[uint64]bool{}
	sides := map[uint32]bool{} // whether the writer clears the field
	removed, people, inSpec := true, true, x.inBuiltInSpec(path)
	for _, a := range p.answers {
		off := cleared(a.value)
		if before, known := sides[a.writer]; known && before != off {
			return false // the same writer sets and clears it
		}
		sides[a.writer] = off
		if !off {
			if partOfKubernetes(x.writer(a.writer).User) || inSpec && a.value != trueValue {
				return false // these writers and these fields make no requests
			}
			sets = append(sets, a.after)
			values[a.value] = true
			people = people && person(x.writer(a.writer))
			continue
		}
		clears = append(clears, a.after)
		switch {
		case a.how == HowMergePatch, a.how == HowJSONPatch:
			removed = removed && a.value == 0
		case a.how == HowUpdate && a.flags&flagTemplate == 0:
			removed = false
		default:
			return false // it sends the object without the field
		}
	}
	if len(sets) == 0 || len(clears) == 0 {
		return false
	}
	slices.Sort(sets)
	slices.Sort(clears)
	if inSpec && median(clears) <= promptTime {
		return false // no work was done in this short time
	}
	annotation := removed && strings.HasPrefix(x.pathText(path), "metadata.annotations")
	few := people && len(sets) < 4*x.t.MinReversals
	return 3*median(clears) <= median(sets) && (annotation || few || !even(sets) || len(values) == len(sets))
}

// inBuiltInSpec reports whether a field is in the spec of a built-in kind. Such
// a field is configuration and normally not a request.
func (x *analysis) inBuiltInSpec(path uint64) bool {
	builtIn := !strings.Contains(x.o.Group, ".") || strings.HasSuffix(x.o.Group, ".k8s.io")
	return builtIn && strings.HasPrefix(x.pathText(path), "spec.")
}

// trueValue is the fingerprint of the boolean true.
var trueValue = fingerprint.Add(scalarSeed, []byte("true"))

// restarted reports whether deleting and creating the object is not a fight,
// because all writers agree to it. There are three cases:
//
//   - The object is usually absent for longer than it exists, and for longer
//     than Thresholds.Answer. It is then created only when it is needed. This
//     case does not apply if all creators have traitSyncs, because such
//     programs create the object at once.
//   - The object is a pod, and only persons delete it, or it usually exists
//     for longer than Thresholds.Answer.
//   - Only persons delete the object, at uneven times, and it usually exists
//     at least three times as long as it is absent.
func (x *analysis) restarted(p *pathFight) bool {
	var creates, deletes []int64
	people, synced := true, true // whether all deletes are by persons, and all creations by programs with traitSyncs
	for _, a := range p.answers {
		if a.value != 0 {
			creates = append(creates, a.after)
			synced = synced && knownTraits(x.writer(a.writer), x.o)&traitSyncs != 0
			continue
		}
		people = people && person(x.writer(a.writer))
		deletes = append(deletes, a.after)
	}
	if len(creates) == 0 || len(deletes) == 0 {
		return false
	}
	slices.Sort(creates)
	slices.Sort(deletes)
	if !synced && median(creates) > median(deletes) && median(creates) > x.t.Answer {
		return true
	}
	if x.o.Resource == "pods" && x.o.Group == "" {
		return people || median(deletes) > x.t.Answer
	}
	return people && 3*median(creates) <= median(deletes) && !even(deletes)
}

// progresses reports whether a field shows the progress of work, and so is not
// a fight: one writer always sets the field back to the same value, and another
// writer counts on from there. All of these points are true:
//
//   - Only the first writer restores a value of its own. The other one goes on
//     with another value than the one that it had lost.
//   - The other writer usually changes its own value before the next start.
//   - The field is not in the spec, because an autoscaler also changes its own
//     value several times after another program has reset it.
func (x *analysis) progresses(path uint64, p *pathFight) bool {
	f := x.fields[path]
	if p.hooked || f == nil || path == wholePath || strings.HasPrefix(x.pathText(path), "spec.") {
		return false
	}
	start := map[uint32]uint64{} // the value of each writer that restores its own
	for _, a := range p.answers {
		if !a.firm {
			continue
		}
		if v, known := start[a.writer]; known && v != a.value {
			return false
		}
		start[a.writer] = a.value
	}
	return len(start) == 1 && f.steps >= p.reversals-p.firm
}

// median returns the median of sorted times.
func median(times []int64) int64 { return times[len(times)/2] }

// even reports whether sorted times are similar, as for a program that checks
// at intervals.
func even(times []int64) bool {
	n := len(times)
	return times[n-1-n/5] <= 2*times[n/5]
}
