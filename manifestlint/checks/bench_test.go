package checks

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/internal/manifestgen/synth"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// stream returns a YAML stream of 2000 generated objects, about 4 MB.
func stream(b *testing.B) []byte {
	var text bytes.Buffer
	if _, err := synth.New(1).Stream(&text, synth.Limit{Objects: 2000}, nil); err != nil {
		b.Fatal(err)
	}
	return text.Bytes()
}

// BenchmarkLint lints generated manifests on one core, including the parser.
func BenchmarkLint(b *testing.B) {
	text := stream(b)
	l := manifestlint.New(options(b, "1.37"))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		findings, _ := l.Bytes("a.yaml", text)
		if len(findings) == 0 {
			b.Fatal("no findings")
		}
	}
}

// BenchmarkIrrelevant lints objects without findings. The checks must still
// read the body of nearly all objects.
func BenchmarkIrrelevant(b *testing.B) {
	var text bytes.Buffer
	for g := synth.New(2); text.Len() < 4<<20; {
		if o := g.Next(); o.State == synth.Current && !o.PreStop {
			text.WriteString("---\n")
			text.Write(o.Text)
		}
	}
	l := manifestlint.New(options(b, "1.37"))
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		l.Bytes("a.yaml", text.Bytes())
	}
}

// BenchmarkTree lints all files below the directory BENCH_DIR with all cores.
func BenchmarkTree(b *testing.B) {
	dir := os.Getenv("BENCH_DIR")
	if dir == "" {
		b.Skip("set BENCH_DIR to a tree of manifests")
	}
	var inputs []manifestlint.Input
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			switch filepath.Ext(path) {
			case ".yaml", ".yml", ".json":
				inputs = append(inputs, manifestlint.Input{Name: path, Open: func() (io.ReadCloser, error) { return os.Open(path) }})
			}
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	l := manifestlint.New(options(b, "1.37"))
	for b.Loop() {
		sum, err := l.Run(context.Background(), slices.Values(inputs), func(rules.Finding) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(sum.Bytes)
	}
}
