package history

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/tally"
)

func written(t testing.TB, s *State) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func example() *State {
	sum := auditlog.Summary{
		Inputs: 2, Bytes: 10, Records: 3, Events: 2, Foreign: [4]int64{1, 0, 2, 0}, Damaged: 1, Levels: [4]int64{0, 2, 0, 0}, Lost: [16]int64{1},
		Damage: []auditlog.Located{{Input: "b.log", Damage: auditlog.Damage{Line: 3, Column: 4, Text: "odd"}}, {Input: "a.log", Damage: auditlog.Damage{Line: 9, Text: "odder"}}},
		Failed: []auditlog.Failure{{Input: "c.gz", Err: io.ErrUnexpectedEOF}}, Barren: []string{"z", "y"},
	}
	return &State{Tally: tally.New(tally.Config{Keep: true}).State(), Logs: Of(&sum), HasContention: true, Contention: []byte{1, 2, 0, 3}}
}

func TestRoundTrip(t *testing.T) {
	want := example()
	data := written(t, want)
	got, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if !bytes.Equal(written(t, got), data) {
		t.Error("written again, it has other bytes")
	}
	if want.Logs.Damage[0].Input != "a.log" || want.Logs.Barren[0] != "y" {
		t.Errorf("not in an order of their own: %+v", want.Logs)
	}
	sum := got.Logs.Summary()
	if diff := cmp.Diff(want.Logs, Of(&sum)); diff != "" {
		t.Errorf("as a summary and back (-want +got):\n%s", diff)
	}
}

// TestAdd checks that the order in which logs are added does not matter.
func TestAdd(t *testing.T) {
	x, y := example().Logs, Logs{Inputs: 1, Damaged: 200, Foreign: [4]int64{0, 5, 0, 0}, Failed: []Failure{{"a", "gone"}}}
	for i := range 200 {
		y.Damage = append(y.Damage, Damage{Input: "aa.log", Line: i})
	}
	one, other := x, y
	one.Add(y)
	other.Add(x)
	if diff := cmp.Diff(one, other); diff != "" {
		t.Errorf("the order counts:\n%s", diff)
	}
	if one.Damaged != 201 || len(one.Damage) != maxListed || one.Damage[0].Input != "a.log" || len(one.Failed) != 2 {
		t.Errorf("%+v", one)
	}
}

func TestReadRefuses(t *testing.T) {
	data := written(t, example())
	flipped := bytes.Clone(data)
	flipped[len(flipped)-3] ^= 0xff
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":      {nil, "no state of kubevet audit"},
		"a log":      {[]byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1"}`), "no state of kubevet audit"},
		"later":      {[]byte("kubevet audit state 4\nx"), `a state of format "4": this kubevet reads format 3; save it anew from its logs`},
		"earlier":    {[]byte("kubevet audit state 2\nx"), `a state of format "2": this kubevet reads format 3; save it anew from its logs`},
		"cut off":    {data[:len(data)-20], "damaged: "},
		"flipped":    {flipped, "damaged: "},
		"only magic": {[]byte(magic), "damaged: it ends too early"},
	} {
		if s, err := Read(bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	broken := errors.New("broken")
	if _, err := Read(io.MultiReader(strings.NewReader("kube"), failing{broken})); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// bomb returns a small file that expands to a large text.
func bomb(t testing.TB, head string) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	body := append(binary.AppendUvarint(nil, uint64(len(head))), head...)
	return enc.EncodeAll(append(body, 0), []byte(magic))
}

// maxAllocated is the largest memory that reading a small file may allocate in
// total, in bytes.
const maxAllocated = 64 << 20

// allocated returns the number of bytes that a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestReadIsBounded checks that memory depends on the real size of a file, and
// not on the size in the file.
func TestReadIsBounded(t *testing.T) {
	many := func(n int, before, item, after string) string {
		return before + strings.Repeat(item+",", n) + item + after
	}
	bombs := map[string]string{
		"blanks":   strings.Repeat(" ", 16<<20),
		"one text": `{"tally":{"config":{"target":"` + strings.Repeat("x", 16<<20) + `"}}}`,
	}
	for _, list := range []string{"clients", "apis", "uses", "groups", "maybe", "oldCustomResources", "open", "conflicts", "refused", "bodies"} {
		bombs[list] = many(400_000, `{"tally":{"`+list+`":[`, `{}`, `]}}`)
	}
	for _, list := range []string{"ended", "sample"} {
		bombs[list] = many(600_000, `{"tally":{"`+list+`":[`, `1`, `]}}`)
	}
	for _, list := range []string{"denials", "evaluations", "webhooks"} {
		bombs["denials."+list] = many(400_000, `{"tally":{"denials":{"`+list+`":[`, `{}`, `]}}}`)
	}
	bombs["denials.rows"] = many(400_000, `{"tally":{"denials":{"denials":[{"rows":[`, `{}`, `]}]}}}`)
	bombs["denials.expressions"] = many(400_000, `{"tally":{"denials":{"denials":[{"expressions":[`, `{}`, `]}]}}}`)
	bombs["examples"] = many(400_000, `{"tally":{"groups":[{"examples":[`, `{}`, `]}]}}`)
	bombs["damage"] = many(400_000, `{"logs":{"damage":[`, `{}`, `]}}`)
	for name, head := range bombs {
		data := bomb(t, head)
		if len(data) > 64<<10 {
			t.Fatalf("%s: the bomb has %d bytes", name, len(data))
		}
		var err error
		n := allocated(func() { _, err = Read(bytes.NewReader(data)) })
		if n > maxAllocated {
			t.Errorf("%s: %d bytes took %d MiB: %v", name, len(data), n>>20, err)
		}
		if err == nil && name != "ended" && name != "sample" { // these files have lists of numbers
			t.Errorf("%s: read", name)
		}
	}
}

// FuzzRead checks that Read accepts an input as a state, or returns an error.
func FuzzRead(f *testing.F) {
	s := &State{Tally: tally.New(tally.Config{Keep: true}).State()}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		var s *State
		var err error
		limit := uint64(maxAllocated)
		if n := allocated(func() { s, err = Read(bytes.NewReader(data)) }); len(data) <= 64<<10 && n > limit {
			t.Errorf("%d bytes took %d MiB", len(data), n>>20)
		}
		if err != nil {
			return
		}
		tl := tally.New(tally.Config{Keep: true})
		if tl.Merge(s.Tally) == nil {
			if _, err := json.Marshal(tl.State()); err != nil {
				t.Error(err)
			}
		}
	})
}
