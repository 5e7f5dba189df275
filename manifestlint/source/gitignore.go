package source

import "strings"

// The ignore rules are matched here and not with
// github.com/go-git/go-git/v5/plumbing/format/gitignore (v5.19), because that
// package decides otherwise than git in everyday cases: after "*", "!*/" and
// "!b.yaml" it does not find b.yaml again; "d/**" ignores d itself; "[!a]" and
// [:classes:] are those of filepath.Match; a byte-order mark and a carriage
// return belong to the pattern. It also splits every path anew for every
// pattern. The differential test holds this file against git itself.

// ignoreList is one file of ignore rules.
type ignoreList struct {
	rules []ignoreRule
	// names maps the base names that rules spell out to the indices of those
	// rules, ascending; others are the indices of all other rules, ascending.
	// Long ignore files are mostly such names.
	names  map[string][]int
	others []int
	// paths is set if some rule needs more than the base name.
	paths bool
}

type ignoreRule struct {
	negated bool // "!": matching files are not ignored
	dirOnly bool // "x/": matches directories only
	base    bool // no slash: matches the base name at any depth
	// prefix is the pattern up to its first special byte, rest what follows;
	// exact is set if nothing follows.
	prefix string
	exact  bool
	rest   wildcard
}

// parseIgnore reads the text of a .gitignore file. Every text is valid.
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

// trimSpaces cuts the spaces at the end of a line, but none behind a
// backslash, and no tabs.
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

// parseIgnoreRule reports false for a line that can match nothing.
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
	// the path alike. That makes "a**/b" more than it says: "**/" stands where
	// its pattern starts, so it matches "ax/y/b", in git as here.
	rule.prefix, rule.rest = line[:special], compileWildcard(line[special:])
	return rule, !rule.rest.never
}

// matches expects the path relative to the directory of the ignore file; it
// may be empty if the list has no paths.
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

// last returns the last rule that matches, which is the one that counts, or
// nil.
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

// ignoreLevel is the rules that hold in a directory: those of its own ignore
// file, and by way of up those of the directories above it. A nil level
// ignores nothing.
type ignoreLevel struct {
	list *ignoreList
	up   *ignoreLevel
	// cut is the length of what a path must lose to be relative to the
	// directory of the list.
	cut int
	// paths is set if list or some list above it needs more than base names.
	paths bool
}

// with returns the level of a directory with an ignore file of its own. dir is
// the directory relative to the root of the repository, empty or with a slash
// at its end.
func (l *ignoreLevel) with(list *ignoreList, dir string) *ignoreLevel {
	if len(list.rules) == 0 {
		return l
	}
	return &ignoreLevel{list: list, up: l, cut: len(dir), paths: list.paths || l != nil && l.paths}
}

// ignores reports whether the entry base of the directory dir is ignored. It
// does not ask whether dir is: who walks down has asked before. A symbolic
// link is no directory to git, wherever it leads.
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
