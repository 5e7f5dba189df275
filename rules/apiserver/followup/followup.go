// Package followup predicts the errors and warnings that a server reports only
// after the values that do not decode are fixed. A server stops at the first
// such value.
package followup

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxRepairs is the largest number of values that are repaired in an object.
const maxRepairs = 20

// maxVisited bounds the work for an object: the number of its values times the
// number of repairs.
const maxVisited = 400_000

// maxPlaces is the largest number of places of the repaired values. YAML aliases
// lead to more places than there are values.
const maxPlaces = 100

// Answer returns a server's answer to a request. If a value does not decode, the
// answer continues with what that value hides: further such values, in the
// order in which the server would report them, then unknown fields, errors and
// warnings. These are marked Hidden. ask returns the server's answer to a request.
//
// The values are repaired in several ways. A message is included only if each
// way leads to it and if it cannot depend on a repaired value. At most maxRepairs
// values are repaired, fewer in a large object. If there are more, the answer
// continues with the values alone.
func Answer(r apiserver.Request, ask func(apiserver.Request) apiserver.Answer) apiserver.Answer {
	first := ask(r)
	if len(r.Duplicates) > 0 && r.Body != nil {
		return first // the values of the errors may not be in r.New
	}
	if undecoded(first) == nil {
		return first
	}
	limit := min(maxRepairs, maxVisited/size(r.New))
	var wrong []apiserver.Cause
	seen := map[wire.Pos]bool{}
	next, left := first, r
	for c := undecoded(next); c != nil; c = undecoded(next) {
		if seen[c.At.Pos] {
			return withHidden(first, wrong, nil) // an alias is used with different types
		}
		seen[c.At.Pos] = true
		wrong = append(wrong, *c)
		if len(wrong) > limit {
			return withHidden(first, wrong, nil)
		}
		repaired, _ := repair(left.New, wrong[len(wrong)-1:], 0)
		left = with(left, repaired)
		next = ask(left)
	}
	_, places := repair(r.New, wrong, 0)
	if len(places) < len(wrong) || len(places) > maxPlaces {
		return withHidden(first, wrong, nil)
	}
	d := newDependence(r, places, next)
	variants := 1
	for _, c := range wrong {
		variants = max(variants, len(c.Fits))
	}
	for i := 1; i < variants; i++ {
		repaired, _ := repair(r.New, wrong, i)
		next = common(next, ask(with(r, repaired)))
	}
	return withHidden(first, wrong, d.without(next))
}

// undecoded returns the error about a value that does not decode and that can be
// repaired, or nil.
func undecoded(a apiserver.Answer) *apiserver.Cause {
	if len(a.Causes) != 1 || len(a.Causes[0].Fits) == 0 || a.Causes[0].At == nil {
		return nil
	}
	return &a.Causes[0]
}

// with returns the request with another object.
func with(r apiserver.Request, obj *wire.Value) apiserver.Request {
	if r.Old == r.New { // an update that changes nothing
		r.Old = obj
	}
	r.New = obj
	return r
}

// message identifies an error or warning.
type message struct{ field, text string }

// withHidden appends the wrong values and the messages of next to the first answer
// and marks them Hidden. The first wrong value is in that answer already. next may be
// nil.
func withHidden(first apiserver.Answer, wrong []apiserver.Cause, next *apiserver.Answer) apiserver.Answer {
	add := func(c apiserver.Cause) {
		c.Hidden = true
		first.Causes = append(first.Causes, c)
	}
	if len(wrong) > 0 {
		for _, c := range wrong[1:] {
			add(c)
		}
	}
	if next == nil {
		return first
	}
	known := map[message]bool{}
	for _, w := range first.Warnings {
		known[message{w.Field, w.Text}] = true
	}
	for _, w := range next.Warnings {
		if !known[message{w.Field, w.Text}] {
			w.Hidden = true
			first.Warnings = append(first.Warnings, w)
		}
	}
	for _, c := range next.Causes {
		add(c)
	}
	return first
}

// common returns the errors and warnings of a that b contains too.
func common(a, b apiserver.Answer) apiserver.Answer {
	known := map[message]bool{}
	var both apiserver.Answer
	for _, c := range b.Causes {
		known[message{c.Field, c.Text}] = true
	}
	for _, c := range a.Causes {
		if known[message{c.Field, c.Text}] {
			both.Causes = append(both.Causes, c)
		}
	}
	clear(known)
	for _, w := range b.Warnings {
		known[message{w.Field, w.Text}] = true
	}
	for _, w := range a.Warnings {
		if known[message{w.Field, w.Text}] {
			both.Warnings = append(both.Warnings, w)
		}
	}
	return both
}
