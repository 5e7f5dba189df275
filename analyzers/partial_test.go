package analyzers_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/packages"
)

// broken holds the packages of the analyzers' tests. damage breaks copies of them.
type broken struct {
	facts    unit.Facts
	packages []*packages.Package
	// found has the findings in each undamaged package, by place.
	found map[*packages.Package]map[string][]string
}

var loadBroken = sync.OnceValues(func() (*broken, error) {
	list, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: analyzertest.Dir()}, "./...")
	if err != nil {
		return nil, err
	}
	b := &broken{found: map[*packages.Package]map[string][]string{}}
	// Dependencies come first, because other packages need their facts.
	packages.Visit(list, nil, func(p *packages.Package) {
		if p.Module == nil || !p.Module.Main || len(p.Errors) > 0 || len(p.Syntax) == 0 {
			return
		}
		found, failed := findIn(b, p.Fset, p.Syntax, p.Types, p.TypesInfo, nil)
		if failed != nil {
			err = failed
		}
		b.packages = append(b.packages, p)
		b.found[p] = found
	})
	return b, err
})

// findIn returns the places of all findings in a package, by the place of the finding. The
// values are this place and the related places.
func findIn(b *broken, fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info, errs []types.Error) (map[string][]string, error) {
	p := &unit.Package{Fset: fset, Files: files, Types: pkg, Info: info, Sizes: types.SizesFor("gc", "amd64"), TypeErrors: errs}
	found := map[string][]string{}
	rules := append(analyzers.All(), analyzers.Census, analyzers.Traces)
	for _, r := range unit.Run(p, rules, &b.facts) {
		if r.Err != nil {
			return nil, r.Err
		}
		rule := r.Analyzer.Name
		for _, d := range r.Diagnostics {
			places := []string{place(fset, rule, d.Pos)}
			for _, r := range d.Related {
				places = append(places, place(fset, rule, r.Pos))
			}
			found[places[0]] = append(found[places[0]], places...)
		}
		if c, ok := r.Value.(*apicall.Result); ok && c.Broken() != nil {
			return nil, c.Broken()
		}
	}
	return found, nil
}

// source returns the text of a file of a package under test. It reads each file once.
var source = func() func(name string) []byte {
	var texts sync.Map
	return func(name string) []byte {
		if text, ok := texts.Load(name); ok {
			return text.([]byte)
		}
		text, _ := os.ReadFile(name) // loading the packages read this file without an error
		texts.Store(name, text)
		return text
	}
}()

// place describes the position and the rule of a finding, without the file's directory.
func place(fset *token.FileSet, rule string, pos token.Pos) string {
	at := fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d: %s", filepath.Base(at.Filename), at.Line, at.Column, rule)
}

// importer returns the imports of a package that is loaded already.
type importer struct{ p *packages.Package }

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if d := i.p.Imports[path]; d != nil {
		return d.Types, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// spoil replaces one token of a file by other text or spaces of the same length. It returns
// a description of the token, or "" if the file is too short.
func spoil(random *rand.Rand, src []byte, uses map[int]bool) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	s.Init(file, src, func(token.Position, string) {}, 0)
	type place struct {
		offset int
		text   string
		kind   token.Token
	}
	var places []place
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			break
		}
		switch {
		case text == "\n", text == "" && !kind.IsOperator():
			continue
		case kind == token.IDENT && !uses[file.Offset(pos)]:
			continue // the code may still compile with another name
		case kind.IsKeyword(), kind == token.MUL, kind == token.NOT, kind == token.AND, kind == token.ADD, kind == token.SUB, kind == token.ARROW:
			continue // without this token, the code can compile with another meaning
		case kind == token.STRING && !uses[file.Offset(pos)], kind == token.INT, kind == token.CHAR:
			continue // the code may still compile with another value
		}
		if text == "" {
			text = kind.String()
		}
		places = append(places, place{file.Offset(pos), text, kind})
	}
	if len(places) < 3 {
		return ""
	}
	at := places[2+random.IntN(len(places)-2)] // the first two tokens are the package clause
	change := src[at.offset:min(at.offset+len(at.text), len(src))]
	switch {
	case at.kind == token.IDENT && random.IntN(4) > 0:
		for i := range change {
			change[i] = 'q'
		}
	case at.kind == token.STRING:
		change[len(change)/2] = 'Q'
	default:
		for i := range change {
			change[i] = ' '
		}
	}
	return fmt.Sprintf("%s at %d", at.text, at.offset)
}

