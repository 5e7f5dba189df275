package auditlog

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNext(t *testing.T) {
	const cri = "2026-11-21T10:00:00.000000000Z stdout "
	table := Resume{Columns: []string{"auditID", "verb"}, Comma: ','}
	for _, x := range []struct {
		name               string
		before             Resume
		text, header, read string
		after              Resume
		refused            bool
	}{
		{name: "nothing"},
		{name: "a part of a line", text: `{"kind":"Ev`},
		{name: "lines", text: "{\"a\":1}\n{\"b\":2}\n{\"c\"", read: "{\"a\":1}\n{\"b\":2}\n"},
		{name: "other lines", text: "hello\nworld", read: "hello\n"},
		{name: "an empty line, which may belong to what follows", text: "hello\n \n\n", read: "hello\n"},
		{name: "empty lines", text: "\n\n"},
		{name: "lists on lines", text: "{\"items\":[{}]}\n{\"it", read: "{\"items\":[{}]}", after: Resume{Values: true}},
		{name: "a message of a container runtime", text: cri + "F {}\n" + cri + "P {\"a\"\n", read: cri + "F {}\n"},
		{name: "the end of the message", text: cri + "P {\"a\"\n" + cri + "F :1}\n" + cri, read: cri + "P {\"a\"\n" + cri + "F :1}\n"},
		{name: "a message of Docker", text: `{"log":"{\"a\"","stream":"stdout"}` + "\n"},
		{name: "a value of several lines", text: "{\n  \"a\": 1\n}\n{\n", read: "{\n  \"a\": 1\n}", after: Resume{Values: true}},
		{name: "values without lines", text: `{"a":1}{"b":2}{"c"`, read: `{"a":1}{"b":2}`, after: Resume{Values: true}},
		{name: "an array", text: "[\n{},\n{", read: "[\n{}", after: Resume{Values: true, Open: "["}},
		{name: "the rest of the array", before: Resume{Values: true, Open: "["}, text: ",\n{}\n]\n{\n", read: ",\n{}\n]", after: Resume{Values: true}},
		{name: "a list", text: "{\n\"items\": [\n{\n},\n{\n", read: "{\n\"items\": [\n{\n}", after: Resume{Values: true, Open: "{["}},
		{name: "the beginning of a list", text: "{\n\"kind\": \"EventList\",\n\"items\": [\n"},
		{name: "a header", text: "auditID,verb\n"},
		{name: "a table", text: "auditID,verb\nx,get\ny", header: "auditID,verb\n", read: "x,get\n", after: table},
		{name: "rows", before: table, text: "y,get\nz,\"a\nb\"\n1,\"a\n", read: "y,get\nz,\"a\nb\"\n", after: table},
		{name: "YAML", text: "auditID: x\nverb: get\n"},
		{name: "documents in YAML", text: "---\nauditID: x\n---\nauditID: y\n", read: "---\nauditID: x\n"},
		{name: "gzip", text: "\x1f\x8b\x08\x00", refused: true},
	} {
		p, ok := x.before.Next([]byte(x.text), x.before.Columns == nil && x.before.Open == "", false)
		if ok == x.refused || string(p.Header) != x.header || string(p.Text) != x.read {
			t.Errorf("%s: header %q, text %q, %v", x.name, p.Header, p.Text, ok)
		}
		if d := cmp.Diff(x.after, p.After); d != "" {
			t.Errorf("%s: %s", x.name, d)
		}
	}
}

// TestContinue checks that a table without a header continues the table before it.
func TestContinue(t *testing.T) {
	before := Resume{Columns: []string{"auditID", "verb"}, Comma: ','}
	for text, want := range map[string]Resume{
		"y,get\nz,get\n":           before,
		"auditID;verb\nx;get\n":    {Columns: []string{"auditID", "verb"}, Comma: ';'},
		"{\"a\":1}\n":              {},
		"y,get,more\nz,get,more\n": {},
		"hello\nworld\n":           {},
	} {
		p, ok := before.Next([]byte(text), true, false)
		if d := cmp.Diff(want, p.After); d != "" || !ok {
			t.Errorf("%q: %s", text, d)
		}
	}
}

// texts is a worker that collects the audit IDs of events.
type texts struct{ ids []string }

func (w *texts) Event(e *Event, _ int) { w.ids = append(w.ids, e.AuditID.String()) }
func (w *texts) Part() []string        { ids := w.ids; w.ids = nil; return ids }

