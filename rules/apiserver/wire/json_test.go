package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func mustJSON(t *testing.T, text string) *Value {
	t.Helper()
	v, err := JSON([]byte(text))
	if err != nil {
		t.Fatalf("JSON(%q): %v", text, err)
	}
	return v
}

func TestJSONPositions(t *testing.T) {
	const text = "{\"a\": [1,\r\n  \"é\\u00e9\", -0.5e+1],\n\t\"ключ\" : {\"x\":null, \"y\": true}}\n"
	v := mustJSON(t, text)
	want := map[string][2]Pos{
		"a":    {{1, 7}, {2, 22}},
		"a[0]": {{1, 8}, {1, 9}},
		"a[1]": {{2, 3}, {2, 12}},
		"a[2]": {{2, 14}, {2, 21}},
		"ключ": {{3, 11}, {3, 32}},
		"x":    {{3, 16}, {3, 20}},
		"y":    {{3, 27}, {3, 31}},
		"":     {{1, 1}, {3, 33}},
	}
	got := map[string][2]Pos{
		"":  {v.Pos, v.End},
		"a": {v.Get("a").Pos, v.Get("a").End}, "ключ": {v.Get("ключ").Pos, v.Get("ключ").End},
		"x": {v.At("ключ", "x").Pos, v.At("ключ", "x").End}, "y": {v.At("ключ", "y").Pos, v.At("ключ", "y").End},
	}
	for i, item := range v.Get("a").Items {
		got[fmt.Sprintf("a[%d]", i)] = [2]Pos{item.Pos, item.End}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
	if f := v.Field("ключ"); f.Pos != (Pos{3, 2}) || f.End != (Pos{3, 8}) {
		t.Errorf("name stands at %v..%v, want 3:2..3:8", f.Pos, f.End)
	}
	if got := v.Get("a").Items[1].Text; got != "éé" {
		t.Errorf("string = %q", got)
	}
	if got := v.Get("a").Items[2].Text; got != "-0.5e+1" {
		t.Errorf("number = %q, want the literal", got)
	}
}

func TestJSONErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "line 1, column 1: unexpected end of JSON input"},
		{" \n ", "line 2, column 2: unexpected end of JSON input"},
		{"{\"a\":1,\n}", "line 2, column 1: invalid character '}' looking for beginning of object key string"},
		{"[1 2]", "line 1, column 4: invalid character '2' after array element"},
		{"{\"a\" 1}", "line 1, column 6: invalid character '1' after object key"},
		{"{\"a\":1 \"b\":2}", "line 1, column 8: invalid character '\"' after object key:value pair"},
		{"{} x", "line 1, column 4: invalid character 'x' after top-level value"},
		{"tru", "line 1, column 4: unexpected end of JSON input"},
		{"trap", "line 1, column 3: invalid character 'a' in literal true (expecting 'u')"},
		{"01", "line 1, column 2: invalid character '1' after top-level value"},
		{"-x", "line 1, column 2: invalid character 'x' in numeric literal"},
		{"1.e5", "line 1, column 3: invalid character 'e' after decimal point in numeric literal"},
		{"1e+", "line 1, column 4: unexpected end of JSON input"},
		{"\"é\x01\"", "line 1, column 3: invalid character '\\x01' in string literal"},
		{"\"\\x\"", "line 1, column 3: invalid character 'x' in string escape code"},
		{"\"\\u12g4\"", "line 1, column 6: invalid character 'g' in \\u hexadecimal character escape"},
		{"\"abc", "line 1, column 5: unexpected end of JSON input"},
		{"\xef\xbb\xbf{}", "line 1, column 1: invalid character 'ï' looking for beginning of value"},
		{strings.Repeat("[", MaxDepth+1), "line 1, column 10001: exceeded max depth"},
	}
	for _, tt := range tests {
		_, err := JSON([]byte(tt.text))
		if err == nil || err.Error() != tt.want {
			t.Errorf("JSON(%.20q) error = %v, want %s", tt.text, err, tt.want)
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("JSON(%.20q) error is a %T, want *SyntaxError", tt.text, err)
		}
	}
	deep := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	if _, err := JSON([]byte(deep)); err != nil || !json.Valid([]byte(deep)) {
		t.Errorf("depth %d refused: %v", MaxDepth, err)
	}
}

