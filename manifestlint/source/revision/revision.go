// Package revision reads the manifests of a git revision. It copies files of
// the revision to a new directory, which can then be read like any other.
//
// It runs the git command, because git supports all formats of repositories.
// git only reads objects: it fetches nothing and runs no hooks or filters. A
// hostile tree cannot write outside of the copy.
package revision

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// If git cannot find the revision, Extract returns an error that wraps one of
// these errors.
var (
	// ErrNoGit means that the git command is not installed.
	ErrNoGit = errors.New("the git command is not installed")
	// ErrNoRepository means that the working directory is not in a repository.
	ErrNoRepository = errors.New("not in a git repository")
	// ErrUnknown means that the repository has no such revision.
	ErrUnknown = errors.New("not a revision of the git repository")
)

// Copy is a directory with files of a revision.
type Copy struct {
	// Dir is the directory in the copy that corresponds to the working directory.
	Dir string
	// Args are the arguments as paths in the copy. Relative paths are unchanged.
	Args []string
	// Outside are the arguments that are outside of the repository or are not
	// paths, such as "-".
	Outside []string

	root string
}

// Root returns the directory in the copy that corresponds to the repository's
// root. All copied files are below it.
func (c *Copy) Root() string {
	if real, err := filepath.EvalSymlinks(c.root); err == nil {
		return real
	}
	return c.root
}

// Close removes the copy.
func (c *Copy) Close() error { return os.RemoveAll(c.root) }

// Extract copies files of a revision. paths are files, directories and globs,
// relative to dir or absolute. From a directory, Extract copies the manifests,
// and files such as kustomizations that determine their use. also are paths of
// further files. The caller must close the copy.
func Extract(ctx context.Context, dir, revision string, paths, also []string) (*Copy, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, ErrNoGit
	}
	top, err := git(ctx, dir, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, noRepository(ctx, err)
	}
	// git would read a name with a leading dash as an option. After the next
	// command, revision is an object ID.
	if strings.HasPrefix(revision, "-") {
		return nil, ErrUnknown
	}
	tree, err := git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", revision+"^{tree}")
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, ErrUnknown
	}
	root := strings.TrimRight(string(top), "\r\n")
	id := strings.TrimSpace(string(tree))
	if !isID(id) {
		return nil, ErrUnknown
	}
	c := &Copy{}
	below, err := c.selectPaths(root, dir, paths)
	if err != nil {
		return nil, err
	}
	further, err := (&Copy{}).selectPaths(root, dir, also)
	if err != nil {
		return nil, err
	}
	below = append(below, further...)
	list, err := git(ctx, root, nil, "ls-tree", "-r", "-z", "--full-tree", id)
	if err != nil {
		return nil, fmt.Errorf("listing the revision: %w", err)
	}
	if c.root, err = os.MkdirTemp("", "kubevet-"); err != nil {
		return nil, err
	}
	if err := c.writeEntries(ctx, root, below.entries(list)); err != nil {
		c.Close()
		return nil, fmt.Errorf("reading the revision: %w", err)
	}
	rel, err := relative(root, dir)
	if err != nil {
		c.Close()
		return nil, err
	}
	c.Dir = filepath.Join(c.root, rel)
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		c.Close()
		return nil, err
	}
	for i, arg := range c.Args {
		if filepath.IsAbs(arg) {
			within, err := relative(root, arg)
			if err != nil {
				c.Close()
				return nil, err
			}
			c.Args[i] = filepath.Join(c.root, within)
		}
	}
	return c, nil
}

// noRepository returns the error for a directory in which git finds no
// repository: there is none, or git does not trust it.
func noRepository(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if text := err.Error(); !strings.Contains(text, "not a git repository") {
		return fmt.Errorf("%w: %s", ErrNoRepository, text)
	}
	return ErrNoRepository
}

func isID(s string) bool {
	return len(s) >= 40 && !strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') })
}

// git runs a git command that only reads, and returns its output.
func git(ctx context.Context, dir string, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := command(ctx, dir, args...)
	cmd.Stdin = stdin
	out, err := cmd.Output()
	return out, explain(err)
}

func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never",
	}, args...)...)
	cmd.Dir = dir
	// In a partial clone, git must not fetch missing objects.
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	return cmd
}

// explain returns the error with git's message.
func explain(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) || len(bytes.TrimSpace(exit.Stderr)) == 0 {
		return err
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
	return errors.New(strings.TrimPrefix(line, "fatal: "))
}

// relative returns a path relative to the repository's root top. It resolves
// symbolic links in the part of the path that exists.
func relative(top, path string) (string, error) {
	real, rest := path, ""
	for {
		found, err := filepath.EvalSymlinks(real)
		if err == nil {
			real = filepath.Join(found, rest)
			break
		}
		parent := filepath.Dir(real)
		if parent == real {
			return "", err
		}
		real, rest = parent, filepath.Join(filepath.Base(real), rest)
	}
	if found, err := filepath.EvalSymlinks(top); err == nil {
		top = found
	}
	rel, err := filepath.Rel(top, real)
	if err == nil && !filepath.IsLocal(rel) {
		err = fmt.Errorf("%s is not below %s", path, top)
	}
	return rel, err
}

