package podwarning

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
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// recordedCase is a request that was sent to real servers.
type recordedCase struct {
	File, ID string
	Op       string            // create if empty
	Setup    []json.RawMessage // objects that were made before
	Obj      json.RawMessage   // the body, or
	Raw      string            // the body where it is no JSON value of its own
	Query    string
}

// recordedAnswer is what one server answered.
type recordedAnswer struct {
	File, ID string
	Code     int
	Warnings []string // Warning headers
}

// readLines reads a compressed file of JSON lines.
func readLines[T any](t testing.TB, name string) []T {
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
	if err := lines.Err(); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return all
}

// gates are the settings of the recorded servers that were not started with
// the defaults. None of them matters here.
var gates = map[string]bool{"": true, "zeroon": true, "gateoff": true, "sleepon": true, "sleepoff": true}

// serverOf gives the server of a name such as 1.32-zeroon.
func serverOf(name string) (s apiserver.Server, ok bool) {
	version, suffix, _ := strings.Cut(name, "-")
	minor, err := strconv.Atoi(strings.TrimPrefix(version, "1."))
	return apiserver.Server{Minor: lifecycle.Minor(minor)}, err == nil && gates[suffix]
}

// sharedOracle is a larger collection of the same cases and answers, if there
// is one beside the repository.
func sharedOracle() string {
	roots := []string{os.Getenv("KUBEVET_SHARED")}
	dir, _ := os.Getwd()
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		roots = append(roots, filepath.Join(dir, "shared"))
	}
	for _, root := range roots {
		for _, name := range []string{filepath.Join(root, "data", "oracle"), filepath.Join(root, "oracle")} {
			if _, err := os.Stat(filepath.Join(name, "answers")); root != "" && err == nil {
				return name
			}
		}
	}
	return ""
}

type caseKey struct{ file, id string }

// TestRecordedAnswers holds the warnings to those of real servers, verbatim and
// in order.
func TestRecordedAnswers(t *testing.T) {
	cases := map[caseKey]recordedCase{}
	for _, c := range readLines[recordedCase](t, "testdata/cases.jsonl.gz") {
		cases[caseKey{c.File, c.ID}] = c
	}
	servers := map[string][]recordedAnswer{}
	answers, _ := filepath.Glob("testdata/answers-*.jsonl.gz")
	if len(answers) == 0 {
		t.Fatal("no recorded answers")
	}
	for _, name := range answers {
		server := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "answers-"), ".jsonl.gz")
		servers[server] = readLines[recordedAnswer](t, name)
	}
	if dir := sharedOracle(); dir != "" {
		addShared(t, dir, cases, servers)
	}

	table := map[string]map[string]*[2]int{} // family × server: equal, all
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		s, ok := serverOf(name)
		if !ok {
			t.Logf("server %s has gates that this test does not know", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, a := range servers[name] {
				c, ok := cases[caseKey{a.File, a.ID}]
				if !ok {
					continue
				}
				r, ok := request(c)
				if !ok || kindOf(s.Minor, r.APIVersion, r.Kind) == nil {
					continue
				}
				if table[a.File] == nil {
					table[a.File] = map[string]*[2]int{}
				}
				if table[a.File][name] == nil {
					table[a.File][name] = new([2]int)
				}
				counts := table[a.File][name]
				counts[1]++
				if diff := cmp.Diff(ours(a.Warnings), said(s, r, a.Code)); diff != "" {
					t.Errorf("%s %s (-server +here):\n%s", a.File, a.ID, diff)
				} else {
					counts[0]++
				}
			}
		})
	}
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(table)) {
		for _, server := range slices.Sorted(maps.Keys(table[file])) {
			fmt.Fprintf(&b, "%-14s %-13s %4d of %4d equal\n", file, server, table[file][server][0], table[file][server][1])
		}
	}
	t.Logf("recorded answers:\n%s", b.String())
}

