package gotype

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// textsOf returns the texts of an outcome, without positions.
func textsOf(o Outcome) (all []string) {
	if o.Error != "" {
		all = append(all, o.Error)
	}
	for _, d := range o.Dropped {
		all = append(all, d.Text)
	}
	return all
}

// checkDecode checks the properties that Decode has for every body.
func checkDecode(t *testing.T, m lifecycle.Minor, body string) {
	o := Object{Body: []byte(body)}
	var err error
	if o.Value, err = wire.JSONAll(o.Body, func(d wire.Duplicate) { o.Duplicates = append(o.Duplicates, d) }); err != nil {
		return
	}
	o.APIVersion, o.Kind = o.Value.Get("apiVersion").StringOr(""), o.Value.Get("kind").StringOr("")
	got := Decode(m, o, true)
	for _, d := range got.Dropped {
		if d.Text == "" || d.Key.Pos.Line < 1 {
			t.Errorf("%s: dropped %+v", body, d)
		}
		Suggest(o.APIVersion, o.Kind, m, d.Field)
	}
	if got.Error != "" && (got.At == nil || len(got.Dropped) > 0) {
		t.Errorf("%s: %+v", body, got)
	}
	if quiet := Decode(m, o, false); quiet.Error != got.Error || len(quiet.Dropped) > 0 {
		t.Errorf("%s: %+v although nobody asks for what is dropped", body, quiet)
	}
	DecodePodSpec(m, "spec.x", o.Value, nil)
	// Without repeated fields, the order in the source must not matter if the
	// client sorts the fields.
	if m > lastIterator && got.Error == "" && len(o.Duplicates) == 0 {
		want := textsOf(Decode(m, parse(t, sortedBody(t, o.Body)), true))
		o.Body, o.Sorted = nil, true
		if diff := cmp.Diff(want, textsOf(Decode(m, o, true)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: the order of the source matters:\n%s", body, diff)
		}
	}
	// The fast fitter and the decoder must agree.
	if typ := typeOf(o.APIVersion, o.Kind, m); typ != nil && m > lastIterator {
		d := decoder{minor: m, strict: true}
		d.read(typ, o.Value)
		if unknown := Unknown(m, o); (len(unknown) > 0) != (len(d.dropped) > 0) && d.failure == nil && len(o.Duplicates) == 0 {
			t.Errorf("%s: unknown are %v, the decoder says %v", body, unknown, d.dropped)
		}
		if fits := fitterFor(m).fits(typ, o.Value); fits != (d.failure == nil && len(d.dropped) == 0) {
			t.Errorf("%s: fits is %t, the decoder says %v and %v", body, fits, d.failure, d.dropped)
		}
	}
}

// sortedBody encodes a body as kubectl does, with the fields sorted by name.
func sortedBody(t *testing.T, body []byte) string {
	t.Helper()
	in := json.NewDecoder(bytes.NewReader(body))
	in.UseNumber()
	var v any
	if err := in.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestRandomBodies runs the checks of the fuzz test on bodies of all kinds, made
// by a seeded writer.
func TestRandomBodies(t *testing.T) {
	for _, m := range []lifecycle.Minor{16, 22, 23, 25, 34, 35, lifecycle.Newest} {
		w := &writer{r: rand.New(rand.NewPCG(1, uint64(m))), minor: m, wrong: 20, unknown: 40, repeated: 10}
		for i := range roots {
			if !minorSets[roots[i].minors].Has(m) {
				continue
			}
			for range 6 {
				w.values = 300
				checkDecode(t, m, w.body(roots[i].apiVersion.String(), roots[i].kind.String()))
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	w := &writer{r: rand.New(rand.NewPCG(2, 2)), minor: lifecycle.Newest, wrong: 20, unknown: 40, repeated: 10}
	for i := range roots {
		w.minor = minorSets[roots[i].minors].Newest()
		w.values = 60
		f.Add(uint8(w.minor), w.body(roots[i].apiVersion.String(), roots[i].kind.String()))
	}
	f.Add(uint8(21), deployment)
	f.Fuzz(func(t *testing.T, minor uint8, body string) {
		if m := lifecycle.Minor(minor); m <= lifecycle.Newest {
			checkDecode(t, m, body)
		}
	})
}