// selection has the paths to copy, relative to the repository's root and with
// slashes. "." is the whole repository.
type selection []string

// selectPaths returns the paths that can be in the repository, and adds all
// others to Outside.
func (c *Copy) selectPaths(top, dir string, paths []string) (selection, error) {
	var wanted selection
	for _, path := range paths {
		abs := path
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(dir, path)
		}
		if at := strings.IndexAny(path, "*?[{"); at >= 0 {
			if _, err := os.Lstat(abs); err != nil { // a glob: use its first directory
				abs = filepath.Join(filepath.Dir(abs[:len(abs)-len(path)+at]+"x"), ".")
			}
		}
		rel, err := relative(top, abs)
		if path == "-" || err != nil {
			c.Outside = append(c.Outside, path)
			continue
		}
		wanted = append(wanted, filepath.ToSlash(rel))
		c.Args = append(c.Args, path)
	}
	return wanted, nil
}

type entry struct {
	path, id string
	link     bool
}

// entries selects the files to copy from git's list: named files, manifests
// below named directories, and files that determine the use of manifests.
func (s selection) entries(list []byte) []entry {
	var all []entry
	for line := range bytes.SplitSeq(list, []byte{0}) {
		meta, path, ok := strings.Cut(string(line), "\t")
		if !ok {
			continue
		}
		fields := strings.Fields(meta) // mode, type, id
		if len(fields) != 3 || fields[1] != "blob" || !isID(fields[2]) || !s.includes(path) || !isSafe(path) {
			continue
		}
		all = append(all, entry{path, fields[2], fields[0] == "120000"})
	}
	return all
}

func (s selection) includes(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	dir := strings.TrimSuffix(path[:len(path)-len(base)], "/")
	for _, w := range s {
		switch {
		case w == path:
			return true
		case w == "." || strings.HasPrefix(path, w+"/"):
			if isManifest(base) || determinesUse(base) {
				return true
			}
		case determinesUse(base) && (dir == "" || w == dir || strings.HasPrefix(w, dir+"/")):
			return true
		}
	}
	return false
}

func isManifest(base string) bool {
	switch strings.ToLower(filepath.Ext(base)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// determinesUse reports whether a file determines how manifests are used: an
// ignore file, a kustomization or a Chart.yaml.
func determinesUse(base string) bool {
	switch base {
	case ".gitignore", "kustomization.yaml", "kustomization.yml", "Kustomization", "Chart.yaml":
		return true
	}
	return false
}

// isSafe reports whether a path is local and not in a directory .git.
func isSafe(path string) bool {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}

func (c *Copy) writeEntries(ctx context.Context, top string, entries []entry) error {
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return err
	}
	defer root.Close()
	// Only the root of a repository ends the search for ignore files, so the copy
	// needs a .git.
	if err := root.Mkdir(".git", 0o700); err != nil {
		return err
	}
	if len(entries) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := command(ctx, top, "cat-file", "--batch")
	var ids strings.Builder
	for _, e := range entries {
		ids.WriteString(e.id + "\n")
	}
	cmd.Stdin = strings.NewReader(ids.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = readEntries(root, bufio.NewReaderSize(out, 64<<10), entries)
	if err != nil {
		cancel()
	}
	if waited := cmd.Wait(); err == nil && waited != nil {
		err = waited
		if text, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); text != "" {
			err = errors.New(text)
		}
	}
	return err
}

// readEntries reads the output of git cat-file, in the order of the entries,
// and writes each entry.
func readEntries(root *os.Root, from *bufio.Reader, entries []entry) error {
	for _, e := range entries {
		header, err := from.ReadString('\n')
		if err != nil {
			return fmt.Errorf("%s: %w", e.path, err)
		}
		fields := strings.Fields(header) // id, type, size; or id, "missing"
		if len(fields) != 3 || fields[0] != e.id {
			return fmt.Errorf("%s: git has lost it: %s", e.path, strings.TrimSpace(header))
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return fmt.Errorf("%s: %w", e.path, err)
		}
		if err := writeEntry(root, e, io.LimitReader(from, size)); err != nil {
			return err
		}
		if _, err := from.Discard(1); err != nil { // a line break
			return fmt.Errorf("%s: %w", e.path, err)
		}
	}
	return nil
}

// maxLink is the longest target of a symbolic link, in bytes.
const maxLink = 4096

// ignoreExisting returns nil for a file that already exists. On a file system
// without case, two names can mean one file.
func ignoreExisting(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// writeEntry writes one entry, except a link that leads out of the repository.
// It always reads all of content.
func writeEntry(root *os.Root, e entry, content io.Reader) error {
	defer io.Copy(io.Discard, content)
	path := filepath.FromSlash(e.path)
	if dir := filepath.Dir(path); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if e.link {
		target, err := io.ReadAll(io.LimitReader(content, maxLink))
		if err != nil {
			return err
		}
		if filepath.IsAbs(string(target)) {
			return nil
		}
		return ignoreExisting(root.Symlink(filepath.FromSlash(string(target)), path))
	}
	file, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return ignoreExisting(err)
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
