package source

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// makeTree creates a test's files. Each line of files is "name", "name = text"
// with \n for a line break, "name/" for a directory, or "name -> target" for a
// symbolic link.
func makeTree(t testing.TB, files string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(files, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		name, text := line, "kind: x\n"
		if before, after, ok := strings.Cut(line, " -> "); ok {
			name, text = before, "-> "+after
		} else if before, after, ok := strings.Cut(line, " = "); ok {
			name, text = before, strings.ReplaceAll(after, `\n`, "\n")+"\n"
		}
		write(t, dir, name, text)
	}
	return dir
}

// describe returns one line for each input and problem.
func describe(inputs []Input, problems []Problem) string {
	var b strings.Builder
	for _, in := range inputs {
		b.WriteString(in.Name)
		if in.Kustomization {
			b.WriteString(" kustomization")
		}
		if in.Template != "" {
			b.WriteString(" template of " + in.Template)
		}
		if in.Partial.As != "" {
			b.WriteString(" " + in.Partial.As + " of " + in.Partial.Kustomization)
		}
		b.WriteString("\n")
	}
	for _, p := range problems {
		b.WriteString(p.Kind.String() + ": " + p.Error() + "\n")
	}
	return b.String()
}

type expandTest struct {
	name string
	tree string
	// in is the working directory, relative to the tree.
	in   string
	args string
	o    Options
	want string
}

func (test expandTest) run(t *testing.T) {
	t.Helper()
	t.Run(test.name, func(t *testing.T) {
		t.Helper()
		dir := makeTree(t, test.tree)
		o := test.o
		o.Dir = filepath.Join(dir, test.in)
		args := strings.Fields(strings.ReplaceAll(test.args, "$DIR", filepath.ToSlash(dir)))
		inputs, problems := Expand(args, o)
		got := strings.ReplaceAll(describe(inputs, problems), filepath.ToSlash(dir), "$DIR")
		want := ""
		for line := range strings.SplitSeq(strings.TrimSpace(test.want), "\n") {
			want += strings.TrimSpace(line) + "\n"
		}
		if want == "\n" {
			want = ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Expand(%q) in\n%s\n(-want +got):\n%s", test.args, test.tree, diff)
		}
		for _, in := range inputs {
			if in.Name == StdinName {
				continue
			}
			if err := compareReads(in); err != nil {
				t.Errorf("%s: %v", in.Name, err)
			}
		}
	})
}

func TestExpand(t *testing.T) {
	for _, test := range []expandTest{{
		name: "a directory in the order of its components",
		tree: `
			k/b.yaml
			k/a.yml
			k/a/z.json
			k/a/README.md
			k/a-b.yaml
			k/a.d/x.yaml
			k/.github/w.yaml
			k/.git/config.yaml
			k/.hg/x.yaml
			k/node_modules/p/x.yaml
			k/UP.YAML
			k/yaml
			other.yaml`,
		args: "./k/",
		want: `
			k/.github/w.yaml
			k/UP.YAML
			k/a/z.json
			k/a-b.yaml
			k/a.d/x.yaml
			k/a.yml
			k/b.yaml
			k/node_modules/p/x.yaml`,
	}, {
		name: "the working directory",
		tree: "a.yaml\nd/b.yaml",
		args: ".",
		want: "a.yaml\nd/b.yaml",
	}, {
		name: "the directory above",
		tree: "w/a.yaml\nd/b.yaml",
		in:   "w",
		args: "..",
		want: "../d/b.yaml\n../w/a.yaml",
	}, {
		name: "an absolute argument",
		tree: "a.yaml\nd/b.yaml",
		args: "$DIR/d $DIR/a.yaml",
		want: "$DIR/d/b.yaml\n$DIR/a.yaml",
	}, {
		name: "files are read whatever they are called, arguments in order",
		tree: "b.txt\na\nc.yaml",
		args: "c.yaml b.txt ./a",
		want: "c.yaml\nb.txt\na",
	}, {
		name: "each file once",
		tree: "d/a.yaml\nd/b.yaml\nd/s/c.yaml\nl.yaml -> d/b.yaml\nm -> d",
		args: "d/b.yaml - d/s d d/a.yaml $DIR/d l.yaml m - m/a.yaml",
		want: "d/b.yaml\n-\nd/s/c.yaml\nd/a.yaml",
	}, {
		name: "nothing in a directory",
		tree: ".git/\n.gitignore = *.yaml\nd/a.txt\ne/a.yaml\ne/b.json\nf/",
		args: "d e f",
		o:    Options{Exclude: []string{"e/*.json"}},
		want: `
			empty: d: no .yaml, .yml, .json file in it
			empty: e: no .yaml, .yml, .json file in it; ignored by git: 1; excluded: 1
			empty: f: no .yaml, .yml, .json file in it`,
	}, {
		name: "other extensions",
		tree: "a.yaml\nb.tmpl",
		args: ".",
		o:    Options{Extensions: []string{".tmpl"}},
		want: "b.tmpl",
	}} {
		test.run(t)
	}
}