// idsOf reads a text and returns the audit IDs in it.
func idsOf(t *testing.T, in Input) (ids []string, damaged int64) {
	t.Helper()
	sum, err := Read(context.Background(), slices.Values([]Input{in}), Options{Workers: 1}, func() Worker[[]string] { return &texts{} }, func(part []string, _ string, _ int) {
		ids = append(ids, part...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids, sum.Damaged
}

// TestPiecesOfValues reads streams of JSON values in random pieces. The events and the damage
// must be those of the whole stream.
func TestPiecesOfValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	event := func() string {
		return `{"kind":"Event","auditID":"` + string(rune('a'+random.IntN(26))) + `","stage":"ResponseComplete","requestURI":"/x","verb":"get","user":{"username":"u"}}`
	}
	pretty := func(s string) string {
		return strings.NewReplacer("{", "{\n  ", ",", ",\n  ", "}", "\n}", "[", "[\n").Replace(s)
	}
	for range 300 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			switch random.IntN(5) {
			case 0:
				b.WriteString(pretty(`{"kind":"EventList","items":[`+event()+","+event()+`],"metadata":{"a":[1,2]}}`) + "\n")
			case 1:
				b.WriteString(pretty("["+event()+","+event()+"]") + "\n")
			case 2:
				b.WriteString(pretty(event()) + event() + "\n")
			case 3:
				b.WriteString(pretty(event()) + "\n")
			default:
				b.WriteString(event() + pretty(event()) + "\n")
			}
		}
		text := []byte(b.String())
		want, damaged := idsOf(t, Input{Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }})
		var got []string
		var resume Resume
		begin, end, broken := 0, 0, int64(0)
		for begin < len(text) {
			last := end == len(text)
			p, ok := resume.Next(text[begin:end], begin == 0, last)
			if !ok {
				t.Fatalf("%q is refused", text)
			}
			if p.Size() > 0 {
				ids, bad := idsOf(t, Input{Piece: &p, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(p.Text)), nil }})
				got, broken, resume = append(got, ids...), broken+bad, p.After
				begin += p.Size()
			}
			end = min(len(text), end+1+random.IntN(60))
		}
		if d := cmp.Diff(want, got); d != "" || damaged != broken {
			t.Fatalf("damage %d, want %d, -whole +pieces:\n%s\n%s", broken, damaged, d, text)
		}
	}
}

// TestEncodings checks that Encoding.Size returns the size of a text before it
// was decoded.
func TestEncodings(t *testing.T) {
	for raw, want := range map[string]string{
		"\xff\xfea\x00\n\x00":                         "\ufeffa\n",
		"\xfe\xff\x00a\x00\n":                         "\ufeffa\n",
		"{\x00\"\x00a":                                "{\"",
		"a\x00b\x00\x3d\xd8\x00\xdec\x00":             "ab😀c",
		"a\x00b\x00\x3d\xd8":                          "ab",
		"a\x00b\x00\x3d\xd8c\x00\x00\xdec\x00":        "ab\ufffdc\ufffdc",
		"plain text":                                  "plain text",
		"\xff\xfe\x00\x00{\x00\x00\x00\"\x00\x00\x00": "\xff\xfe\x00\x00{\x00\x00\x00\"\x00\x00\x00",
	} {
		e := EncodingOf([]byte(raw))
		got := e.Decode([]byte(raw))
		if string(got) != want {
			t.Errorf("%q is %q, want %q", raw, got, want)
		}
		if n := e.Size(got); n > len(raw) || n < len(raw)-2 {
			t.Errorf("%q: %d bytes", raw, n)
		}
	}
}

// FuzzNext reads any text in pieces. All bytes must be read once.
func FuzzNext(f *testing.F) {
	for _, seed := range []string{
		"auditID,verb\nx,get\ny", "[\n{\"a\":1},\n{}]\n{\"items\":[{}]}", "---\nauditID: x\n---\n", "{\"a\":1}{\"b\":\n[1,2]}\n]]}", "\xef\xbb\xbf#TYPE x\na;b\n\"{\"\"a\"\":1}\";2",
	} {
		f.Add([]byte(seed), uint8(7))
	}
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		if len(text) > 1000 {
			return
		}
		var resume Resume
		begin, end := 0, 0
		for begin < len(text) {
			last := end == len(text)
			p, ok := resume.Next(text[begin:end], begin == 0, last)
			if !ok {
				return
			}
			if !p.After.Valid() || !bytes.Equal(append(bytes.Clone(p.Header), p.Text...), text[begin:begin+p.Size()]) {
				t.Fatalf("%+v of %q", p, text)
			}
			if last && p.Size() == 0 {
				break // only a header
			}
			if p.Size() > 0 {
				idsOf(t, Input{Piece: &p, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(p.Text)), nil }})
				begin, resume = begin+p.Size(), p.After
			}
			end = min(len(text), end+1+int(step))
		}
	})
}
