package source

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/treefile"
)

// maxIgnoreFile bounds an ignore file. git's own bound is 100 MiB. The longest
// files in use have a few thousand lines.
const maxIgnoreFile = 1 << 20

// ignoreFor returns the ignore rules for the entries of a directory, without
// those of its own .gitignore file. It also returns the directory relative to
// where the rules start, with a slash at its end if it is not empty.
//
// The rules start at the root of the repository. Outside of a repository they
// start at the directory itself: an unpacked archive of a repository gives the
// same result as the repository, and a .gitignore further up is about other
// files.
//
// If git ignores the directory itself, the rules from outside do not apply: the
// user named the directory, and they would ignore all of it.
func (e *expander) ignoreFor(p *knownDir) (*ignoreLevel, string) {
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
		at = e.dir(filepath.Join(at.real, base))
	}
	return level, dir
}

// ignoreAtTop returns the rules of .git/info/exclude. A worktree uses those of
// the repository that it belongs to, a submodule those in its own git
// directory. Like git it looks there although that may be outside of the
// repository; the file can only hide inputs. The user's global excludes file is not read: the findings in a
// repository should not depend on the machine.
func (e *expander) ignoreAtTop(top *knownDir) *ignoreLevel {
	git := filepath.Join(top.real, ".git")
	if pointer, err := readSmall(git, maxIgnoreFile); err == nil {
		dir, ok := strings.CutPrefix(pointer, "gitdir:")
		if !ok {
			return nil
		}
		git = join(top.real, strings.TrimSpace(dir))
		// On Windows, \\server\share would send the user's credentials to the server.
		if filepath.VolumeName(git) != filepath.VolumeName(top.real) {
			return nil
		}
	}
	if common, err := readSmall(filepath.Join(git, "commondir"), maxIgnoreFile); err == nil {
		git = join(git, strings.TrimSpace(common))
		if filepath.VolumeName(git) != filepath.VolumeName(top.real) {
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

// ignoreWithin adds the rules of the directory's .gitignore file, if it has one,
// to those from above. Like git it does not follow a link of that name.
func (e *expander) ignoreWithin(p *knownDir, above *ignoreLevel, dir string) *ignoreLevel {
	if !p.ignoreKnown {
		p.ignoreKnown = true
		path := filepath.Join(p.real, ".gitignore")
		if text, err := readSmall(path, maxIgnoreFile); err == nil {
			p.ignore = parseIgnore(text)
		} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, treefile.ErrNotRegular) {
			e.unreadable(e.name(path, false), err)
		}
	}
	if p.ignore == nil {
		return above
	}
	return above.with(p.ignore, dir)
}

// join is filepath.Join for a path that may be absolute.
func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
