package source

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// maxIgnoreFile bounds an ignore file. git's own bound is 100 MiB; the longest
// lists in use have some thousand lines.
const maxIgnoreFile = 1 << 20

// ignoreFor returns the rules for the entries of a directory, without those of
// its own .gitignore file, and the directory relative to where the rules
// start, with a slash at its end if it is not empty.
//
// The rules start at the root of the repository. Outside of any repository
// they start at the directory itself: an unpacked archive of a repository is
// judged as the repository is, and a .gitignore somewhere above means other
// files.
//
// If git ignores the directory itself, it is searched because the user named
// it, and the rules from outside are void: they would ignore all of it.
func (e *expander) ignoreFor(p *place) (*ignoreLevel, string) {
	top := e.repository(p)
	if e.NoGitignore || top == nil {
		return nil, ""
	}
	relative, err := filepath.Rel(top.real, p.real)
	if err != nil {
		return nil, ""
	}
	if relative == "." {
		return e.ignoreAtTop(top), ""
	}
	level, dir, at := e.ignoreAtTop(top), "", top
	for base := range strings.SplitSeq(filepath.ToSlash(relative), "/") {
		level = e.ignoreWithin(at, level, dir)
		if level.ignores(dir, base, true) {
			return nil, ""
		}
		dir += base + "/"
		at = e.place(filepath.Join(at.real, base))
	}
	return level, dir
}

// ignoreAtTop returns the rules of .git/info/exclude. A worktree has those of
// the repository that it belongs to, a submodule those in its own git
// directory. The user's global excludes file is left out on purpose: what a
// linter finds in a repository shall not depend on whose machine it runs on.
func (e *expander) ignoreAtTop(top *place) *ignoreLevel {
	git := filepath.Join(top.real, ".git")
	if pointer, err := e.small(git); err == nil {
		dir, ok := strings.CutPrefix(pointer, "gitdir:")
		if !ok {
			return nil
		}
		git = join(top.real, strings.TrimSpace(dir))
	}
	if common, err := e.small(filepath.Join(git, "commondir")); err == nil {
		git = join(git, strings.TrimSpace(common))
	}
	text, err := e.small(filepath.Join(git, "info", "exclude"))
	if err != nil {
		return nil
	}
	var level *ignoreLevel
	return level.with(parseIgnore(text), "")
}

// ignoreWithin adds the rules of the directory's .gitignore file to those from
// above, if it has one. Like git it does not follow a link of that name.
func (e *expander) ignoreWithin(p *place, above *ignoreLevel, dir string) *ignoreLevel {
	if !p.ignoreKnown {
		p.ignoreKnown = true
		path := filepath.Join(p.real, ".gitignore")
		if text, err := e.small(path); err == nil {
			p.ignore = parseIgnore(text)
		} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotRegular) {
			e.unreadable(e.name(path, false), err)
		}
	}
	if p.ignore == nil {
		return above
	}
	return above.with(p.ignore, dir)
}

func (e *expander) small(path string) (string, error) { return readSmall(path, maxIgnoreFile) }

// join is filepath.Join for a path that may be absolute.
func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
