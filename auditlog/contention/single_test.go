package contention

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// wrote returns a write to the object with this number. If value is not 0, the
// write has a state.
func wrote(c *Collector, object, writer int, at int64, value uint64) (key uint64, w *newWrite) {
	name := fmt.Sprint("object-", object)
	w = &newWrite{name: name}
	w.scope, _ = c.scope(scope{"apps", "deployments", "shop", "v1"})
	w.at, w.id, w.how, w.kind = at, uint32(at), HowUpdate, kindCreated
	w.writer, _ = c.writer(Writer{User: fmt.Sprint("user-", writer)})
	w.input, w.line = c.input("a.log"), uint32(at)
	if value != 0 {
		l := []leaf{{1, 1}, {2, value}, {uint64(object) + 10, 7}}
		w.set = &leafSet{stateHash(l), l}
		w.state, w.kind = w.set.hash, kindFull
	}
	o := Object{"apps", "deployments", "shop", name}
	return o.key(), w
}

// TestSingle checks that the data of an object does not depend on the order of
// its writes. The type in which the object was stored before must not matter
// either.
func TestSingle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		single, plain := New(Config{}), New(Config{})
		type step struct {
			object int
			at     int64
		}
		var steps []step
		for range 1 + r.IntN(120) {
			steps = append(steps, step{r.IntN(4), int64(1 + r.IntN(100))})
		}
		rare := int64(2 + r.IntN(100)) // time between writes of the second writer
		// Two writes to one object at the same time are the same event.
		write := func(c *Collector, s step) (uint64, *newWrite) {
			writer := 0
			if s.at%rare == 1 {
				writer = 1
			}
			return wrote(c, s.object, writer, s.at, uint64(s.at%5))
		}
		for _, s := range steps {
			key, w := write(single, s)
			single.keepWrite(key, w)
		}
		r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		for _, s := range steps {
			key, w := write(plain, s)
			if plain.objects[key] == nil {
				plain.object(key, w, nil)
			}
			plain.keepWrite(key, w)
		}
		a, b := single.Report(Thresholds{}), plain.Report(Thresholds{})
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v\nwant %+v", a, b)
		}
		if got, want := single.Encode(), plain.Encode(); string(got) != string(want) {
			t.Fatalf("%d bytes, want %d", len(got), len(want))
		}
	}
}

// TestLimits checks that the stored data stays within the limits, that dropped
// data is counted, and that the result depends only on the log.
func TestLimits(t *testing.T) {
	limits := Limits{Objects: 50, Single: 1000, Writes: 2000, Leaves: 4000}
	var encoded [2][]byte
	for i := range encoded {
		c := New(Config{Limits: limits})
		at := int64(0)
		put := func(object, writer int, value uint64) {
			at++
			key, w := wrote(c, object, writer, at, value)
			c.keepWrite(key, w)
		}
		for n := range 20_000 {
			put(n, 0, uint64(n))
			if n%2 == 0 {
				put(n, 0, 1)
			}
			if n%10 == 0 { // two writers until the end
				put(n, 1, 5)
			}
			if n%7 == 0 { // the fight
				put(-1, n%2, uint64(1+n%2))
			}
		}
		r := c.Report(Thresholds{})
		if len(r.Fights) == 0 || r.Fights[0].Object.Name != "object--1" || r.Fights[0].Evidence != Exact && r.Fights[0].Evidence != Partial {
			t.Errorf("the fight is not found: %+v", r.Fights)
		}
		if r.Forgotten == 0 || r.Forgotten+r.Writes < at*9/10 {
			t.Errorf("%d writes, %d forgotten, %d kept", at, r.Forgotten, r.Writes)
		}
		singles := c.singles.recent.objects + c.singles.older.objects
		if len(c.objects) > limits.Objects || singles > limits.Single+2 || c.writes > limits.Writes {
			t.Errorf("%d objects, %d single-writer ones, %d writes", len(c.objects), singles, c.writes)
		}
		if n := c.singles.states.recent.leaves + c.singles.states.older.leaves; n > limits.Leaves {
			t.Errorf("%d leaves of single-writer objects", n)
		}
		encoded[i] = c.Encode()
	}
	if string(encoded[0]) != string(encoded[1]) {
		t.Error("two runs differ")
	}
}

// TestSingleStoreBounds checks that the store returns the objects that were put
// into it. Removed objects and long names must not make it grow without limit.
func TestSingleStoreBounds(t *testing.T) {
	const limit = 10_000
	var s singleStore
	long := bytes.Repeat([]byte("n"), maxText)
	full := observation{
		at: -5, version: math.MaxUint64, state: 1, hooks: 2, audit: auditID{3, 4}, id: math.MaxUint32, writer: math.MaxUint32,
		input: math.MaxUint32, line: math.MaxUint32, scope: math.MaxUint32, how: HowDelete, kind: kindFull, flags: flagMade,
	}
	for i := range 20 * limit {
		o := &singleObject{long, slices.Repeat([]observation{full}, maxSingle)}
		for at := range o.writes {
			o.writes[at].at = int64(at - 3)
		}
		key := uint64(i) * 7
		s.put(key, o, limit)
		g, e := s.find(key)
		if got := s.read(g, e); !reflect.DeepEqual(got, o) {
			t.Fatalf("%+v\nwant %+v", got, o)
		}
		if i%2 == 0 {
			g.remove(e)
			if g, e := s.find(key); g != nil || e != nil {
				t.Fatal("a removed object is found")
			}
		}
	}
	for _, g := range [...]*generation{&s.recent, &s.older} {
		if bytes := len(g.texts) * textPage; bytes > limit/2*usualText+2*textPage || g.entries.n > 2*limit {
			t.Errorf("%d entries, %d bytes", g.entries.n, bytes)
		}
	}
}
