package helmchart

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Inflation is what a kustomization says of a chart that it takes its resources
// from. The zero value renders the chart as it is.
type Inflation struct {
	Values  *Values
	Cluster Cluster
	Release Release
	// IncludeCRDs puts the files of crds/ in front, as helm template
	// --include-crds does; SkipTests and SkipHooks leave such objects out.
	IncludeCRDs, SkipTests, SkipHooks bool
}

// Inflate gives what a chart in a directory renders to, as one text. Links out
// of the git repository that it is in are not followed. An error is one of
// Render's.
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
	c, err := ReadDir(root, below, filepath.Base(abs))
	if err != nil {
		return nil, err
	}
	if o.Values == nil {
		o.Values = &Values{}
	}
	r, err := c.Render(o.Values, o.Cluster, o.Release, nil)
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
			kinds := hook().FindStringSubmatch(doc)
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

// hook matches the annotation of a hook, and gives its kinds.
var hook = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*["']?helm\.sh/hook["']?\s*:\s*["']?([\w, -]+)`)
})

// separator is what Helm cuts a rendered template into objects at
// (helm.sh/helm/v4@v4.3.1 pkg/release/v1/util/manifest.go).
var separator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s*\n)---\s*`) })

// documents are the documents of a rendered template that are not blank.
func documents(text string) []string {
	var all []string
	for _, d := range separator().Split(text, -1) {
		if strings.TrimSpace(d) != "" {
			all = append(all, d)
		}
	}
	return all
}
