package manifestlint

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// inMemory makes an input of a text.
func inMemory(name, text string) Input {
	return Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

func gathered(t *testing.T, inputs ...Input) []string {
	t.Helper()
	given, err := Gather(context.Background(), slices.Values(inputs), GatherOptions{Kinds: []string{"Namespace", "CustomResourceDefinition"}, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range given {
		name := g.Object.Tree().At("metadata", "name")
		got = append(got, fmt.Sprintf("%s[%d] %s %s at %d, name at %d", g.Input, g.Document, g.Object.Kind, g.Object.Name, g.Object.KindAt.Pos.Line, name.Pos.Line))
	}
	return got
}

func TestGather(t *testing.T) {
	patch := inMemory("patch.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: patched}\n")
	patch.Partial = "kustomization.yaml: patches"
	also := inMemory("patch.json", `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "patched"}}`)
	also.Partial = "kustomization.yaml: patches"
	got := gathered(t,
		also,
		inMemory("a.yaml", "# first\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: one\n"),
		inMemory("none.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n"),
		inMemory("broken.yaml", "a: [\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: behind}\n"),
		inMemory("list.json", `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}},`+"\n"+`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "listed"}}]}`),
		inMemory("typed.yaml", "apiVersion: v1\nkind: NamespaceList\nitems:\n- metadata:\n    name: typed\n"),
		patch,
		inMemory("template.yaml", "{{ if .x }}\napiVersion: v1\nkind: Namespace\nmetadata: {name: templated}\n{{ end }}\n"),
		Input{Name: "unreadable", Open: func() (io.ReadCloser, error) { return nil, io.ErrClosedPipe }},
		inMemory("ignored.yaml", "apiVersion: v1\nkind: Namespace # kubevet:ignore syntax\nmetadata: {name: last}\n"),
		inMemory("marked.yaml", "\ufeffapiVersion: v1\r\nkind: Namespace\r\nmetadata: {name: crlf}\r\n"),
	)
	want := []string{
		"a.yaml[1] Namespace one at 8, name at 10",
		"broken.yaml[1] Namespace behind at 4, name at 5",
		"list.json[0] Namespace listed at 2, name at 2",
		"typed.yaml[0] Namespace typed at 4, name at 5",
		"ignored.yaml[0] Namespace last at 2, name at 3",
		"marked.yaml[0] Namespace crlf at 2, name at 3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gathered (-want +got):\n%s", diff)
	}
}

// Places in an input that is read in blocks are the input's.
func TestGatherLarge(t *testing.T) {
	const each = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n---\n"
	filler := strings.Repeat(each, 3*blockSize/len(each))
	text := filler + "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: deep\n---\n" + filler + "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: deeper\n"
	n := strings.Count(filler, "---\n")
	want := []string{
		fmt.Sprintf("large.yaml[%d] Namespace deep at %d, name at %d", n, 5*n+2, 5*n+4),
		fmt.Sprintf("large.yaml[%d] Namespace deeper at %d, name at %d", 2*n+1, 10*n+7, 10*n+9),
	}
	if diff := cmp.Diff(want, gathered(t, inMemory("large.yaml", text))); diff != "" {
		t.Errorf("gathered (-want +got):\n%s", diff)
	}
	object := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "}"}}` + "\n"
	n = 2 * blockSize / len(object)
	text = strings.Repeat(object, n) + `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "json"}}`
	want = []string{fmt.Sprintf("large.json[%d] Namespace json at %d, name at %d", n, n+1, n+1)}
	if diff := cmp.Diff(want, gathered(t, inMemory("large.json", text))); diff != "" {
		t.Errorf("gathered (-want +got):\n%s", diff)
	}
}

// An interrupt ends a gathering.
func TestGatherInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(io.ErrUnexpectedEOF)
	if _, err := Gather(ctx, slices.Values([]Input{inMemory("a.yaml", "kind: Namespace")}), GatherOptions{Kinds: []string{"Namespace"}}); err != io.ErrUnexpectedEOF {
		t.Errorf("error %v, want the context's cause", err)
	}
}

// countingBy is a Reader that counts.
type countingBy struct{ reads *int }

func (c countingBy) Read(in Input, limit int64) ([]byte, error) {
	*c.reads++
	rc, err := in.Open()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(rc)
}

func (countingBy) Close() error { return nil }

// What was kept is not read again; what did not fit is.
func TestMemory(t *testing.T) {
	reads := 0
	base := func() Reader { return countingBy{&reads} }
	small, large := inMemory("small", "kind: Namespace\n"), inMemory("large", strings.Repeat("x", 100))
	m := NewMemory(50)
	keep, give := m.Keep(base)(), m.Give(base)()
	for _, r := range []Reader{keep, give, give} {
		for _, in := range []Input{small, large} {
			data, err := r.Read(in, 1000)
			rc, _ := in.Open()
			want, _ := io.ReadAll(rc)
			if err != nil || !bytes.Equal(data, want) {
				t.Errorf("%s: %q, %v", in.Name, data, err)
			}
		}
	}
	if reads != 2+1+2 {
		t.Errorf("%d reads, want 5: all, then the large one, then all", reads)
	}
}

// lastingBy gives what is in memory already.
type lastingBy struct{ text []byte }

func (r lastingBy) Read(Input, int64) ([]byte, error) { return r.text, nil }
func (r lastingBy) Lasts() bool                       { return true }
func (r lastingBy) Close() error                      { return nil }

// What lasts is kept as it is, whatever its size.
func TestMemoryOfWhatLasts(t *testing.T) {
	text := []byte("kind: Namespace\n")
	m := NewMemory(3)
	in := inMemory("a", "other\n")
	if _, err := m.Keep(func() Reader { return lastingBy{text} })().Read(in, 1000); err != nil {
		t.Fatal(err)
	}
	data, err := m.Give(func() Reader { return countingBy{new(int)} })().Read(in, 1000)
	if err != nil || len(data) == 0 || &data[0] != &text[0] {
		t.Errorf("got %q, %v, want what was read, where it was", data, err)
	}
}

// What Gather notes of documents for the next linter changes nothing that this
// one says, whatever stands between them.
func TestGatherForNext(t *testing.T) {
	long := func(doc string) string { return doc + "# " + strings.Repeat("x", worthNoting) + "\n" }
	pieces := []string{
		long("kind: Namespace\napiVersion: v1\nmetadata:\n  name: a\nspec:\n  mark: 1\n"),
		long("---\nkind: Pod\napiVersion: v1\nmetadata:\n  name: b\nspec:\n  mark: x\n"),
		"---\nkind: Namespace\napiVersion: v1\nspec: {mark: 2}\n",
		long("--- # broken\nkind: Namespace\n\ta: [\n"),
		long("---\nkind: Namespace\napiVersion: v1\nkind: Namespace\n"),
		long("---\n{{ if .Values.x }}\nkind: Namespace\n"),
		long("---\nkind: Namespace\napiVersion: v1\nspec: # kubevet:ignore\n  mark: 3\n"),
		"---\n{\"kind\": \"Namespace\", \"apiVersion\": \"v1\"}\n",
		"---\n# Namespace, in words\n",
		long("...\n"),
	}
	random := rand.New(rand.NewPCG(1, 2))
	var inputs []Input
	for i := range 200 {
		text := []string{"", "\ufeff", "# Namespace\n", "\n"}[random.IntN(4)]
		for range 1 + random.IntN(6) {
			text += pieces[random.IntN(len(pieces))]
		}
		inputs = append(inputs, inMemory(fmt.Sprint(i), text))
	}
	var given, judged []string // where the objects stand, by Gather and by a Linter
	place := func(in string, document int, o *Object) string {
		return fmt.Sprintf("%s[%d]:%d %s", in, document, o.KindAt.Pos.Line, o.Name)
	}
	run := func(o Options, next bool) ([]rules.Finding, *rules.Summary, int) {
		m := NewMemory(1 << 20)
		base := func() Reader { return countingBy{new(int)} }
		var noted int
		if next {
			o.NewReader = m.Give(base)
		}
		l := New(o)
		if next {
			found, err := Gather(context.Background(), slices.Values(inputs), GatherOptions{Kinds: []string{"Namespace"}, NewReader: m.Keep(base), Next: l, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range found {
				given = append(given, place(g.Input, g.Document, g.Object))
			}
			for _, k := range m.held {
				noted += len(k.skims)
			}
		}
		var found []rules.Finding
		sum, err := l.Run(context.Background(), slices.Values(inputs), func(f rules.Finding) error {
			found = append(found, f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found, sum, noted
	}
	o := options()
	o.Each = func(e Event) func(Event) error {
		if e.Object == nil || e.Object.Kind != "Namespace" {
			return nil
		}
		return func(e Event) error {
			judged = append(judged, place(e.Input.Name, e.Document, e.Object))
			return nil
		}
	}
	want, wantSum, _ := run(o, false)
	got, gotSum, noted := run(options(), true)
	if diff := cmp.Diff(judged, given); diff != "" || len(given) < len(inputs) {
		t.Errorf("%d objects gathered; as they are judged, and as they are gathered\n%s", len(given), diff)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings, without notes and with them\n%s", diff)
	}
	if diff := cmp.Diff(wantSum, gotSum, cmpopts.IgnoreFields(rules.Summary{}, "Seconds")); diff != "" {
		t.Errorf("summary, without notes and with them\n%s", diff)
	}
	if noted < len(inputs)/2 || len(want) < len(inputs) {
		t.Errorf("%d notes and %d findings of %d inputs: too few to tell", noted, len(want), len(inputs))
	}
}

// Each hears of everything, and in order.
func TestEach(t *testing.T) {
	var got []string
	old := wire.Value{Kind: wire.Map}
	l := New(Options{
		Workers: 4, Bodies: true,
		Old: func(_ string, o *Object) *wire.Value {
			if o.Name == "b" {
				return &old
			}
			return nil
		},
		Each: func(e Event) func(Event) error {
			text := len(e.Text)
			return func(e Event) error {
				switch {
				case e.Object != nil:
					got = append(got, fmt.Sprintf("%s[%d] %s body=%t old=%t", e.Input.Name, e.Document, e.Object.Name, e.Object.Root != nil, e.Object.Old != nil))
				case e.NotJudged != nil:
					got = append(got, fmt.Sprintf("%s[%d] %s %d", e.Input.Name, e.Document, e.NotJudged.Reason, text))
				default:
					got = append(got, e.Input.Name+" "+e.Err.Error())
				}
				return nil
			}
		},
	})
	pod := func(name string) string { return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n" }
	inputs := []Input{
		inMemory("1", pod("a")+"---\n"+pod("b")),
		inMemory("2", "a: [\n"),
		{Name: "3", Open: func() (io.ReadCloser, error) { return nil, io.ErrClosedPipe }},
		inMemory("4", ""),
		inMemory("5", "x: 1\n---\n"+pod("c")),
	}
	if _, err := l.Run(context.Background(), slices.Values(inputs), func(rules.Finding) error { return nil }); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1[0] a body=true old=false", "1[1] b body=true old=true", "2[0] broken 5", "3 " + io.ErrClosedPipe.Error(), "4[0] empty 0", "5[0] notKubernetes 5", "5[1] c body=true old=false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	failing := New(Options{Each: func(Event) func(Event) error { return func(Event) error { return io.ErrShortWrite } }})
	if _, err := failing.Run(context.Background(), slices.Values(inputs), func(rules.Finding) error { return nil }); err != io.ErrShortWrite {
		t.Errorf("error %v, want that of the event", err)
	}
}
