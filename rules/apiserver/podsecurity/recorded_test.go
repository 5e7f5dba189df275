package podsecurity

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// recordedCase is a request that was sent to real servers.
type recordedCase struct {
	File, ID string
	Op       string // create if empty
	Obj      json.RawMessage
}

// recordedAnswer is what one server answered.
type recordedAnswer struct {
	File, ID string
	Code     int
	Warnings []string // Warning headers
	Message  string
	Causes   []struct{ Field, Message string }
}

func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	var all []T
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("reading %s: %v", name, err)
		}
		all = append(all, one)
	}
	return all
}

// serverOf gives the server of a name such as 1.33-gateoff; no gate that the
// suffixes set is about pod security.
func serverOf(t *testing.T, name string) apiserver.Server {
	version, _, _ := strings.Cut(name, "-")
	minor, err := strconv.Atoi(strings.TrimPrefix(version, "1."))
	if err != nil {
		t.Fatalf("server %s: %v", name, err)
	}
	return apiserver.Server{Minor: lifecycle.Minor(minor)}
}

func parse(t testing.TB, text []byte) *wire.Value {
	t.Helper()
	v, err := wire.JSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRecordedAnswers holds the verdict to what real servers said of pod
// security.
func TestRecordedAnswers(t *testing.T) {
	cases := map[[2]string]recordedCase{}
	namespaces := map[string]map[string]string{}
	stored := map[string]*wire.Value{}
	var pods []*wire.Value
	for _, c := range readLines[recordedCase](t, "testdata/cases.jsonl.gz") {
		cases[[2]string{c.File, c.ID}] = c
		obj := parse(t, c.Obj)
		name := obj.At("metadata", "name").StringOr("")
		if !strings.HasPrefix(c.ID, "setup/") {
			continue
		}
		switch obj.Get("kind").StringOr("") {
		case "Namespace":
			namespaces[name], stored[name] = labelsOf(obj), obj
		case "Pod":
			pods = append(pods, obj)
			// Its twin was made beside it.
			twin := strings.Replace(string(c.Obj), `"v2"`, `"v1"`, 1)
			pods = append(pods, parse(t, []byte(twin)))
		}
	}
	answers, _ := filepath.Glob("testdata/answers-*.jsonl.gz")
	if len(answers) == 0 {
		t.Fatal("no recorded answers")
	}
	var table strings.Builder
	for _, file := range answers {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "answers-"), ".jsonl.gz")
		equal, all := map[string]int{}, map[string]int{}
		for _, a := range readLines[recordedAnswer](t, file) {
			c, ok := cases[[2]string{a.File, a.ID}]
			if !ok {
				t.Errorf("%s %s: answer without a case", a.File, a.ID)
				continue
			}
			all[a.File]++
			r := apiserver.Request{New: parse(t, c.Obj)}
			r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
			if c.Op == "merge" {
				r.Old = stored[r.New.At("metadata", "name").StringOr("")]
			}
			diff := compare(serverOf(t, name), namespaces[r.New.At("metadata", "namespace").StringOr("")], r, pods, a)
			if diff != "" {
				t.Errorf("%s: %s %s (-server +verdict):\n%s", name, a.File, a.ID, diff)
			} else {
				equal[a.File]++
			}
		}
		for _, f := range slices.Sorted(maps.Keys(all)) {
			fmt.Fprintf(&table, "%-14s %-13s %4d of %4d equal\n", f, name, equal[f], all[f])
		}
	}
	t.Logf("recorded answers:\n%s", table.String())
}

func compare(s apiserver.Server, labels map[string]string, r apiserver.Request, pods []*wire.Value, a recordedAnswer) string {
	if a.Code == 422 && !strings.Contains(a.Message, "pod-security") {
		return "" // refused before
	}
	var want, got []string
	for _, h := range a.Warnings {
		text := strings.TrimSuffix(strings.TrimPrefix(h, `299 - "`), `"`)
		text = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text)
		if strings.Contains(text, "PodSecurity") || strings.Contains(text, "host namespaces") {
			want = append(want, text)
		}
	}
	for _, c := range a.Causes {
		want = append(want, c.Field+": "+c.Message)
	}
	if len(a.Causes) == 0 && a.Message != "" {
		want = append(want, a.Message)
	}
	answer := Judge(s, labels, r)
	if r.Old != nil {
		answer.Warnings = append(answer.Warnings, NamespaceUpdate(s, r, pods)...)
	}
	for _, w := range answer.Warnings {
		got = append(got, w.Text)
	}
	for _, c := range answer.Causes {
		if c.Code != a.Code {
			got = append(got, fmt.Sprintf("code %d, not %d", c.Code, a.Code))
		}
		if c.Field != "" {
			c.Text = c.Field + ": " + c.Text
		}
		got = append(got, c.Text)
	}
	return cmp.Diff(want, got)
}
