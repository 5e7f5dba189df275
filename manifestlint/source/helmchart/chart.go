package helmchart

import (
	"bytes"
	"errors"
	"fmt"
	"github.com/kubevet/kubevet/internal/treefile"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
)

// Chart is a chart in memory. It is immutable, and safe for concurrent use.
type Chart struct {
	// Place is the path of the chart's directory or archive, as the user would
	// type it.
	Place string
	// Left are the links that were not followed, because they lead out of the
	// root directory.
	Left []string

	root *folder

	// spare is a copy of the chart in Helm's types that no rendering has used
	// yet; nil for none.
	spare  atomic.Pointer[built]
	parsed parseCache
	// noTimeLimit is set if another process limits the time of renderings.
	noTimeLimit bool
}

type folder struct {
	place string
	files []file
	subs  []*folder
	// subName is the name of the subchart's entry in charts/.
	subName string
}

// Failure is the reason why a chart, or a part of it, cannot be rendered. It
// implements error.
type Failure struct {
	// File is the path of the file with the mistake, as the user would type it.
	// Line and Column are the position in the file, from 1; 0 if unknown.
	File         string
	Line, Column int
	// Message is Helm's message, or a clearer one.
	Message string
	// Values is set if the chart may render with other values.
	Values bool

	overLimit bool // the chart exceeds a limit
}

// Error returns the position and the message.
func (f *Failure) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return f.File + ":" + strconv.Itoa(f.Line) + ": " + f.Message
}

// ReadDir reads the chart in the directory dir of root. It does not follow
// links that lead out of root. place is the path of the chart as the user would
// type it. overlay replaces the texts of files; it may be nil.
func ReadDir(root *os.Root, dir, place string, overlay treefile.Overlay) (*Chart, error) {
	b := newBudget()
	files, left, err := readDir(root, dir, place, overlay, b)
	if err != nil {
		return nil, &Failure{File: path.Join(place, "Chart.yaml"), Message: reason(err)}
	}
	c := &Chart{Place: place, Left: left}
	if c.root, err = splitSubcharts(files, place, b, 0); err != nil {
		return nil, err
	}
	return c, nil
}

// ReadArchive reads a packaged chart. place is the path of the archive as the
// user would type it.
func ReadArchive(r io.Reader, place string) (*Chart, error) {
	b := newBudget()
	files, err := readArchive(r, place, b)
	if err != nil {
		return nil, &Failure{File: place, Message: reason(err)}
	}
	c := &Chart{Place: place}
	if c.root, err = splitSubcharts(files, place, b, 0); err != nil {
		return nil, err
	}
	return c, nil
}

// reason returns the message of an error, without paths of this machine.
func reason(err error) string {
	var at *os.PathError
	if errors.As(err, &at) {
		return filepath.ToSlash(at.Path) + ": " + at.Err.Error()
	}
	return err.Error()
}

// splitSubcharts separates the files of a chart from the files of its
// subcharts, and unpacks archived subcharts, like helm.sh/helm/v4@v4.3.1
// pkg/chart/v2/loader/load.go:LoadFiles.
func splitSubcharts(files []file, place string, b *budget, depth int) (*folder, error) {
	if depth > maxDepth {
		return nil, &Failure{File: place, Message: fmt.Sprintf("charts are nested deeper than %d", maxDepth)}
	}
	f := &folder{place: place}
	subs := map[string][]file{}
	for _, one := range files {
		rest, ok := strings.CutPrefix(one.name, "charts/")
		if !ok || path.Ext(one.name) == ".prov" {
			f.files = append(f.files, one)
			continue
		}
		name, below, isDir := strings.Cut(rest, "/")
		switch {
		case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "."):
		case isDir:
			one.name = below
			subs[name] = append(subs[name], one)
		case path.Ext(name) == ".tgz":
			inner, err := readArchive(bytes.NewReader(one.data), one.place, b)
			if err != nil {
				return nil, &Failure{File: one.place, Message: reason(err)}
			}
			subs[name] = inner
		}
	}
	for _, name := range slices.Sorted(maps.Keys(subs)) {
		sub, err := splitSubcharts(subs[name], path.Join(place, "charts", name), b, depth+1)
		if err != nil {
			return nil, err
		}
		sub.subName = name
		f.subs = append(f.subs, sub)
	}
	return f, nil
}

type built struct {
	chart *chart.Chart
	// origins has the chart's file for each of Helm's copies of a file.
	origins map[*common.File]*file
	folders map[*chart.Chart]*folder
}

// build converts the chart to Helm's types. Helm changes the result, so each
// rendering needs a new one.
func (c *Chart) build() (*built, error) {
	b := &built{origins: map[*common.File]*file{}, folders: map[*chart.Chart]*folder{}}
	var err error
	b.chart, err = b.add(c.root)
	return b, err
}

func (b *built) add(f *folder) (*chart.Chart, error) {
	buffered := make([]*archive.BufferedFile, len(f.files))
	byName := make(map[string]*file, len(f.files))
	for i := range f.files {
		one := &f.files[i]
		buffered[i] = &archive.BufferedFile{Name: one.name, Data: one.data}
		byName[one.name] = one
	}
	c, err := loader.LoadFiles(buffered)
	if err != nil {
		return nil, loadFailure(f, err)
	}
	b.folders[c] = f
	for _, list := range [][]*common.File{c.Templates, c.Files} {
		for _, one := range list {
			b.origins[one] = byName[one.Name]
		}
	}
	for _, sub := range f.subs {
		if sub.subName != "" && !sub.has("Chart.yaml") {
			return nil, &Failure{File: sub.place, Message: fmt.Sprintf("error unpacking subchart %s in %s: Chart.yaml file is missing", sub.subName, c.Name())}
		}
		inner, err := b.add(sub)
		if err != nil {
			return nil, err
		}
		c.AddDependency(inner)
	}
	return c, nil
}

func (f *folder) has(name string) bool {
	return slices.ContainsFunc(f.files, func(one file) bool { return one.name == name })
}

// yamlLine matches the line number in the error of a YAML parser.
var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bline (\d+)`) })

// loadFailure converts an error of Helm's loader, and finds the file with the
// mistake.
func loadFailure(f *folder, err error) *Failure {
	text := err.Error()
	fail := &Failure{File: path.Join(f.place, "Chart.yaml"), Message: text}
	for _, name := range []string{"values.yaml", "requirements.yaml", "requirements.lock", "Chart.lock", "Chart.yaml"} {
		if strings.HasPrefix(text, "cannot load "+name+":") {
			fail.File = path.Join(f.place, name)
			if m := yamlLine().FindStringSubmatch(text); m != nil {
				fail.Line, _ = strconv.Atoi(m[1])
			}
			break
		}
	}
	return fail
}
