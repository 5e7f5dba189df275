package source

import "strings"

// github.com/go-git/go-git/v5/plumbing/format/gitignore (v5.19) is not used
// here, because it decides differently from git in everyday cases. After "*",
// "!*/" and "!b.yaml" it does not find b.yaml again. "d/**" ignores d itself.
// "[!a]" and [:classes:] mean the same as in filepath.Match. A byte-order mark
// and a carriage return belong to the pattern. It also splits every path again
// for every pattern. A test compares this file with git itself.

// ignoreList is one file of ignore rules.
type ignoreList struct {
	rules []ignoreRule
	// names maps the base names that rules spell out to the indices of those
	// rules, ascending. others are the indices of all other rules, ascending.
	// Long ignore files consist mostly of such names.
	names  map[string][]int
	others []int
	// paths is set if a rule needs more than the base name.
	paths bool
}

type ignoreRule struct {
	negated bool // "!": matching files are not ignored
	dirOnly bool // "x/": matches directories only
	base    bool // no slash: matches the base name at any depth
	// prefix is the pattern up to its first special byte, rest the pattern
	// after that. exact is set if there is no rest.
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
			line = line[:nul] // as a C program sees it
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

// trimSpaces cuts the spaces at the end of a line, except a space after a
// backslash. It does not cut tabs.
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

// parseIgnoreRule parses a line. It returns false if the line can match
// nothing.
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
	// The wildcard starts at the first special byte, for the base name and for
	// the path. Therefore "a**/b" matches "ax/y/b", in git as here: its "**/"
	// is at the start of the wildcard.
	rule.prefix, rule.rest = line[:special], compileWildcard(line[special:])
	return rule, !rule.rest.never
}

// matches reports whether the rule matches. path is relative to the directory
// of the ignore file. It may be empty if the list has no paths.
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

// last returns the last rule that matches, which is the decisive one, or nil.
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

// ignoreLevel has the rules that apply in a directory: those of its own ignore
// file, and in up those of the directories above. A nil level ignores nothing.
type ignoreLevel struct {
	list *ignoreList
	up   *ignoreLevel
	// cut is the length of the prefix to cut off a path to make it relative to
	// the directory of the list.
	cut int
	// paths is set if list or a list above it needs more than base names.
	paths bool
}

// with returns the level of a directory with its own ignore file. dir is the
// directory relative to the root of the repository, empty or with a slash at
// its end.
func (l *ignoreLevel) with(list *ignoreList, dir string) *ignoreLevel {
	if len(list.rules) == 0 {
		return l
	}
	return &ignoreLevel{list: list, up: l, cut: len(dir), paths: list.paths || l != nil && l.paths}
}

// ignores reports whether the entry base of the directory dir is ignored. It
// does not check dir: the walk has done that before. For git a symbolic link is
// not a directory, wherever it leads.
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
