package helmchart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/treefile"
	"helm.sh/helm/v4/pkg/ignore"
)

// These limits are for a chart together with its subcharts. Helm limits only
// the bytes, to 100 MiB.
const (
	maxChartBytes = 100 << 20
	maxChartFiles = 20_000
	maxDepth      = 64 // nested directories, and archives in archives
)

const maxIgnore = 1 << 20

type file struct {
	// name is the path in the chart's directory, with slashes.
	name string
	// place is the path of the file as the user would type it. In an archive, the
	// archive's name replaces the directory.
	place string
	// real is set if place is the path of a real file, not of an archive's
	// member. linked is set if a link leads to the file.
	real, linked bool
	data         []byte
}

// budget is the number of files and bytes that may still be read.
type budget struct {
	bytes int64
	files int
}

var errTooLarge = fmt.Errorf("the chart is larger than %d MiB or has more than %d files", maxChartBytes>>20, maxChartFiles)

func newBudget() *budget { return &budget{maxChartBytes, maxChartFiles} }

// read reads a file of unknown length. It returns an error if the file exceeds
// the budget.
func (b *budget) read(r io.Reader) ([]byte, error) {
	if b.files--; b.files < 0 {
		return nil, errTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(r, b.bytes+1))
	if err != nil {
		return nil, err
	}
	if b.bytes -= int64(len(data)); b.bytes < 0 {
		return nil, errTooLarge
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil
}

type dirReader struct {
	// root is the directory that links must not leave. below is the path of the
	// chart's directory in root.
	root  *os.Root
	below string
	// place is the path of the chart's directory as the user would type it.
	place   string
	rules   *ignore.Rules
	budget  *budget
	files   []file
	overlay treefile.Overlay
	// unfollowed has the links that were not followed. linked is true in a
	// directory to which a link leads.
	unfollowed []string
	linked     bool
}

// readDir reads the files of a chart's directory, sorted by name, except those
// that .helmignore excludes. Like Helm, it follows links, but only within root
// and not into .git. unfollowed has the other links.
func readDir(root *os.Root, below, place string, overlay treefile.Overlay, b *budget) (files []file, unfollowed []string, err error) {
	d := &dirReader{root: root, below: below, place: place, rules: ignore.Empty(), overlay: overlay, budget: b}
	switch text, err := treefile.ReadIn(root, filepath.Join(below, ignore.HelmIgnore), nil, maxIgnore); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", ignore.HelmIgnore, err)
	default:
		// Helm refuses a chart with an invalid pattern.
		if d.rules, err = ignore.Parse(bytes.NewReader(text)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", ignore.HelmIgnore, err)
		}
	}
	d.rules.AddDefaults()
	err = d.walk("", nil)
	return d.files, d.unfollowed, err
}

func (d *dirReader) walk(dir string, parents []fs.FileInfo) error {
	if len(parents) > maxDepth {
		return fmt.Errorf("directories are nested deeper than %d", maxDepth)
	}
	f, err := treefile.OpenDir(d.root, filepath.Join(d.below, filepath.FromSlash(dir)))
	if err != nil {
		return err
	}
	self, err := f.Stat()
	var entries []fs.DirEntry
	if err == nil {
		entries, err = f.ReadDir(maxChartFiles)
	}
	f.Close()
	if err != nil && err != io.EOF {
		return err
	}
	// A link to a directory that contains the link would make the walk endless.
	if slices.ContainsFunc(parents, func(parent fs.FileInfo) bool { return os.SameFile(parent, self) }) {
		return nil
	}
	parents = append(slices.Clip(parents), self)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, entry := range entries {
		if err := d.entry(path.Join(dir, entry.Name()), entry, parents); err != nil {
			return err
		}
	}
	return nil
}

func (d *dirReader) entry(name string, entry fs.DirEntry, parents []fs.FileInfo) error {
	full := filepath.Join(d.below, filepath.FromSlash(name))
	info, err := d.root.Stat(full)
	if entry.Type()&fs.ModeSymlink != 0 {
		if err == nil { // the target may be in .git, which can contain credentials
			err = treefile.File{Tree: d.root.Name(), Path: filepath.Join(d.root.Name(), full)}.Inside()
		}
		if err != nil {
			d.unfollowed = append(d.unfollowed, path.Join(d.place, name))
			return nil
		}
	}
	if err != nil {
		return err
	}
	if d.rules.Ignore(name, info) {
		return nil
	}
	if info.IsDir() {
		if base := entry.Name(); base == ".git" || base == ".hg" || base == ".svn" {
			return nil // not meant for the chart, although Helm reads it
		}
		wasLinked := d.linked
		d.linked = wasLinked || entry.Type()&fs.ModeSymlink != 0
		err := d.walk(name, parents)
		d.linked = wasLinked
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path.Join(d.place, name))
	}
	data, err := d.read(full)
	if err != nil {
		return err
	}
	d.files = append(d.files, file{name: name, place: path.Join(d.place, name), real: true, linked: d.linked || entry.Type()&fs.ModeSymlink != 0, data: data})
	return nil
}

// read reads a file below root, or returns its text in the overlay.
func (d *dirReader) read(name string) ([]byte, error) {
	if text, ok := d.overlay[filepath.Join(d.root.Name(), name)]; ok {
		return d.budget.read(bytes.NewReader(text))
	}
	f, err := treefile.OpenIn(d.root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return d.budget.read(f)
}

// isArchive reports whether a file name is the name of a packaged chart.
func isArchive(name string) bool {
	return strings.HasSuffix(name, ".tgz") || strings.HasSuffix(name, ".tar.gz")
}

// readArchive reads a packaged chart: a compressed tar file with a single
// directory. It refuses the same archives as helm.sh/helm/v4@v4.3.1
// pkg/chart/loader/archive.
func readArchive(r io.Reader, place string, b *budget) ([]file, error) {
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("not a packaged chart: %w", err)
	}
	defer unzipped.Close()
	var files []file
	members := tar.NewReader(unzipped)
	for {
		h, err := members.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("not a packaged chart: %w", err)
		}
		if h.FileInfo().IsDir() || h.Typeflag == tar.TypeXGlobalHeader || h.Typeflag == tar.TypeXHeader {
			continue
		}
		name, err := memberName(h.Name)
		if err != nil {
			return nil, err
		}
		data, err := b.read(members)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, place: path.Join(place, name), data: data})
	}
	if len(files) == 0 {
		return nil, errors.New("the archive is empty")
	}
	return files, nil
}

// driveName matches a path with a drive letter, which is absolute on Windows.
var driveName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z]:/`) })

// memberName returns the path of an archive's member without its first
// directory. As in Helm, a backslash separates directories if the path has one;
// then slashes do not.
func memberName(name string) (string, error) {
	separator := "/"
	if strings.Contains(name, `\`) {
		separator = `\`
	}
	first, rest, _ := strings.Cut(name, separator)
	rest = strings.ReplaceAll(rest, separator, "/")
	clean := path.Clean(rest)
	switch {
	case first == "Chart.yaml":
		return "", errors.New("the archive has Chart.yaml outside of a directory")
	case clean == ".":
		return "", fmt.Errorf("the archive has %q outside of the chart's directory", name)
	case path.IsAbs(rest), strings.HasPrefix(clean, ".."), driveName().MatchString(clean):
		return "", fmt.Errorf("the archive has %q, which leads out of it", name)
	}
	return clean, nil
}
