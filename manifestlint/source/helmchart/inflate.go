package helmchart

import (
	"bytes"
	"cmp"
	"github.com/kubevet/kubevet/internal/treefile"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Inflation configures how a kustomization renders a chart. The zero value uses
// the chart's own values.
type Inflation struct {
	Values  *Values
	Cluster Cluster
	Release Release
	// IncludeCRDs adds the files of crds/ at the beginning, like helm template
	// --include-crds. SkipTests removes the objects of test hooks, and SkipHooks
	// the objects of all hooks.
	IncludeCRDs, SkipTests, SkipHooks bool
	// Overlay replaces the texts of files; nil for none.
	Overlay treefile.Overlay
	// Workers are other processes that render the chart; see Options.
	Workers Workers
}

// Inflate renders the chart in the directory dir and joins the outputs to one
// text. It does not follow links that lead out of the chart's git repository.
// Its errors are those of Render.
func Inflate(dir string, o Inflation) ([]byte, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	boundary := cmp.Or(repository(abs), abs)
	below, err := filepath.Rel(boundary, abs)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(boundary)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	c, err := ReadDir(root, below, filepath.Base(abs), o.Overlay)
	if err != nil {
		return nil, err
	}
	if o.Values == nil {
		o.Values = &Values{}
	}
	var e renderer = c
	if o.Workers != nil {
		remote := newRemote(c, o.Workers)
		defer remote.done()
		e = remote
	}
	r, err := e.Render(o.Values, o.Cluster, o.Release, nil)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	add := func(text string) {
		out.WriteString("---\n")
		out.WriteString(strings.TrimSpace(text))
		out.WriteByte('\n')
	}
	if o.IncludeCRDs {
		for i := range r.CRDs {
			add(string(r.CRDs[i].Text))
		}
	}
	for i := range r.Outputs {
		for _, doc := range documents(r.Outputs[i].Text) {
			kinds := hookAnnotation().FindStringSubmatch(doc)
			isTest := kinds != nil && slices.ContainsFunc(strings.Split(kinds[1], ","), func(k string) bool {
				return strings.HasPrefix(strings.TrimSpace(k), "test")
			})
			if kinds != nil && o.SkipHooks || isTest && o.SkipTests {
				continue
			}
			add(doc)
		}
	}
	return out.Bytes(), nil
}

// hookAnnotation matches the annotation of a chart hook. Its group has the
// kinds of hook, such as pre-install.
var hookAnnotation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*["']?helm\.sh/hook["']?\s*:\s*["']?([\w, -]+)`)
})

// separator is the regular expression at which Helm splits a rendered template
// into objects (helm.sh/helm/v4@v4.3.1 pkg/release/v1/util/manifest.go).
var separator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s*\n)---\s*`) })

// documents returns the documents of a rendered template, without blank ones.
func documents(text string) []string {
	var all []string
	for _, d := range separator().Split(text, -1) {
		if strings.TrimSpace(d) != "" {
			all = append(all, d)
		}
	}
	return all
}
