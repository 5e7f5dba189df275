package auditlog

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// layers wrap an event, or the output of another layer, on one line.
var layers = []func(t *testing.T, key, inner string) string{
	func(_ *testing.T, key, inner string) string { return js(m{key: inner, "host": "cp-0"}) },
	func(_ *testing.T, key, inner string) string {
		return js(m{"a": m{key: inner}, "tags": []any{"{b}", m{"c": 1}}})
	},
	func(_ *testing.T, key, inner string) string { return js(m{key: []string{inner}}) },
	func(_ *testing.T, key, inner string) string {
		if json.Valid([]byte(inner)) {
			return js(m{key: json.RawMessage(inner), "ts": 1763719200})
		}
		return inner
	},
	func(_ *testing.T, key, inner string) string {
		if json.Valid([]byte(inner)) {
			return js([]any{"tag", 17, json.RawMessage(inner)})
		}
		return inner
	},
	func(_ *testing.T, _, inner string) string { return js([]any{"1763719200000000000", inner}) },
	func(_ *testing.T, _, inner string) string { return js(inner) },
	func(_ *testing.T, _, inner string) string { return "2026-11-21T10:00:00Z cp-0 app[12]: " + inner },
	func(_ *testing.T, key, inner string) string { return js(m{key: b64(inner)}) },
	func(t *testing.T, key, inner string) string {
		return js(m{key: b64(compressed(t, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }, inner))})
	},
}

// files are the formats in which wrapped events are written to a file.
var files = []func(key string, wrapped []string) string{
	func(_ string, wrapped []string) string { return strings.Join(wrapped, "\n") },
	func(_ string, wrapped []string) string { return "[" + strings.Join(values(wrapped), ",") + "]" },
	func(_ string, wrapped []string) string { return pretty(raws(wrapped)) },
	func(key string, wrapped []string) string { return js(m{key: raws(wrapped), "total": 3}) },
	func(key string, wrapped []string) string {
		return pretty(m{"a": 1, "result": m{key: raws(wrapped)}, "z": []int{}})
	},
	func(_ string, wrapped []string) string {
		return each(values(wrapped), func(_ int, s string) string { return s })
	},
	func(_ string, wrapped []string) string {
		return sheet(';', []string{"time", "text"}, wrapped, func(s string) []string { return []string{"10:00; UTC", s} })
	},
	func(_ string, wrapped []string) string {
		return sheet(',', nil, wrapped, func(s string) []string { return []string{"10:00", s, "cp, 0"} })
	},
	func(_ string, wrapped []string) string {
		return each(wrapped, func(_ int, s string) string { return "2026-11-21T10:00:00.000000000Z stdout F " + s + "\n" })
	},
	func(_ string, wrapped []string) string {
		return "<?xml version='1.0'?>\n" + each(wrapped, func(_ int, s string) string { return "<v>" + html.EscapeString(s) + "</v>\n" })
	},
	func(_ string, wrapped []string) string {
		return each(wrapped, func(_ int, s string) string {
			return "- message: '" + strings.ReplaceAll(s, "'", "''") + "'\n  n: 1\n"
		})
	},
	func(_ string, wrapped []string) string {
		return each(wrapped, func(_ int, s string) string { return "1\t" + strings.ReplaceAll(s, `\`, `\\`) + "\n" })
	},
}

// values converts texts that are not JSON to JSON strings.
func values(wrapped []string) []string {
	var out []string
	for _, s := range wrapped {
		if !json.Valid([]byte(s)) {
			s = js(s)
		}
		out = append(out, s)
	}
	return out
}

// TestLayers wraps events in up to three random layers and a random file
// format. The reader must either find all events and no damage, or no event and
// report damage.
func TestLayers(t *testing.T) {
	log := small(t)
	want, _ := readAll(t, Options{}, whole, bytesInput("plain", []byte(strings.Join(log, "\n"))))
	slices.Sort(want)
	read := 0
	const tries = 60
	for seed := range int64(tries) {
		r := rand.New(rand.NewSource(seed))
		keys := strings.Fields("payload message log data event raw body value fields attributes record line _raw x items results rows hits")
		wrapped := slices.Clone(log)
		var chain []string
		for range 1 + r.Intn(3) {
			which, key := r.Intn(len(layers)), keys[r.Intn(len(keys))]
			chain = append(chain, fmt.Sprint(which, key))
			for i := range wrapped {
				wrapped[i] = layers[which](t, key, wrapped[i])
			}
		}
		which, key := r.Intn(len(files)), keys[r.Intn(len(keys))]
		got, sum := readAll(t, Options{}, whole, bytesInput("log", []byte(files[which](key, wrapped))))
		slices.Sort(got)
		clean := sum.Damaged == 0 && len(sum.Failed) == 0 && len(sum.Barren) == 0
		switch {
		case clean && slices.Equal(got, want):
			read++
		case clean || len(got) > 0:
			t.Errorf("seed %d, layers %q in file %d %s: %d events, %+v", seed, chain, which, key, len(got), sum)
		}
	}
	if t.Logf("%d of %d read", read, tries); read < tries*9/10 {
		t.Error("too many are refused")
	}
}

// raws returns values for an array.
func raws(wrapped []string) (out []json.RawMessage) {
	for _, s := range values(wrapped) {
		out = append(out, json.RawMessage(s))
	}
	return out
}
