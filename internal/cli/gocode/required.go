package gocode

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Required returns the modules that the nearest go.mod, in dir or one of its parents,
// requires. Replace directives are applied. Without a go.mod, the result is empty.
func Required(dir string) []lifecycle.Module {
	file, err := os.Open(filepath.Join(ModuleRoot(dir), "go.mod"))
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxBuildFile))
	if err != nil {
		return nil
	}
	return requiredByText(string(text))
}

// requiredByText is like Required, for the text of a go.mod.
func requiredByText(mod string) []lifecycle.Module {
	var all []lifecycle.Module
	replaced := map[string]lifecycle.Module{}
	block := ""
	for line := range strings.Lines(mod) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		for i := range words {
			words[i] = strings.Trim(words[i], "\"`")
		}
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		switch {
		case words[0] == "require" && len(words) == 3:
			all = append(all, lifecycle.Module{Path: words[1], Version: words[2]})
		case words[0] == "replace" && len(words) >= 4:
			to := 3 // replace OLD => NEW VERSION
			if words[2] != "=>" {
				to = 4 // replace OLD VERSION => NEW VERSION
			}
			if len(words) <= to || words[to-1] != "=>" {
				continue
			}
			m := lifecycle.Module{Path: words[1], Replacement: words[to]}
			if to == 4 {
				m.Version = words[2]
			}
			if len(words) > to+1 {
				m.ReplacementVersion = words[to+1]
			}
			replaced[m.Path] = m
		}
	}
	for i, m := range all {
		if r, ok := replaced[m.Path]; ok && (r.Version == "" || r.Version == m.Version) {
			all[i].Replacement, all[i].ReplacementVersion = r.Replacement, r.ReplacementVersion
		}
	}
	return all
}
