package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// window is the number of lines to show around a call in a long function. longFunction is
// the number of lines from which a function is long. Shorter functions are shown
// completely.
const (
	window       = 30
	longFunction = 90
)

// show prints the function around each site, so that a person can read and label it. It
// reads the sites from in, with one JSON line for each. Sites in the same function are
// shown together.
func show(cache string, in io.Reader, out io.Writer) error {
	byFunc := map[string][]site{}
	var order []string
	scan := bufio.NewScanner(in)
	for scan.Scan() {
		var s site
		if err := json.Unmarshal(scan.Bytes(), &s); err != nil {
			return err
		}
		file, _, _ := place(s.At)
		key := s.Module + "\x00" + file + "\x00" + s.Func
		if byFunc[key] == nil {
			order = append(order, key)
		}
		byFunc[key] = append(byFunc[key], s)
	}
	if err := scan.Err(); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	defer w.Flush()
	for _, key := range order {
		if err := showFunction(w, cache, byFunc[key]); err != nil {
			return err
		}
	}
	return nil
}

// place splits a position file:line:col.
func place(at string) (file string, line, column int) {
	rest, col, _ := strings.Cut(at, ":")
	file = rest
	first, second, _ := strings.Cut(col, ":")
	line, _ = strconv.Atoi(first)
	column, _ = strconv.Atoi(second)
	return file, line, column
}

func showFunction(w io.Writer, cache string, sites []site) error {
	file, first, _ := place(sites[0].At)
	src, err := os.ReadFile(filepath.Join(cache, sites[0].Module, file))
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	begin, end := 1, strings.Count(string(src), "\n")+1
	for _, decl := range f.Decls {
		from, to := fset.Position(decl.Pos()).Line, fset.Position(decl.End()).Line
		if from <= first && first <= to {
			begin, end = from, to
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Doc != nil {
				begin = max(fset.Position(fn.Doc.Pos()).Line, from-4)
			}
		}
	}
	marked := map[int]bool{}
	fmt.Fprintf(w, "\n=== %s %s in %s\n", sites[0].Module, file, sites[0].Func)
	for _, s := range sites {
		_, line, _ := place(s.At)
		marked[line] = true
		fmt.Fprintf(w, "  -> %s  %s\n", s.At, s.Callee)
	}
	skipped := false
	for i, text := range strings.Split(string(src), "\n") {
		line := i + 1
		if line < begin || line > end {
			continue
		}
		near := line < begin+8
		for at := range marked {
			near = near || line >= at-window && line <= at+8
		}
		if end-begin > longFunction && !near && !strings.Contains(strings.ToLower(text), "dryrun") {
			skipped = true
			continue
		}
		if skipped {
			fmt.Fprintln(w, "    ...")
			skipped = false
		}
		sign := " "
		if marked[line] {
			sign = ">"
		}
		fmt.Fprintf(w, "%s%d %s\n", sign, line, strings.ReplaceAll(text, "\t", " "))
	}
	return nil
}
