package vettool

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"runtime"

	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/gcexportdata"
)

// config describes a package. It has those fields of cmd/go's vetConfig that the tool
// needs.
type config struct {
	ID           string
	Dir          string
	Compiler     string
	ImportPath   string
	GoVersion    string
	GoFiles      []string
	NonGoFiles   []string
	IgnoredFiles []string
	ModulePath   string // set up to Go 1.27, like ModuleVersion
	// ModuleVersion is the version of the module. It is empty for the main module and the
	// standard library.
	ModuleVersion string
	Module        *analysis.Module  // set since Go 1.27
	ImportMap     map[string]string // path in the source to path of the package
	PackageFile   map[string]string // path of the package to file with export data
	PackageVetx   map[string]string // path of the package to output file of this tool
	VetxOnly      bool
	VetxOutput    string
	Stdout        string
	FixArchive    string

	SucceedOnTypecheckFailure bool
}

func readConfig(name string) (*config, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c := &config{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return c, nil
}

// module returns the module of the package. It returns nil if the module is unknown.
func (c *config) module() *analysis.Module {
	switch {
	case c.Module != nil:
		return c.Module
	case c.ModulePath != "":
		return &analysis.Module{Path: c.ModulePath, Version: c.ModuleVersion, GoVersion: c.GoVersion}
	}
	return nil
}

// own reports whether the package belongs to the main module or to a module of the
// workspace. Such a module has no version.
func (c *config) own() bool {
	m := c.module()
	return m != nil && m.Path != "" && m.Version == ""
}

// printsJSON reports whether the go command reads the JSON of the tool and prints the
// findings as lines. In this case, the go command names a file for the output of the
// tool. Otherwise, it prints the JSON unchanged.
func (c *config) printsJSON() bool { return c.Stdout != "" }

// exported reports whether the go command provides export data of all imports. The go
// command of Go 1.26 and older provides it. Newer releases may not build packages that
// are only vetted.
func (c *config) exported() bool {
	for _, path := range c.ImportMap {
		if path != "unsafe" && path != "C" && c.PackageFile[path] == "" {
			return false
		}
	}
	return true
}

// leaf reports whether the package has no imports. For a package without imports,
// exported does not show whether the go command provides export data.
func (c *config) leaf() bool {
	for _, path := range c.ImportMap {
		if path != "unsafe" && path != "C" {
			return false
		}
	}
	return true
}

// program has the types of one package and of its imports.
type program struct {
	*config
	fset    *token.FileSet
	imports map[string]*types.Package // direct and indirect imports, by path
	left    map[string]*leftover      // outputs for direct imports, by path
}

func newProgram(c *config) *program {
	return &program{config: c, fset: token.NewFileSet(), imports: map[string]*types.Package{}, left: map[string]*leftover{}}
}

// Import returns the package that the source imports with a path.
func (p *program) Import(path string) (*types.Package, error) {
	path, ok := p.ImportMap[path]
	if !ok {
		return nil, errors.New("it was not found")
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if known := p.imports[path]; known != nil && known.Complete() {
		return known, nil
	}
	if name := p.PackageFile[path]; name != "" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		//lint:ignore SA1019 the go command provides archives up to Go 1.27, and NewReader also reads what follows
		data, err := gcexportdata.NewReader(file)
		if err != nil {
			return nil, fmt.Errorf("reading the export data of %s: %w", path, err)
		}
		return gcexportdata.Read(data, p.fset, p.imports, path)
	}
	left, err := p.leftover(path)
	if err != nil {
		return nil, err
	}
	if len(left.types) == 0 {
		return nil, fmt.Errorf("no types of %s", path)
	}
	return gcexportdata.Read(bytes.NewReader(left.types), p.fset, p.imports, path)
}

// leftover is the output of this tool for a package. It has the facts and, if the go
// command provides no export data, the types.
type leftover struct{ types, facts []byte }

// leftover returns the output for an imported package. It is empty if the package has
// none.
func (p *program) leftover(path string) (*leftover, error) {
	if l := p.left[path]; l != nil {
		return l, nil
	}
	l := &leftover{}
	if name := p.PackageVetx[path]; name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if len(data) > 0 {
			n, size := binary.Uvarint(data)
			if size <= 0 || n > uint64(len(data)-size) {
				return nil, fmt.Errorf("%s: not what kubevet wrote about %s", name, path)
			}
			data = data[size:]
			l.types, l.facts = data[:n], data[n:]
		}
	}
	p.left[path] = l
	return l, nil
}

// leave writes the output for the packages that import this one. If there are neither
// types nor facts, the file is empty.
func (c *config) leave(l leftover) error {
	if c.VetxOutput == "" {
		return nil
	}
	var data []byte
	if len(l.types)+len(l.facts) > 0 {
		data = binary.AppendUvarint(nil, uint64(len(l.types)))
		data = append(append(data, l.types...), l.facts...)
	}
	return os.WriteFile(c.VetxOutput, data, 0o666)
}

// parse parses the files of the package.
func (p *program) parse(mode parser.Mode) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(p.fset, name, nil, mode|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// encodeTypes encodes the types of a package. Import decodes them.
func (p *program) encodeTypes(pkg *types.Package) ([]byte, error) {
	var out bytes.Buffer
	if err := gcexportdata.Write(&out, p.fset, pkg); err != nil {
		return nil, fmt.Errorf("writing the types of %s: %w", p.ImportPath, err)
	}
	return out.Bytes(), nil
}

// declare writes the types of a package that is not analysed. It does not check function
// bodies.
func (p *program) declare() error {
	files, err := p.parse(0)
	if err != nil {
		return err
	}
	conf := p.checker()
	conf.IgnoreFuncBodies = true
	// Errors are ignored here. They show in the package that imports this one.
	conf.Error = func(error) {}
	pkg, _ := conf.Check(p.ImportPath, p.fset, files, nil)
	data, err := p.encodeTypes(pkg)
	if err != nil {
		return err
	}
	return p.leave(leftover{types: data})
}

func (p *program) checker() *types.Config {
	sizes := types.SizesFor("gc", goarch())
	if p.Compiler == "gccgo" {
		sizes = types.SizesFor("gccgo", goarch())
	}
	v := p.GoVersion
	if !version.IsValid(v) || version.Compare(version.Lang(v), version.Lang(runtime.Version())) > 0 {
		v = "" // this program does not know the version, so it uses the newest that it knows
	}
	return &types.Config{Importer: p, Sizes: sizes, GoVersion: v}
}

func goarch() string {
	if arch := os.Getenv("GOARCH"); arch != "" {
		return arch
	}
	return runtime.GOARCH
}

// load type-checks the package with function bodies and reads the facts about its
// imports.
func (p *program) load() (*unit.Package, *unit.Facts, error) {
	files, err := p.parse(parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	conf := p.checker()
	u := &unit.Package{
		Fset: p.fset, Files: files, Info: unit.NewInfo(), Sizes: conf.Sizes,
		Module: p.module(), OtherFiles: p.NonGoFiles, IgnoredFiles: p.IgnoredFiles,
	}
	if u.Types, err = conf.Check(p.ImportPath, p.fset, files, u.Info); err != nil {
		return nil, nil, err
	}
	facts, err := p.facts()
	return u, facts, err
}

// facts returns the facts about all imports of the package.
func (p *program) facts() (*unit.Facts, error) {
	facts := &unit.Facts{}
	for _, path := range p.ImportMap {
		left, err := p.leftover(path)
		if err != nil {
			return nil, err
		}
		if err := facts.Decode(left.facts, func(path string) *types.Package { return p.imports[path] }); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return facts, nil
}
