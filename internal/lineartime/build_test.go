package lineartime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	module = "github.com/kubevet/kubevet"
	// workPackage is the import path of the package with the counters. It exists only in
	// the build. Its source is in testdata/work.
	workPackage = module + "/kubevetwork"
	// program is the import path of the main package for the kubevet with counters.
	program = module + "/internal/lineartime/testdata/counted"
)

// build builds a kubevet with counters in dir. It returns the path of the program, and
// the names of the counters for each package. The sources in the repository stay
// unchanged, because the go command reads changed copies.
func build(dir string) (binary string, places map[string][]string, err error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return "", nil, err
	}
	work := filepath.Join(root, "internal", "lineartime", "testdata", "work", "work.go")
	replaced := map[string]string{filepath.Join(root, "kubevetwork", "work.go"): work}
	overlay := filepath.Join(dir, "overlay.json")
	if err := writeJSON(overlay, map[string]any{"Replace": replaced}); err != nil {
		return "", nil, err
	}
	in := instrumenter{work: workPackage, scanners: map[string]bool{}, places: map[string][]string{}}
	if err := in.readScanners(work); err != nil {
		return "", nil, err
	}
	list := exec.Command("go", "list", "-overlay", overlay, "-deps", "-f",
		`{{if .Module}}{{if eq .Module.Path "`+module+`"}}{{range .GoFiles}}{{$.Dir}}`+"\t"+`{{$.Name}}`+"\t"+`{{.}}{{"\n"}}{{end}}{{end}}{{end}}`, program)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return "", nil, fmt.Errorf("go list: %w", err)
	}
	replace := func(path string, text []byte) error {
		changed := filepath.Join(dir, fmt.Sprintf("%d.go", len(replaced)))
		replaced[path] = changed
		return os.WriteFile(changed, text, 0o600)
	}
	packages := map[string]string{} // package names by directory
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "\t")
		if len(part) != 3 || filepath.Base(part[0]) == "kubevetwork" {
			continue
		}
		path := filepath.Join(part[0], part[2])
		text, err := os.ReadFile(path)
		if err != nil {
			return "", nil, err
		}
		if bytes.Contains(text, []byte(strconv.Quote(workPackage))) {
			continue // this package writes the counters, so it has none
		}
		short, err := filepath.Rel(root, path)
		if err != nil {
			return "", nil, err
		}
		packages[part[0]] = part[1]
		if text, err = in.file(filepath.ToSlash(short), text); err != nil {
			return "", nil, err
		}
		if err := replace(path, text); err != nil {
			return "", nil, err
		}
	}
	for folder, name := range packages {
		short, err := filepath.Rel(root, folder)
		if err != nil {
			return "", nil, err
		}
		if err := replace(filepath.Join(folder, "kubevetwork.go"), in.array(filepath.ToSlash(short), name)); err != nil {
			return "", nil, err
		}
	}
	if err := writeJSON(overlay, map[string]any{"Replace": replaced}); err != nil {
		return "", nil, err
	}
	binary = filepath.Join(dir, "kubevet.exe")
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", binary, program).CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, in.places, nil
}

// readScanners sets in.scanners to the functions in the source file work.
func (in *instrumenter) readScanners(work string) error {
	tree, err := parser.ParseFile(token.NewFileSet(), work, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			in.scanners[f.Name.Name] = true
		}
	}
	return nil
}

func writeJSON(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o600)
}
