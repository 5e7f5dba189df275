package manifestlint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/rules"
)

// manyInputs returns inputs whose sizes are near the size of a block.
func manyInputs(seed uint64) []Input {
	r := rand.New(rand.NewPCG(seed, 1))
	var all []Input
	for i := range 300 {
		var b bytes.Buffer
		docs := r.IntN(5)
		if i%60 == 7 {
			docs = 20_000 + r.IntN(60_000)
		}
		for d := range docs {
			switch r.IntN(40) {
			case 0:
				b.WriteString("---\na: b: c\n")
			case 1:
				b.WriteString("---\n# kubevet:ignore removedapi\napiVersion: v1\nkind: Pod\n")
			case 2:
				b.WriteString("---\n{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"spec\": {\"mark\": 1}}\n")
			case 3:
				b.WriteString("---\n# nothing\n")
			case 4:
				b.WriteString("---\na: b\n...\n# between\n\n")
			default:
				fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p%d\nspec:\n  text: |\n    %s\n", d, strings.Repeat("x", r.IntN(80)))
			}
		}
		text := b.Bytes()
		all = append(all, Input{Name: fmt.Sprintf("%03d.yaml", i), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(text)), nil
		}})
	}
	return all
}

// TestRunIsBytes checks that Run returns the same findings as Bytes for each
// input, in order, with any number of workers and with reading in blocks.
func TestRunIsBytes(t *testing.T) {
	inputs := manyInputs(1)
	o := options()
	o.Checks = []Check{reportMarks, {Rule: "removedapi", Run: func(p *Pass) {
		if strings.HasSuffix(p.Object.Name, "7") {
			reportKinds.Run(p)
		}
	}}}
	var want []rules.Finding
	total := rules.NewSummary()
	for _, in := range inputs {
		rc, _ := in.Open()
		data, _ := io.ReadAll(rc)
		findings, sum := New(o).Bytes(in.Name, data)
		want = append(want, findings...)
		total.Add(sum)
	}
	for _, workers := range []int{1, 2, 7} {
		o.Workers = workers
		var got []rules.Finding
		sum, err := New(o).Run(context.Background(), slices.Values(inputs), func(f rules.Finding) error {
			got = append(got, f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%d workers: %d findings, want %d", workers, len(got), len(want))
		}
		for i := range got {
			if diff := cmp.Diff(want[i], got[i]); diff != "" {
				t.Fatalf("%d workers: finding %d (-want +got)\n%s", workers, i, diff)
			}
		}
		sum.Target, sum.Seconds = total.Target, 0
		if diff := cmp.Diff(total, sum); diff != "" {
			t.Errorf("%d workers: summary (-want +got)\n%s", workers, diff)
		}
	}
}

func TestRunEnds(t *testing.T) {
	inputs := manyInputs(2)
	stop := errors.New("stop")
	n := 0
	_, err := New(options()).Run(context.Background(), slices.Values(inputs), func(rules.Finding) error {
		if n++; n == 100 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("got %v, want the error of emit", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err = New(options()).Run(ctx, slices.Values(inputs), func(rules.Finding) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
}

type failingReader struct{ text io.Reader }

func (f *failingReader) Read(p []byte) (int, error) {
	n, err := f.text.Read(p)
	if err == io.EOF {
		err = errors.New("device gone")
	}
	return n, err
}

func (*failingReader) Close() error { return nil }

func TestUnreadable(t *testing.T) {
	good := "apiVersion: v1\nkind: Pod\n"
	inputs := []Input{
		{Name: "none", Open: func() (io.ReadCloser, error) { return nil, errors.New("no such file") }},
		{Name: "breaks", Open: func() (io.ReadCloser, error) {
			return &failingReader{strings.NewReader(strings.Repeat(good+"---\n", 100_000))}, nil
		}},
		{Name: "good", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(good)), nil }},
	}
	sum, err := New(options()).Run(context.Background(), slices.Values(inputs), func(rules.Finding) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if sum.UnreadableCount != 2 || !sum.Incomplete() || sum.Findings["removedapi"] < 2 {
		t.Errorf("summary %+v", sum)
	}
}

func one(in Input) iter.Seq[Input] { return slices.Values([]Input{in}) }

// TestBlockEndsInComments checks that the text after the end marker of a
// block's last document counts as lines.
func TestBlockEndsInComments(t *testing.T) {
	one := "---\na: b\n...\n# between\n\n"
	text := strings.Repeat(one, 3*document.BlockSize/len(one)) + "---\napiVersion: v1\nkind: Pod\n"
	var got []rules.Finding
	in := Input{Name: "a.yaml", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	if _, err := New(options()).Run(context.Background(), slices.Values([]Input{in}), func(f rules.Finding) error { got = append(got, f); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := strings.Count(text, "\n"); len(got) != 1 || got[0].Line != want {
		t.Errorf("got %v, want line %d", show(got), want)
	}
}

// TestContained checks that a panic of a check affects only the input in which
// it happens.
func TestContained(t *testing.T) {
	pod := func(name string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n"
	}
	large := pod("fine") + strings.Repeat("---\n"+pod("fine"), 3*document.BlockSize/40) + "---\n" + pod("odd")
	inputs := []Input{inMemory("a.yaml", pod("fine")), inMemory("b.yaml", pod("odd")), inMemory("large.yaml", large), inMemory("c.yaml", pod("fine"))}
	l := New(Options{Workers: 2, Checks: []Check{{Rule: "removedapi", Run: func(p *Pass) {
		if p.Object.Name == "odd" {
			panic("odd")
		}
	}}}})
	sum, err := l.Run(context.Background(), slices.Values(inputs), func(rules.Finding) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, u := range sum.Unreadable {
		if !strings.Contains(u.Error, "kubevet failed here") || !strings.Contains(u.Error, "(odd)") {
			t.Errorf("%s: %s", u.File, u.Error)
		}
		failed = append(failed, u.File)
	}
	if !slices.Equal(failed, []string{"b.yaml", "large.yaml"}) || !sum.Incomplete() || sum.Objects < 2 {
		t.Errorf("failed %v, %d objects", failed, sum.Objects)
	}
}

func inMemory(name, text string) Input {
	return Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}
