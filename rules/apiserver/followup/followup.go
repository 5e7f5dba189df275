// Package followup predicts the errors and warnings that a server reports only
// after the values that do not decode are fixed. A server stops at the first such
// value. The package repairs a value by replacing it with a value of the right
// type.
package followup

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxRepairs is the maximum number of values of an object that are repaired.
const maxRepairs = 20

// maxVisited limits the work for one object: the number of the object's values
// times the number of repairs.
const maxVisited = 400_000

// maxPlaces is the maximum number of places of repaired values. With YAML
// aliases, one value can have many places.
const maxPlaces = 100

// Answer returns a server's answer to a request, and adds the messages that the
// server sends only after fixes. ask returns the server's own answer, which stops
// at the first value that does not decode. Answer adds the other values that do
// not decode, in the server's order, and then unknown fields, errors and
// warnings. It marks the added messages Hidden.
//
// Each value is repaired in several ways. A message is added only if every way
// leads to the message, and if it cannot depend on a repaired value. At most
// maxRepairs values are repaired, fewer in a large object. If there are more,
// only the values that do not decode are added.
func Answer(r apiserver.Request, ask func(apiserver.Request) apiserver.Answer) apiserver.Answer {
	first := ask(r)
	if len(r.Duplicates) > 0 && r.Body != nil {
		return first // an error may be about a repeated field, which r.New lacks
	}
	if undecoded(first) == nil {
		return first
	}
	limit := min(maxRepairs, maxVisited/size(r.New))
	var wrong []apiserver.Cause
	seen := map[wire.Pos]bool{}
	next, repairedRequest := first, r
	for c := undecoded(next); c != nil; c = undecoded(next) {
		if seen[c.At.Pos] {
			return withHidden(first, wrong, nil) // the type of an aliased value differs between its places
		}
		seen[c.At.Pos] = true
		wrong = append(wrong, *c)
		if len(wrong) > limit {
			return withHidden(first, wrong, nil)
		}
		repaired, _ := repair(repairedRequest.New, wrong[len(wrong)-1:], 0)
		repairedRequest = withObject(repairedRequest, repaired)
		next = ask(repairedRequest)
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
		next = sharedMessages(next, ask(withObject(r, repaired)))
	}
	return withHidden(first, wrong, d.independent(next))
}

// undecoded returns the error if the answer is about a value that does not decode
// and can be repaired. Otherwise it returns nil.
func undecoded(a apiserver.Answer) *apiserver.Cause {
	if len(a.Causes) != 1 || len(a.Causes[0].Fits) == 0 || a.Causes[0].At == nil {
		return nil
	}
	return &a.Causes[0]
}

func withObject(r apiserver.Request, obj *wire.Value) apiserver.Request {
	if r.Old == r.New { // the update changes nothing
		r.Old = obj
	}
	r.New = obj
	return r
}

type message struct{ field, text string }

// withHidden appends errors and warnings to the first answer and marks them
// Hidden. wrong are the errors about values that do not decode; the first of them
// is already in the answer. next has the messages after the repairs, and may be
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

func sharedMessages(a, b apiserver.Answer) apiserver.Answer {
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
