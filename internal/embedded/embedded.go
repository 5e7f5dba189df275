// Package embedded checks manifests in Go code with the linter for manifests. The
// manifests are in string literals, or in files that go:embed directives name. Findings
// have positions in the Go file or in the embedded file.
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

// Options are the options of Findings.
type Options struct {
	// Files has the absolute paths of Go files.
	Files []string
	// If Tests is true, test files are checked, too.
	Tests bool
	// Name returns the name of a file in findings. If Name is nil, findings have the
	// path.
	Name func(string) string
	// Linter checks the manifests.
	Linter *manifestlint.Linter
}

// Findings checks the manifests in Go files and returns the findings in the order of the
// files. A program may have a new and an old version of a kind on purpose. So an old
// version is skipped if the package has a manifest of this kind without findings. Files
// that cannot be read or parsed are skipped, because the Go rules report them.
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
	seen map[string]bool // embedded files that were already checked
}

// folder checks the manifests in the Go files of one folder.
func (s *search) folder(files []string) []rules.Finding {
	var texts []*text
	for _, name := range files {
		if s.o.Tests || !aboutTests(name) {
			texts = append(texts, s.file(name)...)
		}
	}
	var found []rules.Finding
	both := map[string]bool{} // kinds that also occur without findings
	for _, t := range texts {
		findings, _ := s.o.Linter.Bytes(s.o.Name(t.file), t.content)
		old := map[string]bool{}
		for _, f := range findings {
			if f.Object != nil {
				old[f.Object.APIVersion+" "+f.Object.Kind] = true
				f.Object = objectRef(*f.Object)
			}
			if t.place != nil {
				f.Line, f.Column = t.place(f.Line, f.Column)
				f.EndLine, f.EndColumn = t.place(f.EndLine, f.EndColumn)
			}
			f.Document, f.Fix = 0, nil
			found = append(found, f)
		}
		for _, head := range typeMetas(t.content) {
			if !old[head.apiVersion+" "+head.kind] {
				both[head.kind] = true
			}
		}
	}
	return slices.DeleteFunc(found, func(f rules.Finding) bool { return f.Object != nil && both[f.Object.Kind] })
}

// objectRef returns a reference in which names with placeholders are empty.
func objectRef(o rules.ObjectRef) *rules.ObjectRef {
	if strings.ContainsRune(o.Name, filler) {
		o.Name = ""
	}
	if strings.ContainsRune(o.Namespace, filler) {
		o.Namespace = ""
	}
	return &o
}

// aboutTests reports whether the name of a file or of its folders shows that it belongs
// to tests.
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

// folders returns the names of a folder and of its parents in the Go module, without the
// module's root, whose name does not depend on the code. Outside of modules, it returns
// nil.
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

// text is a text with one or more manifests.
type text struct {
	file    string
	content []byte
	// place converts a position in content to a position in the file. It is nil if the
	// content is the whole file.
	place func(line, column int) (int, int)
}

var (
	apiVersion = []byte("apiVersion")
	directive  = []byte("//go:embed ")
)

// file returns the texts with manifests in a Go file.
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

// typeMeta is the API version and the kind of an object.
type typeMeta struct{ apiVersion, kind string }

// typeMetas returns the API versions and kinds of all documents in a text. Only
// unindented lines at the beginning of a document are searched.
func typeMetas(content []byte) []typeMeta {
	var all []typeMeta
	var h typeMeta
	done := func() {
		if h.apiVersion != "" && h.kind != "" {
			all = append(all, h)
		}
		h = typeMeta{}
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
