package objectcontext

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func TestStored(t *testing.T) {
	object := func(apiVersion, kind, namespace, name, label string) string {
		return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  namespace: %s\n  labels: {x: %s}\n---\n", apiVersion, kind, name, namespace, label)
	}
	var trouble []string
	s, err := Store(context.Background(), slices.Values([]manifestlint.Input{
		inMemory("a.yaml", object("apps/v1", "Deployment", "", "web", "first")),
		inMemory("b.yaml", object("apps/v1", "Deployment", "default", "web", "second")+object("apps/v1", "Deployment", "prod", "web", "prod")),
		inMemory("ns.yaml", object("v1", "Namespace", "ignored", "x", "ns")+"kind: [\n"),
		inMemory("crs.yaml", object("example.com/v1beta1", "Thing", "", "t", "thing")+"apiVersion: v1\nkind: Pod\nmetadata: {generateName: web-}\n"),
		inMemory("list.yaml", "apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: p, labels: {x: listed}}\n"),
	}), StoreOptions{Workers: 2, Trouble: func(e manifestlint.Event) { trouble = append(trouble, e.Input.Name) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ input, apiVersion, kind, namespace, name, want string }{
		{"c.yaml", "apps/v1", "Deployment", "default", "web", "second"},
		{"a.yaml", "apps/v1", "Deployment", "", "web", "first"},
		{"a.yaml", "apps/v1beta1", "Deployment", "prod", "web", "prod"},
		{"a.yaml", "extensions/v1beta1", "Deployment", "prod", "web", ""},
		{"a.yaml", "v1", "Namespace", "", "x", "ns"},
		{"a.yaml", "example.com/v1", "Thing", "default", "t", "thing"},
		{"a.yaml", "v1", "Pod", "", "p", "listed"},
		{"a.yaml", "v1", "Pod", "", "web-*", ""},
	} {
		o := &manifestlint.Object{APIVersion: tt.apiVersion, Kind: tt.kind, Namespace: tt.namespace, Name: tt.name}
		if got := s.Of(tt.input, o).At("metadata", "labels", "x").StringOr(""); got != tt.want {
			t.Errorf("%v: got %q", tt, got)
		}
	}
	if diff := cmp.Diff([]string{"ns.yaml"}, trouble); diff != "" {
		t.Errorf("trouble (-want +got):\n%s", diff)
	}
	if r := s.Repeats(); len(r) != 1 || r[0].First != "a.yaml" || r[0].Last != "b.yaml" || s.Left() != 0 || s.Len() != 6 {
		t.Errorf("repeats %+v, %d left, %d there", r, s.Left(), s.Len())
	}
	if v := (*Stored)(nil).Of("", &manifestlint.Object{Name: "x"}); v != nil {
		t.Errorf("a nil Stored has %v", v)
	}
}

func TestStoredBounded(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x%d\n---\n"
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, pod, i)
	}
	s, err := Store(context.Background(), slices.Values([]manifestlint.Input{inMemory("a.yaml", text.String())}), StoreOptions{MaxBytes: 1000})
	if err != nil || s.Left() == 0 || s.Len() == 0 || s.Left()+s.Len() != 100 {
		t.Errorf("%d left, %d there, %v", s.Left(), s.Len(), err)
	}
}

// TestAppendJSON checks that a stored object equals the original object, also
// if its values are unusual.
func TestAppendJSON(t *testing.T) {
	trees, failed := yamltree.Parse([]byte("a: 0x1F\nb: 1_000\nd: 1e400\ne: \"\\x01\\u2028<&>\\\"\\\\é\"\nf: [null, true, -0.0, [], {}]\n'': ~\ng: 0o17\nh: 1.50\ni: 18446744073709551615\n"), 1)
	if failed != nil {
		t.Fatal(failed.Text)
	}
	got, err := wire.JSON(AppendJSON(nil, trees[0].Root))
	if err != nil {
		t.Fatal(err)
	}
	ignore := cmp.Options{cmpopts.IgnoreTypes(wire.Pos{}), cmpopts.IgnoreUnexported(wire.Value{}), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(trees[0].Root, got, ignore); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
}

func inMemory(name, text string) manifestlint.Input {
	return manifestlint.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}
