package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func request(t testing.TB, body string) apiserver.Request {
	t.Helper()
	r := apiserver.Request{Body: []byte(body)}
	var err error
	if r.New, err = wire.JSONAll(r.Body, func(d wire.Duplicate) { r.Duplicates = append(r.Duplicates, d) }); err != nil {
		t.Fatal(err)
	}
	r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
	return r
}

// lines returns the causes and warnings of a result, one on each line.
func lines(r Result) string {
	var lines []string
	for _, c := range r.Causes {
		lines = append(lines, fmt.Sprint(c.Code, " ", c.Text))
	}
	for _, w := range r.Warnings {
		lines = append(lines, w.Text)
	}
	return strings.Join(lines, "\n")
}

const sloppy = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","labels":{"a/b.c":"1","a/b.c":"2"}},"spec":{
"zeta":1,"replica":2,"template":{"spec":{"containers":[{"name":"c"},{"Name":"c","image":"a","image":"b"}]}}}}`

func TestDecodeByMinorAndValidation(t *testing.T) {
	const all = "duplicate field \"metadata.labels.a/b.c\"\nunknown field \"spec.zeta\"\nunknown field \"spec.replica\"\n" +
		"unknown field \"spec.template.spec.containers[1].Name\"\nduplicate field \"spec.template.spec.containers[1].image\""
	names := strings.NewReplacer("metadata.labels.", "", "spec.template.spec.containers[1].", "", "spec.", "").Replace(all)
	refused := "400 Deployment in version \"v1\" cannot be handled as a Deployment: strict decoding error: " + strings.ReplaceAll(all, "\n", ", ")
	on := func(name string) bool { return name == "ServerSideFieldValidation" }
	off := func(string) bool { return false }
	tests := []struct {
		minor      lifecycle.Minor
		gate       func(string) bool
		validation apiserver.FieldValidation
		want       string
	}{
		{16, on, apiserver.Strict, ""}, {22, on, apiserver.Warn, ""},
		{23, nil, apiserver.Strict, ""}, {23, on, apiserver.Warn, names},
		{24, nil, apiserver.Warn, ""}, {24, on, apiserver.Warn, all}, {24, on, apiserver.Strict, refused},
		{25, nil, apiserver.Warn, all}, {26, off, apiserver.Warn, ""}, {26, off, apiserver.Strict, ""},
		{27, off, apiserver.Warn, all}, {37, nil, apiserver.Warn, all}, {37, nil, apiserver.Strict, refused}, {37, nil, apiserver.Ignore, ""},
	}
	for _, tt := range tests {
		r := request(t, sloppy)
		r.Validation = tt.validation
		if diff := cmp.Diff(tt.want, lines(Decode(apiserver.Server{Minor: tt.minor, Gate: tt.gate}, r))); diff != "" {
			t.Errorf("%v, validation %d (-want +got):\n%s", tt.minor, tt.validation, diff)
		}
	}
}

// kubectl sends fields sorted by name and without duplicates.
func TestDecodeOrder(t *testing.T) {
	r := request(t, strings.NewReplacer(`"image":"a",`, "", `"a/b.c":"1",`, "").Replace(sloppy))
	r.Body = nil
	want := "unknown field \"spec.replica\"\nunknown field \"spec.template.spec.containers[1].Name\"\nunknown field \"spec.zeta\""
	if diff := cmp.Diff(want, lines(Decode(apiserver.Server{Minor: 37}, r))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r = request(t, `{"apiVersion":"v1","kind":"Pod","spec":{"nodeName":5,"hostname":true}}`)
	const text = "400 Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal %s into Go struct field PodSpec.spec.%s of type string"
	if diff := cmp.Diff(fmt.Sprintf(text, "number", "nodeName"), lines(Decode(apiserver.Server{Minor: 37}, r))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r.Body = nil
	if diff := cmp.Diff(fmt.Sprintf(text, "bool", "hostname"), lines(Decode(apiserver.Server{Minor: 37}, r))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Warnings point to the names of fields. For a repeated field, they point to the
// later name.
func TestDecodePositions(t *testing.T) {
	stream := "{}\n  " + sloppy
	for d, err := range wire.JSONStream([]byte(stream), 7) {
		if err != nil {
			t.Fatal(err)
		}
		r := apiserver.Request{APIVersion: "apps/v1", Kind: "Deployment", New: d.Value, Body: []byte(stream[d.Start:d.End]), Duplicates: d.Duplicates}
		got := Decode(apiserver.Server{Minor: 37}, r)
		if len(d.Value.Fields) == 0 {
			continue
		}
		lines := strings.Split(stream, "\n")
		for _, w := range got.Warnings {
			rest := lines[w.Key.Pos.Line-7][w.Key.Pos.Column-1:]
			if !strings.HasPrefix(rest, `"`+w.Key.Name+`"`) {
				t.Errorf("%s points at %.20s", w.Text, rest)
			}
		}
		if image := got.Warnings[4]; !strings.Contains(image.Text, "image") || image.At.Text != "b" {
			t.Errorf("%s is about %q, want the repetition", image.Text, image.At.Text)
		}
	}
}

// TestDecodeWithoutBody checks that Decode reports the fields in Duplicates if
// there is no Body.
func TestDecodeWithoutBody(t *testing.T) {
	r := request(t, sloppy)
	r.Body = nil
	got := Decode(apiserver.Server{Minor: 37}, r)
	fields := map[string]bool{}
	for _, w := range got.Warnings {
		if strings.HasPrefix(w.Text, "duplicate") {
			fields[w.Field] = true
		}
	}
	for _, d := range r.Duplicates {
		if !fields[d.Path] {
			t.Errorf("no warning about %s in:\n%s", d.Path, lines(got))
		}
	}
}

func TestDecodeConversion(t *testing.T) {
	r := request(t, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{"deprecated.deployment.rollback.to":"last"}},"x":1}`)
	want := `400 Deployment in version "v1" cannot be handled as a Deployment: failed to parse annotation[deprecated.deployment.rollback.to]=last as int64: strconv.ParseInt: parsing "last": invalid syntax`
	if diff := cmp.Diff(want, lines(Decode(apiserver.Server{Minor: 37}, r))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDecodeTellsAHundred(t *testing.T) {
	var b strings.Builder
	for i := range 150 {
		fmt.Fprintf(&b, `,"f%03d":1`, i)
	}
	got := Decode(apiserver.Server{Minor: 37}, request(t, `{"apiVersion":"v1","kind":"Secret"`+b.String()+`}`))
	if len(got.Warnings) != 100 || got.Warnings[99].Text != `unknown field "f099"` {
		t.Errorf("%d warnings:\n%s", len(got.Warnings), lines(got))
	}
}

func TestDecodeUnknownKinds(t *testing.T) {
	for _, body := range []string{
		`{"apiVersion":"example.com/v1","kind":"Widget","x":1}`, `{"apiVersion":"v1","kind":"List","x":1}`,
		`{"apiVersion":"apps/v1","kind":"DeploymentList","x":1}`, `{"apiVersion":"extensions/v1beta1","kind":"Deployment","x":1}`,
	} {
		if got := lines(Decode(apiserver.Server{Minor: 37}, request(t, body))); got != "" {
			t.Errorf("%s: %s", body, got)
		}
	}
	Decode(apiserver.Server{Minor: 37}, apiserver.Request{APIVersion: "v1", Kind: "Pod"})
	Decode(apiserver.Server{Minor: 37}, apiserver.Request{APIVersion: "v1", Kind: "Pod", New: &wire.Value{Kind: wire.List}})
}
