package source

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/treefile"
)

// maxSearched and maxEntries limit the part of an archive that is searched for
// a Chart.yaml, in bytes and files. Helm packs Chart.yaml first.
const (
	maxSearched = 1 << 20
	maxEntries  = 100
)

// packedChart reports a packed Helm chart in a directory that is searched. The
// chart is not an input, because only charts that the user names are unpacked.
func (w *walk) packedChart(d *directory, base string) {
	if d.glob != nil || d.vendored || !strings.HasSuffix(base, ".tgz") || w.leftOut(d, base, false) {
		return
	}
	f, err := treefile.OpenIn(d.tree.root, filepath.Join(d.tree.relative(d.known.path), base))
	if err != nil {
		return // the file may have any content
	}
	defer f.Close()
	if isPackedChart(f) {
		name := d.name + base
		w.problem(Problem{PackedChart, name, "a packed chart is rendered only if it is named: kubevet lint " + printable(name), nil})
	}
}

// isPackedChart reports whether r is a gzipped archive that begins with the
// files of a Helm chart.
func isPackedChart(r io.Reader) bool {
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return false
	}
	files := tar.NewReader(io.LimitReader(unzipped, maxSearched))
	for range maxEntries {
		header, err := files.Next()
		if err != nil {
			return false
		}
		if dir, name := path.Split(path.Clean(header.Name)); name == "Chart.yaml" && strings.Count(dir, "/") == 1 {
			return true
		}
	}
	return false
}
