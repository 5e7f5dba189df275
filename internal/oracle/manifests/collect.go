package manifests

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Application has the manifests for one cluster.
type Application struct {
	Name    string
	Streams []*Stream
}

// Collect finds the manifests below a directory, without the files of charts. Files
// belong to one application if the match of unit in their paths, or the match of its
// first group, is equal. If minor is not empty, kustomizations and charts are rendered
// for a server of this minor.
func Collect(root string, unit *regexp.Regexp, minor string) ([]*Application, error) {
	all := map[string]*Application{}
	render := minor != ""
	to := func(path string, s *Stream) {
		name := ""
		if m := unit.FindStringSubmatch(path); m != nil {
			name = m[len(m)-1]
			if len(m) > 1 {
				name = m[1]
			}
		}
		if all[name] == nil {
			all[name] = &Application{Name: filepath.Join(root, name)}
		}
		all[name].Streams = append(all[name].Streams, s)
	}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if d.IsDir() {
			chart, kustomization := chartOrKustomization(file)
			if chart && render {
				for _, s := range renderChart(file, path, minor) {
					to(path+"/", s)
				}
			}
			if chart {
				return filepath.SkipDir
			}
			if kustomization && render {
				if s := build(file, path); s != nil {
					to(path+"/", s)
				}
			}
			return nil
		}
		if !d.Type().IsRegular() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)) || isKustomization(d.Name()) {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		to(path, &Stream{Name: path, Data: data})
		return nil
	})
	return sorted(all), err
}

// chartOrKustomization reports whether a directory contains a Helm chart or a
// kustomization.
func chartOrKustomization(dir string) (chart, kustomization bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, false // the walk reports the error
	}
	for _, e := range entries {
		chart = chart || e.Name() == "Chart.yaml"
		kustomization = kustomization || isKustomization(e.Name())
	}
	return chart, kustomization
}

func isKustomization(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, strings.TrimSpace(name))
}

func sorted(all map[string]*Application) []*Application {
	var list []*Application
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	return list
}
