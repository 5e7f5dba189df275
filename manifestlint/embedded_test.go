package manifestlint_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestTrees(t *testing.T) {
	all := manifestlint.Trees("a: 1\n---\nb: [\n---\nc: 3\n")
	if len(all) != 2 || all[0].Get("a").Text != "1" || all[1].Field("c").Pos.Line != 5 {
		t.Errorf("%+v", all)
	}
	if all := manifestlint.Trees(""); len(all) != 0 {
		t.Errorf("of nothing: %+v", all)
	}
}

// TestEventRoot checks that Event.Root is set for a document that parses but is
// not sent to a server.
func TestEventRoot(t *testing.T) {
	const text = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n---\nsetting: 1\n---\nkind: {{x}}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
	var got []string
	l := manifestlint.New(manifestlint.Options{
		Target: lifecycle.Known(), Enabled: func(string) bool { return false },
		Each: func(e manifestlint.Event) func(manifestlint.Event) error {
			switch {
			case e.Root != nil:
				got = append(got, e.Root.Fields[0].Name)
			case e.Object != nil:
				got = append(got, e.Object.Kind)
			default:
				got = append(got, e.NotJudged.Reason)
			}
			return nil
		},
		Workers: 1,
	})
	in := manifestlint.Input{Name: "x.yaml", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	if _, err := l.Run(context.Background(), slices.Values([]manifestlint.Input{in}), func(rules.Finding) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"apiVersion", "setting", rules.SkipTemplated, "Namespace"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