// addShared adds the cases and servers that testdata does not have.
func addShared(t *testing.T, dir string, cases map[caseKey]recordedCase, servers map[string][]recordedAnswer) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "cases", "*.jsonl.gz"))
	for _, name := range files {
		file := strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")
		for _, c := range readLines[recordedCase](t, name) {
			c.File = file
			cases[caseKey{file, c.ID}] = c
		}
	}
	files, _ = filepath.Glob(filepath.Join(dir, "answers", "*.jsonl.gz"))
	for _, name := range files {
		all := readLines[recordedAnswer](t, name)
		for i := range all {
			all[i].File = strings.TrimSuffix(all[i].File, ".jsonl")
		}
		servers[strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")] = all
	}
}

// request makes the request of a case: a merge patch becomes the object that
// it makes of the stored one. Of other patches nothing is known.
func request(c recordedCase) (r apiserver.Request, ok bool) {
	body := []byte(c.Raw)
	if c.Raw == "" {
		body = c.Obj
	}
	obj, err := wire.JSONAll(body, func(wire.Duplicate) {})
	if err != nil || obj == nil || obj.Kind != wire.Map {
		return r, false
	}
	r.New = obj
	switch c.Op {
	case "", "create":
	case "update", "merge":
		if len(c.Setup) == 0 {
			return r, false
		}
		if r.Old, err = wire.JSON(c.Setup[0]); err != nil {
			return r, false
		}
		if c.Op == "merge" {
			r.New = mergePatch(r.Old, r.New)
		}
	default:
		return r, false
	}
	r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
	return r, true
}

// mergePatch applies a JSON merge patch (RFC 7386).
func mergePatch(old, patch *wire.Value) *wire.Value {
	if patch.Kind != wire.Map {
		return patch
	}
	merged := &wire.Value{Kind: wire.Map}
	if old != nil && old.Kind == wire.Map {
		for _, f := range old.Fields {
			if patch.Field(f.Name) == nil {
				merged.Fields = append(merged.Fields, f)
			}
		}
	}
	for _, f := range patch.Fields {
		if !f.Value.IsNull() {
			f.Value = mergePatch(old.Get(f.Name), f.Value)
			merged.Fields = append(merged.Fields, f)
		}
	}
	return merged
}

// ours are the texts, or those of Warning headers, that this package is to give.
func ours(headers []string) []string {
	var texts []string
	for _, h := range headers {
		text, header := strings.CutPrefix(h, `299 - "`)
		if header {
			text = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(strings.TrimSuffix(text, `"`))
		}
		if !foreign(text) {
			texts = append(texts, text)
		}
	}
	return inOrder(texts)
}

// foreign reports whether a text comes from elsewhere.
func foreign(text string) bool {
	for _, prefix := range []string{"unknown field ", "duplicate field ", ".metadata.ownerReferences ", "would violate PodSecurity "} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return strings.Contains(text, " is deprecated in v1.")
}

// said are the texts that this package gives, as headers carry them: those of
// an object that is refused are what comes before validation.
func said(s apiserver.Server, r apiserver.Request, code int) []string {
	all := Prepare(s, r)
	switch {
	case code == 422:
	case code >= 400:
		all = nil
	default:
		all = append(all, Strategy(s, r)...)
	}
	var texts []string
	total := 0
	for _, w := range all {
		if !slices.Contains(texts, w.Text) && sendable(w.Text) {
			texts = append(texts, w.Text)
			total += len([]rune(w.Text))
		}
	}
	if total > 4096 {
		texts = cut(texts)
	}
	return inOrder(texts)
}

// sendable reports whether a header can hold a text.
func sendable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// cut makes texts as short as one answer can hold.
func cut(texts []string) []string {
	total, passed := 0, 0
	for passed = range texts {
		if total += len([]rune(texts[passed])); total > 4096 {
			break
		}
	}
	written := 0
	for i, text := range texts {
		if i > passed && written >= 4096 {
			return texts[:i]
		}
		r := []rune(text)
		r = r[:min(len(r), 256)]
		written += len(r)
		texts[i] = string(r)
	}
	return texts
}

// inOrder sorts those texts that the server sends in any order: neighbours
// about spec.nodeSelector.
func inOrder(texts []string) []string {
	about := func(text string) bool { return strings.Contains(text, "spec.nodeSelector[") }
	for i := 0; i < len(texts); i++ {
		n := i
		for n < len(texts) && about(texts[n]) {
			n++
		}
		slices.Sort(texts[i:n])
		i = max(i, n-1)
	}
	return texts
}
