package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

type repository struct {
	dir string
	// blobs are the texts of files by object name. Most files are equal in many
	// releases.
	blobs map[string]string
	// present are the objects that a partial clone has. It is nil until it is
	// first needed.
	present map[string]bool
}

// file is a file of a release, with the object name of its text.
type file struct{ path, blob string }

// openRepository returns the repository OWNER/NAME below dir. If dir is empty, it
// clones the repository into the cache, or updates the existing clone.
func openRepository(name, dir, cache string) (*repository, error) {
	owner, base, _ := strings.Cut(name, "/")
	r := &repository{blobs: map[string]string{}}
	if dir != "" {
		for _, git := range []string{base + ".git", base, filepath.Join(base, ".git")} {
			r.dir = filepath.Join(dir, owner, git)
			if _, err := os.Stat(filepath.Join(r.dir, "HEAD")); err == nil {
				return r, nil
			}
		}
		return nil, fmt.Errorf("no repository %s below %s", name, dir)
	}
	r.dir = filepath.Join(cache, owner, base+".git")
	_, err := os.Stat(filepath.Join(r.dir, "HEAD"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(r.dir), 0o755); err != nil {
			return nil, err
		}
		// This clone has no files. load fetches the few files that are needed.
		if _, err := run("", "git", "clone", "--quiet", "--bare", "--filter=blob:none", "https://github.com/"+name, r.dir); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		if _, err := r.git("", "fetch", "--quiet", "--tags", "--force", "origin"); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *repository) git(stdin string, args ...string) (string, error) {
	return run(stdin, "git", append([]string{"--git-dir=" + r.dir}, args...)...)
}

func run(stdin, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.String(), nil
}

func (r *repository) tags() ([]string, error) {
	out, err := r.git("", "tag")
	return strings.Fields(out), err
}

// closest returns the tag itself or, if the repository does not have it, the
// newest patch of its minor. A local copy may be outdated.
func (r *repository) closest(tag string) (string, error) {
	tags, err := r.tags()
	if err != nil || slices.Contains(tags, tag) {
		return tag, err
	}
	plain := regexp.MustCompile(plainTag)
	want, ok := parseRelease(plain, tag)
	var best release
	for _, t := range tags {
		if have, isRelease := parseRelease(plain, t); isRelease && have.String() == want.String() && (best.tag == "" || have.compare(best) > 0) {
			best = have
		}
	}
	if !ok || best.tag == "" {
		return "", fmt.Errorf("%s has neither tag %s nor another patch of that minor", r.dir, tag)
	}
	return best.tag, nil
}

// files returns the files of a tag. It follows symbolic links that match a
// pattern, and links to directories that may have matching files.
func (r *repository) files(tag string, patterns []string) ([]file, error) {
	out, err := r.git("", "ls-tree", "-r", "-z", "refs/tags/"+tag)
	if err != nil {
		return nil, err
	}
	var all, links []file
	for entry := range strings.SplitSeq(out, "\x00") {
		meta, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		if !ok || len(fields) != 3 || fields[1] != "blob" {
			continue
		}
		f := file{name, fields[2]}
		if fields[0] != "120000" {
			all = append(all, f)
		} else if matches(patterns, name) || matches(patterns, name+"/x.yaml") {
			links = append(links, f)
		}
	}
	if err := r.load(links); err != nil {
		return nil, err
	}
	targets := all
	for _, l := range links {
		target := path.Join(path.Dir(l.path), r.blobs[l.blob])
		for _, f := range targets {
			if below, ok := strings.CutPrefix(f.path, target); ok && (below == "" || below[0] == '/') {
				all = append(all, file{l.path + below, f.blob})
			}
		}
	}
	return all, nil
}

// load reads the texts of files into blobs.
func (r *repository) load(files []file) error {
	var wanted []string
	seen := map[string]bool{}
	for _, f := range files {
		if _, ok := r.blobs[f.blob]; !ok && !seen[f.blob] {
			seen[f.blob] = true
			wanted = append(wanted, f.blob)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	if err := r.fetchMissing(wanted); err != nil {
		return err
	}
	out, err := r.git(strings.Join(wanted, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		return err
	}
	in := bufio.NewReader(strings.NewReader(out))
	for _, blob := range wanted {
		header, err := in.ReadString('\n')
		fields := strings.Fields(header)
		if err != nil || len(fields) != 3 || fields[0] != blob {
			return fmt.Errorf("%s: git has no file %s: %q", r.dir, blob, header)
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil {
			return err
		}
		text := make([]byte, size+1) // one more for the line feed that follows
		if _, err := io.ReadFull(in, text); err != nil {
			return err
		}
		r.blobs[blob] = string(text[:size])
	}
	return nil
}

// fetchMissing sends one request for all blobs that a partial clone does not
// have. git would fetch them one by one.
func (r *repository) fetchMissing(blobs []string) error {
	if out, _ := r.git("", "config", "--bool", "remote.origin.promisor"); strings.TrimSpace(out) != "true" {
		return nil
	}
	if r.present == nil {
		out, err := r.git("", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
		if err != nil {
			return err
		}
		r.present = map[string]bool{}
		for name := range strings.FieldsSeq(out) {
			r.present[name] = true
		}
	}
	var missing []string
	for _, blob := range blobs {
		if !r.present[blob] {
			missing = append(missing, blob)
			r.present[blob] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err := r.git(strings.Join(missing, "\n")+"\n", "-c", "fetch.negotiationAlgorithm=noop",
		"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none", "--stdin", "origin")
	return err
}