// damage breaks one to three tokens of a random package without moving other tokens. It
// reports findings that the package does not have without the damage.
func (b *broken) damage(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	p := b.packages[random.IntN(len(b.packages))]
	var files []*ast.File
	var errs []types.Error
	var changes []string
	fset := p.Fset // the positions in facts belong to this file set
	uses := map[int]bool{}
	for id, o := range p.TypesInfo.Uses {
		// The test spoils uses of names from other packages, so that the code does
		// not compile. It keeps uses of the package's own names, of dry runs and of
		// user agents, because the analyzers must see them.
		if _, imported := o.(*types.PkgName); imported || o.Pkg() != p.Types && !strings.Contains(o.Name(), "DryRun") && o.Name() != "UserAgent" {
			uses[p.Fset.Position(id.Pos()).Offset] = true
		}
	}
	for _, f := range p.Syntax {
		for _, i := range f.Imports {
			if strings.HasSuffix(i.Path.Value, `client/fake"`) {
				continue // without this import, the package does not count as test code
			}
			uses[p.Fset.Position(i.Path.Pos()).Offset] = true
		}
	}
	spoiled := random.IntN(len(p.GoFiles))
	for i, name := range p.GoFiles {
		src := source(name)
		if i == spoiled {
			src = bytes.Clone(src)
			for range 1 + random.IntN(3) {
				changes = append(changes, spoil(random, src, uses))
			}
		}
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
		if err != nil {
			file := fset.File(f.FileStart)
			for _, e := range err.(scanner.ErrorList) {
				errs = append(errs, types.Error{Fset: fset, Pos: file.Pos(min(e.Pos.Offset, file.Size())), Msg: intact.SyntaxError + e.Msg})
			}
		}
		files = append(files, f)
	}
	info := unit.NewInfo()
	conf := types.Config{
		Importer: importer{p},
		Error:    func(err error) { errs = append(errs, err.(types.Error)) },
	}
	pkg, _ := conf.Check(p.PkgPath, fset, files, info)
	found, err := findIn(b, fset, files, pkg, info, errs)
	if err != nil {
		t.Fatalf("seed %d: %s with %q: %v", seed, p.PkgPath, changes, err)
	}
	program := false // fieldmanager has a finding about the whole program, at the first client that it builds
	known := map[string]bool{}
	for at, places := range b.found[p] {
		program = program || strings.HasSuffix(at, ": fieldmanager")
		for _, at := range places {
			known[at] = true
		}
	}
	for at, places := range found {
		if program && strings.HasSuffix(at, ": fieldmanager") || strings.HasSuffix(at, ": dryrun") {
			continue // dryrun reports every write that it cannot see to be guarded
		}
		// A finding can move from the write to a call of the function that contains the
		// write. Handlers that share a finding get their own if too few of them are left.
		if !slices.ContainsFunc(places, func(at string) bool { return known[at] }) {
			t.Errorf("seed %d: %s with %q: new finding %s", seed, p.PkgPath, changes, at)
		}
	}
}

// TestPartial damages packages in 500 ways. No analyzer may fail. Findings in functions
// that still compile must also be findings of the original package.
func TestPartial(t *testing.T) {
	b, err := loadBroken()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(500) {
		b.damage(t, seed)
	}
}

func FuzzPartial(f *testing.F) {
	b, err := loadBroken()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { b.damage(t, seed) })
}
