package manifestlint

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// skimmedJSON are values of JSON, and whether they are left to the parser.
var skimmedJSON = []struct {
	text    string
	regular bool
}{
	{`{}`, true},
	{`[]`, true},
	{`[1, -0.5e+3, "\u00e9\\n", {}, [], null, true, false]`, true},
	{`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b", "labels": {"name": "c"}}, "spec": {"preStop": {}}}`, true},
	{"{\n  \"metadata\": {\n    \"generateName\": \"a-\"\n  },\n\t\"kind\": \"Thing\", \"apiVersion\": \"example.com/v1\"}", true},
	{`{"kind": "Pod"}`, true},
	{`{"apiVersion": "", "kind": ""}`, true},
	{`{"apiVersion": "v1", "kind": "A", "items": {}}`, true},
	{`{"a": "of more than eight bytes", "b": "über \" and more, ü"}`, true},
	{`{"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}, {"b": 2}]}`, true},
	{`{"apiVersion": "v1", "kind": "List", "items": []}`, true},
	{`{"items": [{"kind": "Pod", "apiVersion": "v1"}, {"apiVersion": "v1", "kind": "Pod", "spec": {"items": [{}]}}], "apiVersion": "v1", "kind": "List"}`, true},
	{`{"items": [{"a": 1}], "kind": "List"}`, true},
	{`{"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {}}]}`, false},
	{`{"apiVersion": "v1", "kind": "List", "items": [1]}`, false},
	{`{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "List", "items": []}]}`, false},
	{`{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod"}}`, false},
	{`{"apiVersion": "v1", "kind": 1}`, false},
	{`{"apiVersion": "v\u0031", "kind": "Pod"}`, false},
	{`{"apiVersion": "v1", "kind": "Pöd"}`, false},
	{`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 7}}`, false},
	{`{"apiVersion": "v1", "kind": "Pod", "metadata": null}`, false},
	{`{"\u006bind": "Pod"}`, false},
	{`{"ключ": 1}`, false},
	{`{"a": 1, "a": 2}`, false},
	{`{"b": [{"a": 1, "b": 2, "a": 3}]}`, false},
	{`{"a": 1,}`, false},
	{`{"a" 1}`, false},
	{`{"a": }`, false},
	{`{a: 1}`, false},
	{`{"a": 1`, false},
	{`{"a": 1 "b": 2}`, false},
	{`[1,]`, false},
	{`[1 2]`, false},
	{`[1`, false},
	{`[-]`, false},
	{`[01]`, false},
	{`[1.]`, false},
	{`[1e]`, false},
	{`[nul]`, false},
	{`["\x"]`, false},
	{`["\u12g4"]`, false},
	{`["open`, false},
	{"[\"\t\"]", false},
	{"[\"eight or more\n\"]", false},
	{`"a"`, false},
	{strings.Repeat("[", maxSkimDepth+1) + strings.Repeat("]", maxSkimDepth+1), false},
	{"[" + strings.Repeat("0,", maxSkimValues) + "0]", false},
}

func TestSkimJSON(t *testing.T) {
	s := skimmer{triggers: &triggerSet{}}
	for _, c := range skimmedJSON {
		if end, ok := s.json([]byte(c.text), 0, wire.Pos{Line: 1, Column: 1}); ok != c.regular || ok && end != len(c.text) {
			t.Errorf("%.60s: %v up to %d, want %v up to %d", c.text, ok, end, c.regular, len(c.text))
		}
	}
	// A wide map forgets none of its keys.
	for _, width := range []int{fewKeys - 1, fewKeys, fewKeys + 1, 1000} {
		var b strings.Builder
		for i := range width {
			b.WriteString(`"k` + strings.Repeat("a", i%7) + string(rune('a'+i%26)) + strings.Repeat("b", i/26) + `":1,`)
		}
		text := `{"first":1,` + b.String() + `"first":2}`
		if _, ok := s.json([]byte(text), 0, wire.Pos{Line: 1, Column: 1}); ok {
			t.Errorf("a key that is repeated after %d others is not seen", width)
		}
	}
}