func TestJSONDuplicates(t *testing.T) {
	const text = `{"spec":{"a":1,"b":[{"x":1},{"x":1,"x":2}],"a":3,"a":4},"m":{"a.b/c":1,"a.b/c":2}}`
	var got []string
	v, err := JSONAll([]byte(text), func(d Duplicate) {
		got = append(got, fmt.Sprintf("%s %s %d→%d..%d", d.Path, d.Name, d.First.Column, d.Pos.Column, d.End.Column))
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"spec.b[1].x x 30→36..39", "spec.a a 10→44..47", "spec.a a 44→50..53", "m[a.b/c] a.b/c 62→72..79"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("duplicates (-want +got):\n%s", diff)
	}
	spec := v.Get("spec")
	if len(spec.Fields) != 2 || spec.Get("a").Text != "4" || spec.Field("a").Pos.Column != 50 {
		t.Errorf("spec = %+v, want the last a at its own place, and each name once", spec.Fields)
	}
}

// Wide maps have an index. The result must not depend on the width.
func TestJSONWideMaps(t *testing.T) {
	for _, width := range []int{1, 15, 16, 17, 18, 40, 1000} {
		var b strings.Builder
		b.WriteByte('{')
		for round := range 2 {
			for i := range width {
				fmt.Fprintf(&b, `"f%d":%d,`, i, round*1000+i)
			}
		}
		b.WriteString(`"last":0}`)
		dups := 0
		v, err := JSONAll([]byte(b.String()), func(Duplicate) { dups++ })
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Fields) != width+1 || dups != width {
			t.Fatalf("width %d: %d fields and %d duplicates", width, len(v.Fields), dups)
		}
		for i := range width {
			if got := v.Get(fmt.Sprintf("f%d", i)).Text; got != fmt.Sprint(1000+i) {
				t.Errorf("width %d: f%d = %s, want the last", width, i, got)
			}
		}
	}
}

// Reporting duplicates must not take quadratic time.
func TestJSONDuplicatesAreBounded(t *testing.T) {
	text := `{"` + strings.Repeat("k", 1<<16) + `":{"a":0` + strings.Repeat(`,"a":0`, 2*maxDuplicates) + `}}`
	n := 0
	if _, err := JSONAll([]byte(text), func(d Duplicate) {
		n++
		if len(d.Path) > maxDuplicatePath+len("…") {
			t.Fatalf("path of %d bytes", len(d.Path))
		}
	}); err != nil {
		t.Fatal(err)
	}
	if n != maxDuplicates {
		t.Errorf("%d duplicates told, want %d", n, maxDuplicates)
	}
}

func TestJSONStream(t *testing.T) {
	const text = "\n{\"a\":1,\"a\":2}{}\n[3] \"x\"\n{\"b\":\n tru}\n{}"
	var got []string
	for d, err := range JSONStream([]byte(text), 1) {
		if err != nil {
			got = append(got, fmt.Sprintf("%d..%d error %v", d.Start, d.End, err))
			continue
		}
		got = append(got, fmt.Sprintf("%q at %d:%d, %d duplicates", text[d.Start:d.End], d.Value.Pos.Line, d.Value.Pos.Column, len(d.Duplicates)))
	}
	want := []string{
		`"{\"a\":1,\"a\":2}" at 2:1, 1 duplicates`,
		`"{}" at 2:14, 0 duplicates`,
		`"[3]" at 3:1, 0 duplicates`,
		`"\"x\"" at 3:5, 0 duplicates`,
		`25..39 error line 5, column 5: invalid character '}' in literal true (expecting 'e')`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stream (-want +got):\n%s", diff)
	}
	for range JSONStream([]byte(" \n\t"), 1) {
		t.Error("an empty stream yields something")
	}
	for d := range JSONStream([]byte("1 2 3"), 7) {
		if d.Value.Text != "1" || d.Value.Pos != (Pos{7, 1}) {
			t.Error("the stream goes on after its reader stopped, or does not begin on its line")
		}
		break
	}
}

