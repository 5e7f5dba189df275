package auditlog

import "testing"

func TestGrowing(t *testing.T) {
	const cri = "2026-11-21T10:00:00.000000000Z stdout "
	for _, x := range []struct {
		name, text, whole string
		refused           bool
	}{
		{name: "nothing"},
		{name: "a part of a line", text: `{"kind":"Ev`},
		{name: "lines", text: "{\"a\":1}\n{\"b\":2}\n{\"c\"", whole: "{\"a\":1}\n{\"b\":2}\n"},
		{name: "other lines", text: "hello\nworld", whole: "hello\n"},
		{name: "an empty line, which may belong to what follows", text: "hello\n \n\n", whole: "hello\n"},
		{name: "empty lines", text: "\n\n"},
		{name: "lists on lines", text: "{\"items\":[{}]}\n{\"it", whole: "{\"items\":[{}]}\n"},
		{name: "a message of a container runtime", text: cri + "F {}\n" + cri + "P {\"a\"\n", whole: cri + "F {}\n"},
		{name: "the end of the message", text: cri + "P {\"a\"\n" + cri + "F :1}\n" + cri, whole: cri + "P {\"a\"\n" + cri + "F :1}\n"},
		{name: "a message of Docker", text: `{"log":"{\"a\"","stream":"stdout"}` + "\n"},
		{name: "a value of several lines", text: "{\n  \"a\": 1\n}\n", refused: true},
		{name: "an array of several lines", text: "[\n{},\n", refused: true},
		{name: "a table with a header", text: "auditID,verb\nx,get\n", refused: true},
		{name: "YAML", text: "auditID: x\nverb: get\n", refused: true},
		{name: "gzip", text: "\x1f\x8b\x08\x00", refused: true},
		{name: "UTF-16", text: "\xff\xfe{\x00", refused: true},
	} {
		n, ok := Growing([]byte(x.text))
		if ok == x.refused || ok && x.text[:n] != x.whole {
			t.Errorf("%s: %q, %v; want %q, %v", x.name, x.text[:n], ok, x.whole, !x.refused)
		}
	}
}
