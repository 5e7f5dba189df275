package source

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// benchmarkTree creates 20,000 files of 2 KB in 100 directories, and the extra
// files.
func benchmarkTree(b *testing.B, extra map[string]string) string {
	b.Helper()
	dir := b.TempDir()
	body := bytes.Repeat([]byte("apiVersion: v1\nkind: ConfigMap\n"), 65)
	for i := range 100 {
		sub := filepath.Join(dir, fmt.Sprintf("team-%02d", i%10), fmt.Sprintf("app-%03d", i))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 200 {
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("manifest-%03d.yaml", j)), body, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	for name, text := range extra {
		write(b, dir, name, text)
	}
	return dir
}

func benchmarkExpand(b *testing.B, extra map[string]string, o Options) {
	o.Dir = benchmarkTree(b, extra)
	b.ReportAllocs()
	for b.Loop() {
		inputs, problems := Expand([]string{"."}, o)
		if len(inputs) < 20000 || len(problems) > 0 {
			b.Fatal(len(inputs), problems)
		}
	}
}

func BenchmarkExpand(b *testing.B) { benchmarkExpand(b, nil, Options{}) }

// BenchmarkExpandIgnore searches a repository with ignore rules of many kinds,
// in the root and in half of the directories.
func BenchmarkExpandIgnore(b *testing.B) {
	extra := map[string]string{".git/HEAD": "", ".gitignore": "*.log\n*.tmp\n*~\n.DS_Store\nnode_modules/\n/build/\n" +
		"/dist\nvendor/**/testdata\n*.py[cod]\n.idea\n.vscode/*\n!.vscode/settings.json\n**/charts/*.tgz\nout-?\n"}
	for i := range 50 {
		extra[fmt.Sprintf("team-%02d/app-%03d/.gitignore", i%10, i)] = "/secret-*.yaml\n*.dec\n"
	}
	benchmarkExpand(b, extra, Options{})
}

func BenchmarkExpandExclude(b *testing.B) {
	benchmarkExpand(b, nil, Options{Exclude: []string{"**/testdata/**", "values*.yaml", "team-03/legacy/"}})
}

// BenchmarkExpandKustomize searches directories that each have a kustomization
// with patches.
func BenchmarkExpandKustomize(b *testing.B) {
	extra := map[string]string{}
	for i := range 100 {
		extra[fmt.Sprintf("team-%02d/app-%03d/kustomization.yaml", i%10, i)] = "apiVersion: kustomize.config.k8s.io/v1beta1\n" +
			"kind: Kustomization\nresources:\n- manifest-000.yaml\n- manifest-001.yaml\npatches:\n- path: manifest-002.yaml\n"
	}
	benchmarkExpand(b, extra, Options{})
}

// BenchmarkExpandFiles passes the name of each file, like pre-commit.
func BenchmarkExpandFiles(b *testing.B) {
	o := Options{Dir: benchmarkTree(b, nil)}
	inputs, _ := Expand([]string{"."}, o)
	var args []string
	for _, in := range inputs {
		args = append(args, in.Name)
	}
	b.ReportAllocs()
	for b.Loop() {
		if inputs, _ := Expand(args, o); len(inputs) != len(args) {
			b.Fatal(len(inputs))
		}
	}
}

func BenchmarkRead(b *testing.B) {
	inputs, _ := Expand([]string{benchmarkTree(b, nil)}, Options{})
	b.Run("Reader", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var r Reader
			for _, in := range inputs {
				if data, err := r.Read(in, 1<<20); err != nil || len(data) != 65*31 {
					b.Fatal(len(data), err)
				}
			}
			r.Close()
		}
	})
	b.Run("ReadFile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, in := range inputs {
				if data, err := os.ReadFile(in.Path); err != nil || len(data) != 65*31 {
					b.Fatal(len(data), err)
				}
			}
		}
	})
	b.Run("Open", func(b *testing.B) {
		buf := make([]byte, 64<<10)
		b.ReportAllocs()
		for b.Loop() {
			for _, in := range inputs {
				f, err := in.Open()
				if err != nil {
					b.Fatal(err)
				}
				for n := 1; n > 0; {
					n, _ = f.Read(buf)
				}
				f.Close()
			}
		}
	})
}
