package source

import "strings"

// github.com/go-git/go-git/v5/plumbing/format/gitignore (v5.19) is not used
// here, because it differs from git in common cases. After "*", "!*/" and
// "!b.yaml" it still ignores b.yaml. "d/**" ignores the directory d itself.
// "[!a]" and [:classes:] mean the same as in filepath.Match. The package treats
// a byte-order mark and a carriage return as parts of the pattern. The package
// also splits every path again for every pattern. A test compares this file
// with git itself.

// ignoreList has the rules of one ignore file.
type ignoreList struct {
	rules []ignoreRule
	// names has the indices of rules that are plain base names, by base name.
	// others has the indices of all other rules. All indices ascend. Long
	// ignore files consist mostly of plain names.
	names  map[string][]int
	others []int
	// paths is set if a rule needs the whole path, not only the base name.
	paths bool
}

type ignoreRule struct {
	negated bool // "!": matching files are not ignored
	dirOnly bool // "x/": matches directories only
	base    bool // no slash: matches the base name at any depth
	// prefix is the pattern up to its first special byte, and rest is the part
	// after it. exact is set if rest is empty.
	prefix string
	exact  bool
	rest   wildcard
}

// parseIgnore parses the text of a .gitignore file. Every text is valid.
func parseIgnore(text string) *ignoreList {
	list := &ignoreList{names: map[string][]int{}}
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		line = strings.TrimSuffix(line, "\r")
		if nul := strings.IndexByte(line, 0); nul >= 0 {
			line = line[:nul] // git ends a line at a NUL byte
		}
		rule, ok := parseIgnoreRule(trimSpaces(line))
		if !ok {
			continue
		}
		i := len(list.rules)
		list.rules = append(list.rules, rule)
		if rule.base && rule.exact {
			list.names[rule.prefix] = append(list.names[rule.prefix], i)
		} else {
			list.others = append(list.others, i)
		}
		list.paths = list.paths || !rule.base
	}
	return list
}

// trimSpaces removes the spaces at the end of a line. It keeps a space after a
// backslash, and tabs.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// parseIgnoreRule parses a line. ok is false if the line cannot match any file.
func parseIgnoreRule(line string) (rule ignoreRule, ok bool) {
	line, rule.negated = strings.CutPrefix(line, "!")
	line, rule.dirOnly = strings.CutSuffix(line, "/")
	rule.base = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule, false
	}
	special := strings.IndexAny(line, `*?[\`)
	if special < 0 {
		rule.prefix, rule.exact = line, true
		return rule, true
	}
	// Like git, compile the text from the first special byte on as a separate
	// pattern. "a**/b" then matches "ax/y/b", because "**/" is at the beginning
	// of this pattern.
	rule.prefix, rule.rest = line[:special], compileWildcard(line[special:])
	return rule, !rule.rest.never
}

// matches reports whether the rule matches a file. path is relative to the
// directory of the ignore file. It may be empty if ignoreList.paths is false.
func (r *ignoreRule) matches(path, base string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	text := path
	if r.base {
		text = base
	}
	if r.exact {
		return text == r.prefix
	}
	return strings.HasPrefix(text, r.prefix) && r.rest.match(text[len(r.prefix):])
}

// last returns the last rule that matches, or nil. The last rule decides.
func (l *ignoreList) last(path, base string, isDir bool) *ignoreRule {
	best := -1
	named := l.names[base]
	for i := len(named) - 1; i >= 0; i-- {
		if isDir || !l.rules[named[i]].dirOnly {
			best = named[i]
			break
		}
	}
	for i := len(l.others) - 1; i >= 0 && l.others[i] > best; i-- {
		if l.rules[l.others[i]].matches(path, base, isDir) {
			best = l.others[i]
		}
	}
	if best < 0 {
		return nil
	}
	return &l.rules[best]
}

// ignoreLevel has the rules that apply in a directory. list has the rules of
// the directory's own ignore file. up has the rules of the parent directories.
// A nil level ignores nothing.
type ignoreLevel struct {
	list *ignoreList
	up   *ignoreLevel
	// cut is the number of bytes to remove from the beginning of a path, so
	// that it is relative to the directory of list.
	cut int
	// paths is set if list, or a list of a parent directory, needs whole paths.
	paths bool
}

// with returns the level of a directory with its own ignore file. dir is
// relative to the root of the repository. It is empty or ends with a slash.
func (l *ignoreLevel) with(list *ignoreList, dir string) *ignoreLevel {
	if len(list.rules) == 0 {
		return l
	}
	return &ignoreLevel{list: list, up: l, cut: len(dir), paths: list.paths || l != nil && l.paths}
}

// ignores reports whether the file or directory base in dir is ignored. It does
// not check whether dir is ignored, because the walk has checked that. For git,
// a symbolic link is never a directory.
func (l *ignoreLevel) ignores(dir, base string, isDir bool) bool {
	if l == nil {
		return false
	}
	path := base
	if l.paths {
		path = dir + base
	}
	for ; l != nil; l = l.up {
		relative := ""
		if l.list.paths {
			relative = path[l.cut:]
		}
		if rule := l.list.last(relative, base, isDir); rule != nil {
			return !rule.negated
		}
	}
	return false
}
