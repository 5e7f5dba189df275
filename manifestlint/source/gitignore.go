package source

import "strings"

// This file replaces github.com/go-git/go-git/v5/plumbing/format/gitignore
// (v5.19), which differs from git in common cases:
//
//   - After "*", "!*/" and "!b.yaml", it still ignores b.yaml.
//   - "d/**" ignores the directory d itself.
//   - "[!a]" and [:classes:] mean the same as in filepath.Match.
//   - A byte-order mark and a carriage return are parts of the pattern.
//
// It also splits every path again for every pattern. A test compares this file
// with git.

type ignoreList struct {
	rules []ignoreRule
	// names has the indices of rules that are plain base names, by base name.
	// otherRules has the indices of all other rules. All indices ascend. Long
	// ignore files consist mostly of plain names.
	names      map[string][]int
	otherRules []int
	// needsPath is set if a rule needs the whole path, not only the base name.
	needsPath bool
}

type ignoreRule struct {
	negated  bool // "!": matching files are not ignored
	dirOnly  bool // "x/": matches directories only
	baseOnly bool // no slash: matches the base name at any depth
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
		if rule.baseOnly && rule.exact {
			list.names[rule.prefix] = append(list.names[rule.prefix], i)
		} else {
			list.otherRules = append(list.otherRules, i)
		}
		list.needsPath = list.needsPath || !rule.baseOnly
	}
	return list
}

// trimSpaces removes the spaces at the end of a line, except a space after a
// backslash. It keeps tabs.
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
	rule.baseOnly = !strings.Contains(line, "/")
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
	return rule, !rule.rest.matchesNothing
}

// matches reports whether the rule matches a file. path is relative to the
// directory of the ignore file. It may be empty if ignoreList.needsPath is
// false.
func (r *ignoreRule) matches(path, base string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	text := path
	if r.baseOnly {
		text = base
	}
	if r.exact {
		return text == r.prefix
	}
	return strings.HasPrefix(text, r.prefix) && r.rest.match(text[len(r.prefix):])
}

// lastMatch returns the last rule that matches, which decides; nil for none.
func (l *ignoreList) lastMatch(path, base string, isDir bool) *ignoreRule {
	best := -1
	named := l.names[base]
	for i := len(named) - 1; i >= 0; i-- {
		if isDir || !l.rules[named[i]].dirOnly {
			best = named[i]
			break
		}
	}
	for i := len(l.otherRules) - 1; i >= 0 && l.otherRules[i] > best; i-- {
		if l.rules[l.otherRules[i]].matches(path, base, isDir) {
			best = l.otherRules[i]
		}
	}
	if best < 0 {
		return nil
	}
	return &l.rules[best]
}

// ignoreLevel has the rules that apply in a directory. list has the rules of
// the directory's own ignore file. A nil level ignores nothing.
type ignoreLevel struct {
	list   *ignoreList
	parent *ignoreLevel
	// prefixLen is the number of bytes to remove from the beginning of a path, so
	// that it is relative to the directory of list.
	prefixLen int
	// needsPath is set if list, or a list of a parent directory, needs whole
	// paths.
	needsPath bool
}

// with returns the level of a directory with its own ignore file. dir is
// relative to the root of the repository. It is empty or ends with a slash.
func (l *ignoreLevel) with(list *ignoreList, dir string) *ignoreLevel {
	if len(list.rules) == 0 {
		return l
	}
	return &ignoreLevel{list: list, parent: l, prefixLen: len(dir), needsPath: list.needsPath || l != nil && l.needsPath}
}

// ignores reports whether a file or directory is ignored. dir is its parent
// directory, which the walk has already checked, and base is its name. For git,
// a symbolic link is never a directory.
func (l *ignoreLevel) ignores(dir, base string, isDir bool) bool {
	if l == nil {
		return false
	}
	path := base
	if l.needsPath {
		path = dir + base
	}
	for ; l != nil; l = l.parent {
		relative := ""
		if l.list.needsPath {
			relative = path[l.prefixLen:]
		}
		if rule := l.list.lastMatch(relative, base, isDir); rule != nil {
			return !rule.negated
		}
	}
	return false
}
