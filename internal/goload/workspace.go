package goload

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// outsideModules reports whether the go command refused a pattern for this reason: its
// directory is in a workspace, but not in a module of the workspace.
func outsideModules(list []*listed) bool {
	return slices.ContainsFunc(list, func(l *listed) bool {
		return l.Name == "" && l.Error != nil && strings.HasSuffix(l.ImportPath, "/...") &&
			strings.Contains(l.Error.Err, "does not contain modules listed in go.work")
	})
}

// inWorkspace replaces patterns whose directory contains modules of the workspace. For
// each of these modules, the result has a pattern: "./..." becomes "./a/..." and
// "./b/...". The go command itself does not do this. inWorkspace returns nil if no
// pattern can be replaced.
func inWorkspace(ctx context.Context, dir string, env, patterns []string) []string {
	out, err := goCommand(ctx, dir, env, "list", "-m", "-f={{.Dir}}").Output()
	if err != nil {
		return nil // the first error of the go command is reported instead
	}
	var roots []string
	for line := range strings.Lines(string(out)) {
		if root, err := filepath.EvalSymlinks(strings.TrimRight(line, "\r\n")); err == nil {
			roots = append(roots, root)
		}
	}
	var all []string
	replaced := false
	for _, p := range patterns {
		below := modulesBelow(dir, p, roots)
		replaced = replaced || below != nil
		if below == nil {
			below = []string{p}
		}
		all = append(all, below...)
	}
	if !replaced {
		return nil
	}
	return all
}

// modulesBelow returns a pattern for each module below the directory of a pattern. It
// returns nil if pattern is not the pattern of a directory, if the directory is in a
// module, or if there is no module below it.
func modulesBelow(dir, pattern string, roots []string) []string {
	base, all := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
	if !all || strings.Contains(base, "...") || !(base == "." || strings.HasPrefix(base, "./") || base == ".." || strings.HasPrefix(base, "../") || filepath.IsAbs(base)) {
		return nil
	}
	at := filepath.FromSlash(base)
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	at, err := filepath.EvalSymlinks(at)
	if err != nil {
		return nil
	}
	var below []string
	for _, root := range roots {
		if rel, err := filepath.Rel(root, at); err == nil && filepath.IsLocal(rel) {
			return nil
		}
		if rel, err := filepath.Rel(at, root); err == nil && filepath.IsLocal(rel) {
			below = append(below, base+"/"+filepath.ToSlash(rel)+"/...")
		}
	}
	return below
}
