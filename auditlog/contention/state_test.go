package contention_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
)

// TestMerge checks that collectors of parts of a log can be merged in any
// order. Bytes and report must be the same as for one collector of the whole
// log.
func TestMerge(t *testing.T) {
	for name, log := range samples(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for _, n := range []int{2, 3, 7} {
				parts := lines(log, n)
				parts = append(parts, parts[0]) // a copy of the first part
				whole := collect(t, contention.Config{}, 3, parts...)
				want := whole.Encode()
				wantReport := whole.Report(contention.Thresholds{})
				for range 3 {
					cs := make([]*contention.Collector, len(parts))
					for i, p := range parts {
						// Use the same names of inputs as in the run over the
						// whole log.
						empty := make([][]byte, i, i+1)
						cs[i] = collect(t, contention.Config{}, 1, append(empty, p)...)
						if i%2 == 0 {
							var err error
							if cs[i], err = contention.Decode(cs[i].Encode(), contention.Limits{}); err != nil {
								t.Fatal(err)
							}
						}
					}
					r.Shuffle(len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
					for len(cs) > 1 { // merge pairs in a random order
						i := r.IntN(len(cs) - 1)
						cs[i].Merge(cs[i+1])
						cs = append(cs[:i+1], cs[i+2:]...)
					}
					if got := cs[0].Encode(); !bytes.Equal(got, want) {
						t.Fatalf("%d parts: %d bytes, want %d", n, len(got), len(want))
					}
					if got := cs[0].Report(contention.Thresholds{}); !reflect.DeepEqual(got, wantReport) {
						a, _ := json.Marshal(got)
						b, _ := json.Marshal(wantReport)
						t.Fatalf("%d parts: reports differ\n%s\n%s", n, a, b)
					}
				}
			}
		})
	}
}

// TestShard checks that shards of two logs can be merged one by one. Together
// they must equal the merged collectors.
func TestShard(t *testing.T) {
	for name, log := range samples(t) {
		t.Run(name, func(t *testing.T) {
			const n = 5
			parts := lines(log, 2)
			want := collect(t, contention.Config{}, 2, parts...).Encode()
			first, second := collect(t, contention.Config{}, 1, parts[0]), collect(t, contention.Config{}, 1, nil, parts[1])
			whole := contention.New(contention.Config{})
			for i := range n {
				for _, c := range []*contention.Collector{second, first} {
					data := c.Shard(i, n)
					if data == nil {
						continue
					}
					if len(data) >= len(want) && len(want) > 1000 {
						t.Errorf("part %d of %d has %d bytes, the whole %d", i, n, len(data), len(want))
					}
					part, err := contention.Decode(data, contention.Limits{})
					if err != nil {
						t.Fatal(err)
					}
					whole.Merge(part)
				}
			}
			if got := whole.Encode(); !bytes.Equal(got, want) {
				t.Errorf("%d bytes, want %d", len(got), len(want))
			}
		})
	}
}

// TestDecode checks that Decode restores a collector, and that it detects
// damage.
func TestDecode(t *testing.T) {
	for name, log := range samples(t) {
		c := collect(t, contention.Config{}, 1, log)
		data := c.Encode()
		back, err := contention.Decode(data, contention.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(back.Encode(), data) {
			t.Errorf("%s: other bytes after decoding", name)
		}
		for i := 0; i < len(data); i += 1 + len(data)/500 {
			if _, err := contention.Decode(data[:i], contention.Limits{}); err == nil {
				t.Errorf("%s: cut at %d of %d, and no error", name, i, len(data))
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	all := scenario.All()
	for i := range all { // short data, so that many changes can be tried
		f.Add(collect(f, contention.Config{}, 1, scenario.Log(all[i:i+1])).Encode())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := contention.Decode(data, contention.Limits{})
		if err != nil {
			return
		}
		c.Report(contention.Thresholds{})
		again, err := contention.Decode(c.Encode(), contention.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		c.Merge(again)
		c.Encode()
	})
}
