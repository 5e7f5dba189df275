// Package embedded finds manifests that Go code carries: string literals that
// hold objects, and files that go:embed directives name. It judges them with
// the linter for objects and gives positions in the Go file or in the embedded
// one.
package embedded

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// Options say what to look at.
type Options struct {
	// Files are Go files by their absolute names.
	Files []string
	// Tests includes files that are for tests.
	Tests bool
	// Name gives the name of a file as findings show it; nil: as it is.
	Name func(string) string
	// Linter judges what is found.
	Linter *manifestlint.Linter
}

// Findings judges the manifests in Go files, in the files' order. A manifest of
// an old version is passed over where the same package carries one of the same
// kind that nothing is said about: the program has both on purpose. Files that
// cannot be read or parsed are passed over: the Go rules tell of them.
func Findings(o Options) []rules.Finding {
	if o.Name == nil {
		o.Name = func(name string) string { return name }
	}
	s := &search{o: o, seen: map[string]bool{}}
	files := slices.Compact(slices.Sorted(slices.Values(o.Files)))
	var all []rules.Finding
	for len(files) > 0 {
		dir := filepath.Dir(files[0])
		n := slices.IndexFunc(files, func(f string) bool { return filepath.Dir(f) != dir })
		if n < 0 {
			n = len(files)
		}
		all = append(all, s.folder(files[:n])...)
		files = files[n:]
	}
	return all
}

type search struct {
	o    Options
	seen map[string]bool // embedded files that were judged
}

// folder judges what the Go files of one folder carry.
func (s *search) folder(files []string) []rules.Finding {
	var texts []*text
	for _, name := range files {
		if s.o.Tests || !aboutTests(name) {
			texts = append(texts, s.file(name)...)
		}
	}
	var found []rules.Finding
	both := map[string]bool{} // kinds of objects that nothing is said about
	for _, t := range texts {
		findings, _ := s.o.Linter.Bytes(s.o.Name(t.file), t.content)
		old := map[string]bool{}
		for _, f := range findings {
			if f.Object != nil {
				old[f.Object.APIVersion+" "+f.Object.Kind] = true
				f.Object = named(*f.Object)
			}
			if t.place != nil {
				f.Line, f.Column = t.place(f.Line, f.Column)
				f.EndLine, f.EndColumn = t.place(f.EndLine, f.EndColumn)
			}
			f.Document, f.Fix = 0, nil
			found = append(found, f)
		}
		for _, head := range heads(t.content) {
			if !old[head.apiVersion+" "+head.kind] {
				both[head.kind] = true
			}
		}
	}
	return slices.DeleteFunc(found, func(f rules.Finding) bool { return f.Object != nil && both[f.Object.Kind] })
}

// named is an object without those of its names that are yet to be filled in.
func named(o rules.ObjectRef) *rules.ObjectRef {
	if strings.ContainsRune(o.Name, filler) {
		o.Name = ""
	}
	if strings.ContainsRune(o.Namespace, filler) {
		o.Namespace = ""
	}
	return &o
}

// aboutTests reports whether a file's name or folder says that it is for tests.
func aboutTests(name string) bool {
	base := filepath.Base(name)
	if strings.HasSuffix(base, "_test.go") || strings.Contains(base, "_test_") || strings.Contains(base, "testutil") {
		return true
	}
	return slices.ContainsFunc(folders(filepath.Dir(name)), func(s string) bool {
		return s == "fixtures" || strings.HasPrefix(s, "test") || strings.HasPrefix(s, "e2e") || strings.HasSuffix(s, "testutil") ||
			strings.HasSuffix(s, "test") || strings.HasSuffix(s, "tests")
	})
}

// folders are the names of a folder and of those around it, as far as they
// belong to the Go module: what the module's own folder is called says nothing
// about the code. Outside of modules they are none.
func folders(dir string) []string {
	var all []string
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return all
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		all = append(all, filepath.Base(dir))
		dir = up
	}
}

// text is a manifest, or several, with where it stands.
type text struct {
	file    string
	content []byte
	// place gives the place in the file of one in the content; nil: the
	// content is the file.
	place func(line, column int) (int, int)
}

var (
	apiVersion = []byte("apiVersion")
	directive  = []byte("//go:embed ")
)

// file finds what one Go file carries.
func (s *search) file(name string) []*text {
	src, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(src, apiVersion) && !bytes.Contains(src, directive) {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return nil
	}
	var texts []*text
	if bytes.Contains(src, directive) {
		texts = s.embedded(name, f)
	}
	if !bytes.Contains(src, apiVersion) {
		return texts
	}
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			_, directive := n.(*ast.ImportSpec)
			return !directive
		}
		if b, sum := e.(*ast.BinaryExpr); sum && b.Op != token.ADD {
			return true
		}
		l := &literal{name: name, fset: fset, src: src}
		if !l.add(e) {
			return true
		}
		if t := l.text(); t != nil {
			texts = append(texts, t)
		}
		return false
	})
	return texts
}

// head is what says of what kind an object is.
type head struct{ apiVersion, kind string }

// heads are those of the documents of a text, as far as they stand in plain
// lines at their beginning.
func heads(content []byte) []head {
	var all []head
	var h head
	done := func() {
		if h.apiVersion != "" && h.kind != "" {
			all = append(all, h)
		}
		h = head{}
	}
	for line := range bytes.Lines(content) {
		l := strings.TrimRight(string(line), " \t\r\n")
		if strings.HasPrefix(l, "---") {
			done()
		} else if v, ok := strings.CutPrefix(l, "apiVersion:"); ok {
			h.apiVersion = strings.Trim(v, ` "'`)
		} else if v, ok := strings.CutPrefix(l, "kind:"); ok {
			h.kind = strings.Trim(v, ` "'`)
		}
	}
	done()
	return all
}
