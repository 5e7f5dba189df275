package source

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/treefile"
)

// maxIgnoreFile is the largest size of an ignore file, in bytes. git's own
// limit is 100 MiB. The longest ignore files in public projects have a few
// thousand lines.
const maxIgnoreFile = 1 << 20

// inheritedIgnore returns the ignore rules that a directory inherits, without
// those of its own .gitignore file. It also returns the directory's path
// relative to the repository's root, which is empty or ends with a slash.
//
// Outside of a repository, no rules are inherited. An unpacked archive of a
// repository then gives the same result as the repository, and a .gitignore of
// an unrelated parent directory has no effect.
//
// If git ignores the directory itself, no rules are inherited either. The user
// named the directory, and the rules would ignore all files in it.
func (e *expander) inheritedIgnore(p *knownDir) (*ignoreLevel, string) {
	top := e.repository(p)
	if e.NoGitignore || top == nil {
		return nil, ""
	}
	relative, err := filepath.Rel(top.path, p.path)
	if err != nil {
		return nil, ""
	}
	if relative == "." {
		return e.repositoryIgnore(top), ""
	}
	level, dir, at := e.repositoryIgnore(top), "", top
	for base := range strings.SplitSeq(filepath.ToSlash(relative), "/") {
		level = e.ignoreIn(at, level, dir)
		if level.ignores(dir, base, true) {
			return nil, ""
		}
		dir += base + "/"
		at = e.dir(filepath.Join(at.path, base))
	}
	return level, dir
}

// repositoryIgnore returns the rules of .git/info/exclude. A worktree has the
// rules of its main repository. A submodule has the rules in its own git
// directory, which may be outside of the repository. The user's global excludes
// file is not read, because findings must not depend on the machine.
func (e *expander) repositoryIgnore(top *knownDir) *ignoreLevel {
	git := filepath.Join(top.path, ".git")
	if pointer, err := readSmall(git, maxIgnoreFile); err == nil {
		dir, ok := strings.CutPrefix(pointer, "gitdir:")
		if !ok {
			return nil
		}
		git = join(top.path, strings.TrimSpace(dir))
		// On Windows, opening \\server\share would send the user's credentials to
		// the server.
		if filepath.VolumeName(git) != filepath.VolumeName(top.path) {
			return nil
		}
	}
	if common, err := readSmall(filepath.Join(git, "commondir"), maxIgnoreFile); err == nil {
		git = join(git, strings.TrimSpace(common))
		if filepath.VolumeName(git) != filepath.VolumeName(top.path) {
			return nil
		}
	}
	text, err := readSmall(filepath.Join(git, "info", "exclude"), maxIgnoreFile)
	if err != nil {
		return nil
	}
	var level *ignoreLevel
	return level.with(parseIgnore(text), "")
}

// ignoreIn adds the rules of the directory's .gitignore file to the inherited
// rules. Like git, it does not follow a link with this name.
func (e *expander) ignoreIn(p *knownDir, inherited *ignoreLevel, dir string) *ignoreLevel {
	if !p.ignoreKnown {
		p.ignoreKnown = true
		path := filepath.Join(p.path, ".gitignore")
		if text, err := readSmall(path, maxIgnoreFile); err == nil {
			p.ignore = parseIgnore(text)
		} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, treefile.ErrNotRegular) {
			e.unreadable(e.name(path, false), err)
		}
	}
	if p.ignore == nil {
		return inherited
	}
	return inherited.with(p.ignore, dir)
}

// join joins dir and path, unless path is absolute.
func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