// plain returns v as encoding/json decodes it with UseNumber.
func plain(v *Value) any {
	switch v.Kind {
	case Bool:
		return v.Text == "true"
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case Map:
		m := map[string]any{}
		for _, f := range v.Fields {
			m[f.Name] = plain(f.Value)
		}
		return m
	case List:
		l := []any{}
		for _, item := range v.Items {
			l = append(l, plain(item))
		}
		return l
	}
	return nil
}

// checkPositions fails if a position is outside the text or before an earlier
// position.
func checkPositions(t *testing.T, data []byte, v *Value) {
	lines := bytes.Split(data, []byte{'\n'})
	check := func(p Pos) {
		if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > utf8.RuneCount(lines[p.Line-1])+1 {
			t.Fatalf("%v is no place in %q", p, data)
		}
	}
	check(v.Pos)
	check(v.End)
	if v.End.Line < v.Pos.Line || v.End.Line == v.Pos.Line && v.End.Column <= v.Pos.Column {
		t.Fatalf("%v..%v is empty in %q", v.Pos, v.End, data)
	}
	for _, f := range v.Fields {
		check(f.Pos)
		check(f.End)
		checkPositions(t, data, f.Value)
	}
	for _, item := range v.Items {
		checkPositions(t, data, item)
	}
}

// FuzzJSON compares the parser with encoding/json. Both must refuse the same
// texts and return the same values.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0,5.0,1e1,2E-7],"b":{"c":null,"c":true}}`, "{}\n[]", `"\ud800\u0041\"\\"`, "\"\xff\"", "[[[[", "01", "1.", `{"":""}`, " [ ] ", "nul", "\"\t\"", "\ufeff1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := JSON(data)
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var want any
		valid := json.Valid(data)
		if (err == nil) != valid {
			t.Fatalf("JSON(%q) error = %v, encoding/json says valid=%v", data, err, valid)
		}
		if !valid {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(data) || syntax.Pos.Line < 1 || syntax.Pos.Column < 1 {
				t.Fatalf("JSON(%q) error = %#v", data, err)
			}
			return
		}
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if got := plain(v); !reflect.DeepEqual(got, want) {
			t.Fatalf("JSON(%q) = %v, encoding/json has %v", data, got, want)
		}
		checkPositions(t, data, v)
	})
}

// FuzzJSONStream compares the stream with encoding/json's Decoder.
func FuzzJSONStream(f *testing.F) {
	for _, seed := range []string{"{}{}", "1 2\n3", "[1]]", "{} x {}", `"a""b"`, "12-3", "truefalse"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		end := 0
		for d, err := range JSONStream(data, 1) {
			var want any
			wantErr := dec.Decode(&want)
			if d.Start < end || d.End < d.Start || d.End > len(data) {
				t.Fatalf("bytes %d..%d after %d in %q", d.Start, d.End, end, data)
			}
			end = d.End
			if (err == nil) != (wantErr == nil) {
				// Both accept a number that another character follows directly.
				// Everything else must agree, too.
				t.Fatalf("%q at %d: error %v, encoding/json has %v", data, d.Start, err, wantErr)
			}
			if err != nil {
				return
			}
			if got := plain(d.Value); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q at %d = %v, encoding/json has %v", data, d.Start, got, want)
			}
			if !json.Valid(data[d.Start:d.End]) {
				t.Fatalf("%q is no JSON", data[d.Start:d.End])
			}
		}
		if err := dec.Decode(new(any)); err != io.EOF {
			t.Fatalf("the stream of %q ends early: %v", data, err)
		}
	})
}

func manyObjects() []byte {
	item := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"app":"web"}},"spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"c","image":"registry.example/app:1.2.3","ports":[{"containerPort":8080}],"env":[{"name":"A","value":"b c d"}]}]}}}}`
	return []byte("[" + strings.Repeat(item+",\n", 500) + item + "]")
}

func BenchmarkJSON(b *testing.B) {
	data := manyObjects()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := JSON(data); err != nil {
			b.Fatal(err)
		}
	}
}
