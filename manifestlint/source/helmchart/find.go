package helmchart

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/source"
)

// find returns the charts to render, and all inputs except archives of charts.
func find(inputs []source.Input) (jobs []*job, rest []source.Input) {
	known := make(map[string]bool, len(inputs))
	for i := range inputs {
		known[inputs[i].Name] = true
	}
	byPlace := map[string]*job{}
	add := func(place, dir string) *job {
		j := byPlace[place]
		if j == nil {
			j = &job{place: place, path: dir, inputNames: known}
			byPlace[place] = j
			jobs = append(jobs, j)
		}
		return j
	}
	for i := range inputs {
		in := &inputs[i]
		switch {
		case isArchive(in.Name) && in.Named() && !in.Stream():
			add(in.Name, in.Path)
			continue
		case path.Base(in.Name) == chartFile && !(inCharts(path.Dir(in.Name)) && known[path.Join(path.Dir(in.Name), "../..", chartFile)]):
			add(path.Dir(in.Name), filepath.Dir(in.Path))
		case in.Template != "" && in.Named():
			// Helm renders a subchart as a part of the outermost chart.
			dir, real := path.Dir(in.Name), filepath.Dir(in.Path)
			for dir != in.Template && path.Dir(dir) != dir {
				dir, real = path.Dir(dir), filepath.Dir(real)
			}
			for inCharts(dir) && isFile(filepath.Join(real, "..", "..", chartFile)) {
				dir, real = path.Dir(path.Dir(dir)), filepath.Dir(filepath.Dir(real))
			}
			if known[path.Join(dir, chartFile)] || dir != in.Template && path.Base(dir) == "." {
				break
			}
			j := add(dir, real)
			if j.only == nil {
				j.only = map[string]bool{}
			}
			j.only[in.Name] = true
		}
		rest = append(rest, *in)
	}
	return jobs, rest
}

// inCharts reports whether a directory is an entry of a charts/ directory.
func inCharts(dir string) bool { return path.Base(path.Dir(dir)) == "charts" }

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (j *job) read() (*Chart, error) {
	if isArchive(j.place) {
		f, err := os.Open(j.path)
		if err != nil {
			return nil, &Failure{File: j.place, Message: reason(err)}
		}
		defer f.Close()
		return ReadArchive(f, j.place)
	}
	abs, err := filepath.Abs(j.path)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, &Failure{File: path.Join(j.place, chartFile), Message: reason(err)}
	}
	boundary := abs
	switch {
	case j.o.Anywhere:
		boundary = filepath.VolumeName(abs) + string(filepath.Separator)
	case j.o.Boundary != "":
		boundary = j.o.Boundary
	default:
		if top := repository(abs); top != "" {
			boundary = top
		}
	}
	below, err := filepath.Rel(boundary, abs)
	if err != nil || strings.HasPrefix(below, "..") {
		boundary, below = abs, "."
	}
	root, err := os.OpenRoot(boundary)
	if err != nil {
		return nil, &Failure{File: path.Join(j.place, chartFile), Message: reason(err)}
	}
	defer root.Close()
	return ReadDir(root, below, j.place, j.o.Overlay)
}

// repository returns the root of the git repository that contains a directory;
// "" for none.
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
