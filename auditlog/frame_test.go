package auditlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// frames returns the records of a stream as text with their line numbers. bad
// is the number of parts that are not records.
func frames(t testing.TB, r io.Reader) (records []string, bad int) {
	t.Helper()
	f, _, err := newFramer(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b block
	line := 0
	for {
		err := f.next(&b)
		if b.lines >= 0 {
			line = b.lines
		}
		bad += len(b.bad)
		if b.records != nil {
			for _, x := range b.records {
				if x.start < 0 || x.end > len(b.data) || x.start > x.end {
					t.Fatalf("record %v in %d bytes", x, len(b.data))
				}
				records = append(records, fmt.Sprintf("%d %s", x.line, b.data[x.start:x.end]))
			}
		} else {
			for l := range bytes.Lines(b.data) {
				records = append(records, fmt.Sprintf("%d %s", line, bytes.TrimRight(l, "\n")))
				line++
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			return records, bad
		}
	}
}

// FuzzFrame checks that the records do not depend on the chunks in which a
// stream is read, and that a stream of objects is split as encoding/json splits
// it.
func FuzzFrame(f *testing.F) {
	for _, s := range []string{
		"", "\n", "{}\n{}", `{"a":1}{"b":2} {"c":"}"}`, `{"kind":"EventList","items":[{"auditID":"1"},{"auditID":"2"}]}`,
		`[{"a":[1,2,{"b":"\"]"}]},"x",3]`, `{"results":[[{"field":"a","value":"b"}],[]]}`, "{\n \"a\": 1\n}\n{\"b\":2}",
		"2026-03-01T08:00:00.000000000Z stdout P {\"a\"\n2026-03-01T08:00:00.000000000Z stdout F :1}\n",
		`{"log":"{\"a\"","stream":"stdout"}` + "\n" + `{"log":":1}\n","stream":"stdout"}` + "\n",
		"garbage\n{\"a\":1}", `{"a":}` + "\n" + `{"b":1}`, `{"data":{"result":[{"values":[["1","x"]]}]}}`, "\ufeff{}\n", `{"hits":{"hits":[{"_source":{}}]}}`,
		`{"a":"` + strings.Repeat(`\\`, 50) + `"}{}`, `[[[[[[[[[[[[[[[[[[[[1]]]]`, `{"records":{"records":{}}}`, `{"items":[1`, `{"items":[}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, bad := frames(t, bytes.NewReader(data))
		for name, r := range map[string]io.Reader{
			"halves": iotest.HalfReader(bytes.NewReader(data)), "bytes": iotest.OneByteReader(bytes.NewReader(data)),
			"end": iotest.DataErrReader(bytes.NewReader(data)),
		} {
			got, gotBad := frames(t, r)
			if strings.Join(got, "\x00") != strings.Join(want, "\x00") || gotBad != bad {
				t.Fatalf("%s: got %q and %d bad, want %q and %d", name, got, gotBad, want, bad)
			}
		}
		// objects has the consecutive objects that contain no other objects.
		var objects []string
		dec := json.NewDecoder(bytes.NewReader(data))
		for {
			var raw json.RawMessage
			err := dec.Decode(&raw)
			if err == io.EOF {
				break
			}
			var m map[string]json.RawMessage
			if err != nil || json.Unmarshal(raw, &m) != nil || m == nil {
				return
			}
			for key := range m {
				if containers[key] || key == "log" {
					return
				}
			}
			objects = append(objects, string(raw))
		}
		var got []string
		for _, r := range want {
			_, text, _ := strings.Cut(r, " ")
			if strings.TrimSpace(text) != "" {
				got = append(got, strings.TrimSpace(text))
			}
		}
		if bad != 0 {
			t.Fatalf("%d bad in %q", bad, data)
		}
		// If lines are events, several objects on a line are one record.
		if strings.Join(strings.Fields(strings.Join(got, "")), "") != strings.Join(strings.Fields(strings.Join(objects, "")), "") {
			t.Fatalf("got %q, want %q", got, objects)
		}
	})
}