// FuzzSkimJSON holds the skimmer to the parser: what it accepts must parse, repeat
// no key, have the same head at the same places, and of the triggers those that are
// among its keys.
func FuzzSkimJSON(f *testing.F) {
	for _, c := range skimmedJSON {
		if len(c.text) < 1000 {
			f.Add([]byte(c.text))
			f.Add([]byte(" {}\n" + c.text + "[]" + c.text))
		}
	}
	triggers := &triggerSet{}
	triggers.add(0, "preStop", nil)
	triggers.add(1, "apiVersion", func(val []byte) bool {
		return bytes.Contains(val, []byte("v2")) || bytes.IndexByte(val, '\\') >= 0
	})
	s := skimmer{triggers: triggers}
	f.Fuzz(func(t *testing.T, text []byte) {
		stream := wire.NewStream(nil, text, wire.Pos{Line: 3, Column: 1}, false)
		for stream.More() {
			start, at := stream.At()
			end, ok := s.json(text, start, at)
			d, err := stream.Next()
			if err != nil {
				if ok {
					t.Fatalf("skimmed, yet %v\n%s", err, text)
				}
				return
			}
			if !ok {
				continue
			}
			if end != d.End || len(d.Duplicates) > 0 {
				t.Fatalf("skimmed up to %d, parsed up to %d with %v\n%s", end, d.End, d.Duplicates, text)
			}
			if lists := isList(d.Value); lists != s.lists {
				t.Fatalf("it is a list: %v, want %v\n%s", s.lists, lists, text)
			}
			if !s.lists {
				compareHead(t, text, s.said(start, true), objectOf(d.Value, "", ""), d.Value)
				continue
			}
			found := objects(d.Value)
			if len(s.listed) != len(found) {
				t.Fatalf("%d objects in a list, want %d\n%s", len(s.listed), len(found), text)
			}
			for i, item := range s.listed {
				root := jsonTree(nil, text[item.start:item.end], item.at, true)
				if diff := differ(found[i].Root, root, ""); diff != "" {
					t.Fatalf("item %d: %s\n%s", i, diff, text)
				}
				compareHead(t, text, item.said, found[i], found[i].Root)
			}
		}
	})
}

// compareHead compares what was skimmed of a value with the object that it is.
func compareHead(t *testing.T, text []byte, said skimmed, want *Object, root *wire.Value) {
	t.Helper()
	got := headObject(&said.head, 1)
	if (got == nil) != (want == nil) {
		t.Fatalf("object %v, want %v\n%s", got, want, text)
	}
	if want != nil {
		want.Root = nil
		want.API, want.Known = lifecycle.LookupGV(want.APIVersion, want.Kind)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("head\n%+v, want\n%+v\n%s", got, want, text)
		}
	}
	met := metIn(root, true)
	if met&^said.wanted != 0 || met != said.wanted && bytes.IndexByte(text, '\\') < 0 {
		t.Fatalf("triggers %b, want %b\n%s", said.wanted, met, text)
	}
}

// metIn are the triggers of FuzzSkimJSON that a tree has.
func metIn(v *wire.Value, root bool) (met uint64) {
	for _, f := range v.Fields {
		if f.Name == "preStop" {
			met |= 1
		}
		if f.Name == "apiVersion" && !root && strings.Contains(f.Value.Text, "v2") {
			met |= 2
		}
		met |= metIn(f.Value, false)
	}
	for _, item := range v.Items {
		met |= metIn(item, false)
	}
	return met
}

func BenchmarkSkimJSON(b *testing.B) {
	item := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"app":"web"}},"spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"c","image":"registry.example/app:1.2.3","ports":[{"containerPort":8080}],"env":[{"name":"A","value":"b c d"}]}]}}}}`
	var text bytes.Buffer
	if err := json.Indent(&text, []byte(`{"apiVersion":"v1","kind":"List","items":[`+strings.Repeat(item+",", 500)+item+"]}"), "", "    "); err != nil {
		b.Fatal(err)
	}
	s := skimmer{triggers: &triggerSet{}}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, ok := s.json(text.Bytes(), 0, wire.Pos{Line: 1, Column: 1}); !ok || len(s.listed) != 501 {
			b.Fatal("left to the parser")
		}
	}
}
