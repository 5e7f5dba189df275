package auditlog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestPrinted(t *testing.T) {
	for text, want := range map[string]string{
		`{'a': 'it\'s', "b": "x'y", 'c': None, 'd': [True, False, 1.5e3]}`:   `{"a":"it's","b":"x'y","c":null,"d":[true,false,1.5e3]}`,
		`{'m': 'say \\"no\\" \x41\U0001F600\t', 'n': 'a"b'}`:                 `{"m":"say \\\"no\\\" A😀\t","n":"a\"b"}`,
		`{"a" => nil, "t" => 2026-11-21T10:00:00.000Z, "e" => "\e[0m\#"}`:    `{"a":null,"t":"2026-11-21T10:00:00.000Z","e":"\u001b[0m#"}`,
		`{'t': datetime.datetime(2026, 11, 21, 10, 0), 'x': {'y': []}, 'z'}`: "",
		`{'open`: "", `{'a': 'b\`: "", "{'a': 'x\ny'}": "", `{'a'= 1}`: "", `{'a': f(1`: "",
	} {
		out, ok := notation([]byte(text))
		var got, wanted any
		if ok != (want != "") || ok && (json.Unmarshal(out, &got) != nil || json.Unmarshal([]byte(want), &wanted) != nil || fmt.Sprint(got) != fmt.Sprint(wanted)) {
			t.Errorf("%s: %v %s, want %s", text, ok, out, want)
		}
	}
}

func TestEscaping(t *testing.T) {
	const event = serverHead + `","auditID":"a","x":"\"q\""}`
	for text, want := range map[string]escaping{
		event: 0, "x " + event + "\n": 0,
		"1\t" + strings.ReplaceAll(event, `\`, `\\`) + "\n":                          byBackslash,
		"words\n\n1\t{\"a\":1}\n1\t" + strings.ReplaceAll(event, `\`, `\\`) + "\n":   byBackslash,
		"INSERT INTO a VALUES (1,'" + strings.ReplaceAll(event, `"`, `\"`) + "');\n": byBackslash,
		"<?xml version='1.0'?>": byEntity, "<results>": byEntity, "<134>1 2026 {": 0, "<": 0,
		"x C:\\dir {\n": 0, "x {\\": 0,
	} {
		if got := escapingOf([]byte(text)); got != want {
			t.Errorf("%.60q: %d, want %d", text, got, want)
		}
	}
}

func TestYAML(t *testing.T) {
	event := "kind: Event\napiVersion: audit.k8s.io/v1\nauditID: %s\nstage: ResponseComplete\nverb: get\nuser:\n  username: dev\nsourceIPs:\n- 10.0.0.7\nrequestObject:\n  items:\n  - a: 1\n  - b: 2\n"
	item := func(id string) string {
		return "- " + strings.TrimSuffix(strings.ReplaceAll(fmt.Sprintf(event, id), "\n", "\n  "), "  ")
	}
	long := fmt.Sprintf(event, "long") + "x: " + strings.Repeat("y", maxYAML) + "\n"
	for name, c := range map[string]struct {
		text   string
		events int
		bad    int64
	}{
		"documents":     {fmt.Sprintf(event, "a") + "---\n" + fmt.Sprintf(event, "b") + "...\n---\n# none\n", 2, 0},
		"list":          {"kind: EventList\nitems:\n" + item("a") + item("b") + "metadata: {}\n", 2, 0},
		"sequence":      {item("a") + item("b"), 2, 0},
		"nested list":   {"data:\n  result:\n  " + strings.ReplaceAll(strings.TrimSpace(item("a")), "\n", "\n  ") + "\n", 1, 0},
		"too long":      {fmt.Sprintf(event, "a") + "---\n" + long + "---\n" + fmt.Sprintf(event, "b"), 2, 1},
		"no YAML":       {"audit: x: y: [\n" + "auditID: {\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"auditID\":\"a\",\"stage\":\"Panic\",\"verb\":\"get\",\"user\":{}}\n", 1, 0},
		"without users": {strings.ReplaceAll(fmt.Sprintf(event, "a"), "user:", "client:"), 0, 1},
		"aliases":       {"auditID: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n", 0, 0},
	} {
		got, sum := readAll(t, Options{}, describe, bytesInput(name, []byte(c.text)))
		if len(got) != c.events || sum.Damaged != c.bad {
			t.Errorf("%s: %d events, %+v", name, len(got), sum)
		}
	}
}

// TestMarked checks that parts of messages are joined for all programs that
// mark them.
func TestMarked(t *testing.T) {
	event := strings.TrimSpace(logOf(7, 1))
	a, b := js(event[:50]), js(event[50:])
	for _, text := range []string{
		`{"log":` + a + `,"logtag":"P","stream":"stdout"}` + "\n" + `{"log":"noise","logtag":"F","stream":"stderr"}` + "\n" + `{"log":` + b + `,"logtag":"F","stream":"stdout"}`,
		`{"MESSAGE":` + a + `,"_TRANSPORT":"stdout","_LINE_BREAK":"line-max"}` + "\n" + `{"MESSAGE":` + b + `,"_TRANSPORT":"stdout"}`,
		`{"log":` + a + `,"partial_message":"true","partial_last":"false"}` + "\n" + `{"log":` + b + `,"partial_message":"true","partial_last":"true"}`,
		`{"textPayload":` + a + `,"split":{"uid":"x","index":0,"totalSplits":2}}` + "\n" + `{"textPayload":` + b + `,"split":{"uid":"x","index":1,"totalSplits":2}}`,
	} {
		got, sum := readAll(t, Options{}, describe, bytesInput("log", []byte(text)))
		if len(got) != 1 || sum.Damaged != 0 {
			t.Errorf("%.60s: %d events, %+v", text, len(got), sum)
		}
		// A message without its last part is damage.
		if _, sum := readAll(t, Options{}, describe, bytesInput("log", []byte(text[:strings.LastIndex(text, "\n")+1]))); sum.Damaged == 0 {
			t.Errorf("%.60s, cut off: %+v", text, sum)
		}
	}
}