// TestExpandManyNamed passes each file of a directory twice, and then the
// directory.
func TestExpandManyNamed(t *testing.T) {
	var args []string
	tree, want := "d/zz.yaml\n", ""
	for i := range 100 {
		name := fmt.Sprintf("d/%02d.yaml", i)
		tree += name + "\n"
		args = append(args, name, "./"+name)
		want += name + "\n"
	}
	expandTest{tree: tree, args: strings.Join(args, " ") + " d", want: want + "d/zz.yaml"}.run(t)
}

func TestExpandEmptyArgument(t *testing.T) {
	_, problems := Expand([]string{""}, Options{})
	want := "usage: \"\": an empty argument names no file\n"
	if got := describe(nil, problems); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExpandProcessDirectory(t *testing.T) {
	t.Chdir(makeTree(t, "d/a.yaml\nb.yaml"))
	got := describe(Expand([]string{"d", "./b.yaml"}, Options{}))
	if want := "d/a.yaml\nb.yaml\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExpandMissingWorkingDirectory(t *testing.T) {
	got := describe(Expand([]string{"a.yaml"}, Options{Dir: filepath.Join(t.TempDir(), "gone")}))
	if !strings.Contains(got, "working directory: ") {
		t.Errorf("got %q", got)
	}
}

func TestExpandGlob(t *testing.T) {
	const files = `
		m/a.yaml
		m/b.yml
		m/x.tmpl
		m/d/c.yaml
		m/d/e/f.yaml
		m/d/e/README.md
		n/a.yaml
		n/Kustomization
		[odd].yaml
		.git/
		.gitignore = /out/\n
		out/a.yaml`
	for _, test := range []expandTest{
		{args: "m/**/*.yaml", want: "m/a.yaml\nm/d/c.yaml\nm/d/e/f.yaml"},
		{args: "m/*.yaml", want: "m/a.yaml"},
		{args: "*/a.yaml", want: "m/a.yaml\nn/a.yaml"},
		{args: "*/a.yaml n m", want: "m/a.yaml\nn/a.yaml\nm/b.yml\nm/d/c.yaml\nm/d/e/f.yaml"},
		{args: "{m,n}/*.{yaml,yml}", want: "m/a.yaml\nm/b.yml\nn/a.yaml"},
		{args: "{m/d,n}/*.yaml", want: "m/d/c.yaml\nn/a.yaml"},
		{args: "m/*.tmpl", want: "m/x.tmpl"},
		{args: "m/*", want: "m/a.yaml\nm/b.yml\nm/d/c.yaml\nm/d/e/f.yaml"},
		{args: "m/**", want: "m/a.yaml\nm/b.yml\nm/d/c.yaml\nm/d/e/f.yaml"},
		{args: "m/?", want: "m/d/c.yaml\nm/d/e/f.yaml"},
		{args: "**/e", want: "m/d/e/f.yaml"},
		{args: "**/e/**/f.*", want: "m/d/e/f.yaml"},
		{args: "**/Kustomization", want: "n/Kustomization kustomization"},
		{args: "[odd].yaml", want: "[odd].yaml"},
		{args: "$DIR/m/*/*.yaml", want: "$DIR/m/d/c.yaml"},
		{in: "m/d", args: "../../n/*.yaml", want: "../../n/a.yaml"},
		{args: "o*/*.yaml", want: "usage: o*/*.yaml: matches no file; ignored by git: 1"},
		{args: "out/*.yaml", want: "out/a.yaml"},
		{args: "m/*.json", want: "usage: m/*.json: matches no file"},
		{args: "m/*/*/*/*", want: "usage: m/*/*/*/*: matches no file"},
	} {
		test.name, test.tree = test.args, files
		test.run(t)
	}
}

func TestExpandExclude(t *testing.T) {
	const files = `
		a.yaml
		values.yaml
		d/values.yaml
		d/b.yaml
		d/testdata/c.yaml
		testdata/d.yaml
		testdata/e/f.yaml
		x/testdata`
	for _, test := range []struct{ exclude, args, want string }{
		{"values.yaml", ".", "a.yaml\nd/b.yaml\nd/testdata/c.yaml\ntestdata/d.yaml\ntestdata/e/f.yaml"},
		{"./values.yaml testdata", ".", "a.yaml\nd/b.yaml\nd/values.yaml"},
		{"testdata/", ". x/testdata", "a.yaml\nd/b.yaml\nd/values.yaml\nvalues.yaml\nx/testdata"},
		{"**/testdata/** values*", ".", "a.yaml\nd/b.yaml"},
		{"testdata/** d/*.yaml", ".", "a.yaml\nd/testdata/c.yaml\nvalues.yaml"},
		{"$DIR/testdata/** d", ".", "a.yaml\nvalues.yaml"},
		{"d", "$DIR", "$DIR/a.yaml\n$DIR/testdata/d.yaml\n$DIR/testdata/e/f.yaml\n$DIR/values.yaml"},
		{"testdata", "testdata/d.yaml a.yaml testdata/e ./testdata x/testdata", `
			a.yaml
			excluded: testdata/d.yaml: excluded by testdata
			excluded: testdata/e: excluded by testdata
			excluded: testdata: excluded by testdata
			excluded: x/testdata: excluded by testdata`},
		{"testdata/e", "$DIR/testdata/e/f.yaml $DIR/testdata", `
			$DIR/testdata/d.yaml
			excluded: $DIR/testdata/e/f.yaml: excluded by testdata/e`},
		{"testdata d", "*/*.yaml", "usage: */*.yaml: matches no file; excluded: 2"},
		{"[ / a.yaml", "a.yaml values.yaml", `
			values.yaml
			usage: [: exclusion is not a valid glob
			usage: /: exclusion is not a valid glob
			excluded: a.yaml: excluded by a.yaml`},
	} {
		dir := makeTree(t, files)
		o := Options{Dir: dir, Exclude: strings.Fields(strings.ReplaceAll(test.exclude, "$DIR", filepath.ToSlash(dir)))}
		got := describe(Expand(strings.Fields(strings.ReplaceAll(test.args, "$DIR", filepath.ToSlash(dir))), o))
		got = strings.ReplaceAll(got, filepath.ToSlash(dir), "$DIR")
		want := strings.ReplaceAll(strings.TrimSpace(test.want), "\t", "") + "\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("excluding %q from %q (-want +got):\n%s", test.exclude, test.args, diff)
		}
	}
}

// compareReads checks that all ways to read an input return the same text.
func compareReads(in Input) error {
	want, err := os.ReadFile(in.Path)
	if err != nil {
		return err
	}
	f, err := in.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	opened, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	var r Reader
	defer r.Close()
	read, err := r.Read(in, 0)
	if err != nil {
		return err
	}
	if string(opened) != string(want) || string(read) != string(want) {
		return io.ErrUnexpectedEOF
	}
	return nil
}
