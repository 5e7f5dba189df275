package helmchart

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
)

// TestAgainstHelm compares rendered charts with the output of the helm command,
// byte for byte in each document. It needs KUBEVET_HELM, the path of the
// command, and KUBEVET_CHARTS, a directory of charts.
func TestAgainstHelm(t *testing.T) {
	helm, dir := os.Getenv("KUBEVET_HELM"), os.Getenv("KUBEVET_CHARTS")
	if helm == "" || dir == "" {
		t.Skip("KUBEVET_HELM and KUBEVET_CHARTS are not set")
	}
	var same, random, ahead, bothFail, followed, outputs, library int
	var ours time.Duration
	for _, place := range chartsIn(t, dir) {
		cluster := Cluster{Version: "v1.33.0", APIs: common.DefaultVersionSet}
		start := time.Now()
		r, ourErr := renderDir(dir, place, &Values{}, cluster)
		ours += time.Since(start)
		cmd := exec.Command(helm, "template", "release-name", place, "--kube-version", "v1.33.0")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		theirs, theirErr := cmd.Output()
		if ourErr == ErrLibrary {
			library++
			continue
		}
		switch {
		case ourErr != nil && theirErr != nil:
			bothFail++
			if os.Getenv("KUBEVET_VERBOSE") != "" {
				t.Logf("%s:\n\tours: %v\n\thelm: %s", place, ourErr, stderr.String())
			}
			continue
		case ourErr != nil:
			t.Errorf("%s: only helm renders it: %v", place, ourErr)
			continue
		case theirErr != nil:
			if refusedByHelm.MatchString(stderr.String()) {
				ahead++
				continue
			}
			t.Errorf("%s: helm does not render it: %s", place, stderr.String())
			continue
		}
		got, want := map[string][]string{}, helmOutput(string(theirs))
		for _, o := range r.Outputs {
			outputs++
			if o.traceable {
				followed++
			} else {
				t.Logf("%s: %s is not followed", place, o.Template)
			}
			got[o.Template] = append(got[o.Template], cutManifests(o.Text)...)
		}
		if diff := compare(got, want); diff != "" {
			if isRandom(t, place) {
				random++
				continue
			}
			t.Errorf("%s: %s", place, diff)
			continue
		}
		same++
	}
	t.Logf("%d charts are the same, %d differ by what is random, %d helm refuses for other reasons than rendering, %d fail in both, %d are libraries; %d of %d outputs are followed; ours took %s", same, random, ahead, bothFail, library, followed, outputs, ours)
}

func renderDir(within, place string, v *Values, cluster Cluster) (*Rendering, error) {
	root, err := os.OpenRoot(within)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	below, err := filepath.Rel(within, place)
	if err != nil {
		return nil, err
	}
	c, err := ReadDir(root, below, place, nil)
	if err != nil {
		return nil, err
	}
	return c.Render(v, cluster, Release{}, nil)
}

func chartsIn(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "Chart.yaml" && !strings.Contains(path, "/charts/charts/") {
			all = append(all, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var manifestSeparator = regexp.MustCompile(`(?:^|\s*\n)---\s*`)

func cutManifests(text string) []string {
	var all []string
	for _, d := range manifestSeparator.Split(strings.TrimSpace(text), -1) {
		if d = strings.TrimSpace(strings.TrimPrefix(d, "---")); d != "" {
			all = append(all, d)
		}
	}
	return all
}

// helmOutput splits the output of helm template into documents, by their
// source.
func helmOutput(text string) map[string][]string {
	all := map[string][]string{}
	for _, part := range strings.Split(text, "---\n# Source: ")[1:] {
		source, doc, _ := strings.Cut(part, "\n")
		all[source] = append(all[source], strings.TrimSpace(strings.TrimPrefix(doc, "---")))
	}
	return all
}

// compare returns the first difference between two sets of documents, in any
// order.
func compare(got, want map[string][]string) string {
	var a, b []string
	for _, docs := range got {
		a = append(a, docs...)
	}
	for _, docs := range want {
		b = append(b, docs...)
	}
	for _, l := range [][]string{a, b} {
		for i := range l {
			l[i] = strings.TrimSpace(l[i])
		}
	}
	a = slices.DeleteFunc(a, onlyComments)
	b = slices.DeleteFunc(b, onlyComments)
	slices.Sort(a)
	slices.Sort(b)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("documents differ (ours %d, helm's %d)\n--- ours\n%s\n--- helm\n%s", len(a), len(b), firstDifference(a[i], b[i]), firstDifference(b[i], a[i]))
		}
	}
	if len(a) != len(b) {
		return fmt.Sprintf("ours has %d documents, helm's %d", len(a), len(b))
	}
	return ""
}

// refusedByHelm matches errors of the helm command for charts that kubevet
// renders. kubevet reports missing dependencies and broken links, but
// continues. Output that is not YAML is a finding.
var refusedByHelm = regexp.MustCompile(`missing in charts/ directory|error evaluating symlink|YAML parse error`)

// isRandom reports whether a chart calls a function whose result differs in
// each call.
func isRandom(t *testing.T, place string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, _ := os.ReadFile(path)
			found = found || isArchive(path) // the packed chart may call one
			found = found || randomFunction.Match(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var randomFunction = regexp.MustCompile(`\b(rand(AlphaNum|Alpha|Ascii|Numeric|Bytes|Int)|uuidv4|now|gen(CA|PrivateKey|SelfSignedCert|SignedCert)(WithKey)?|bcrypt|htpasswd|derivePassword|encryptAES|shuffle)\b`)

func onlyComments(doc string) bool {
	for l := range strings.Lines(doc) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			return false
		}
	}
	return true
}

func firstDifference(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[max(0, n-120):min(len(a), n+200)]
}
