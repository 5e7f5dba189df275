package apiserver

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	Message  string
	Causes   []struct{ Field, Message string }
}

// readLines reads a compressed file of JSON lines.
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
	if err := lines.Err(); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return all
}

// sleepFiles are the recorded case files that are about sleep actions.
var sleepFiles = []string{"matrix-create", "multi", "odd", "update", "sts"}

// gateSuffixes say which gates a server was started with.
var gateSuffixes = map[string]map[string]bool{
	"zeroon":   {gateSleepZero: true},
	"gateoff":  {gateSleepZero: false},
	"sleepon":  {gateSleepAction: true},
	"sleepoff": {gateSleepAction: false, gateSleepZero: false},
}

// serverOf gives the server of a name such as 1.32-zeroon.
func serverOf(name string) (s Server, ok bool) {
	version, suffix, _ := strings.Cut(name, "-")
	minor, err := strconv.Atoi(strings.TrimPrefix(version, "1."))
	set, known := gateSuffixes[suffix]
	if err != nil || suffix != "" && !known {
		return Server{}, false
	}
	s.Minor = lifecycle.Minor(minor)
	if suffix != "" {
		s.Gate = func(gate string) bool {
			if on, ok := set[gate]; ok {
				return on
			}
			return Server{Minor: s.Minor}.Enabled(gate)
		}
	}
	return s, true
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

// TestRecordedAnswers holds the verdict to what real servers answered, in the
// recorded order, and to their warnings.
func TestRecordedAnswers(t *testing.T) {
	cases := map[[2]string]recordedCase{}
	for _, c := range readLines[recordedCase](t, "testdata/sleep-cases.jsonl.gz") {
		cases[[2]string{c.File, c.ID}] = c
	}
	answers, _ := filepath.Glob("testdata/sleep-answers-*.jsonl.gz")
	if len(answers) == 0 {
		t.Fatal("no recorded answers")
	}
	servers := map[string][]recordedAnswer{}
	for _, name := range answers {
		server := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "sleep-answers-"), ".jsonl.gz")
		servers[server] = readLines[recordedAnswer](t, name)
	}
	if dir := sharedOracle(); dir != "" {
		addShared(t, dir, cases, servers)
	}

	table := map[string]map[string]*[2]int{} // file × server: equal, all
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		s, ok := serverOf(name)
		if !ok {
			t.Logf("server %s has gates that this test does not know", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, a := range servers[name] {
				c, ok := cases[[2]string{a.File, a.ID}]
				if !ok {
					t.Errorf("%s %s: answer without a case", a.File, a.ID)
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
				if diff := compare(t, s, c, a); diff != "" {
					t.Errorf("%s %s (-server +verdict):\n%s", a.File, a.ID, diff)
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
func addShared(t *testing.T, dir string, cases map[[2]string]recordedCase, servers map[string][]recordedAnswer) {
	t.Helper()
	for _, file := range sleepFiles {
		name := filepath.Join(dir, "cases", file+".jsonl.gz")
		if _, err := os.Stat(name); err != nil {
			continue
		}
		for _, c := range readLines[recordedCase](t, name) {
			c.File = file
			cases[[2]string{c.File, c.ID}] = c
		}
	}
	names, _ := filepath.Glob(filepath.Join(dir, "answers", "*.jsonl.gz"))
	for _, name := range names {
		server := strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")
		var found []recordedAnswer
		for _, a := range readLines[recordedAnswer](t, name) {
			if a.File = strings.TrimSuffix(a.File, ".jsonl"); slices.Contains(sleepFiles, a.File) {
				found = append(found, a)
			}
		}
		if len(found) > len(servers[server]) {
			servers[server] = found
		}
	}
}

// compare gives the difference between an answer and the verdict.
func compare(t *testing.T, s Server, c recordedCase, a recordedAnswer) string {
	t.Helper()
	if a.Code == 404 {
		// The stored object could not be made, because it was refused.
		setup := parse(t, c.Setup[0])
		if len(SleepCreate(s, setup.Get("apiVersion").StringOr(""), setup.Get("kind").StringOr(""), setup)) == 0 {
			return "the server refused to create the stored object, the verdict accepts it"
		}
		return ""
	}
	got := Sleep(s, request(t, c))
	if diff := cmp.Diff(errorLines(a), verdictLines(got, a)); diff != "" {
		return diff
	}
	var warned []string
	for _, w := range got.Warnings {
		warned = append(warned, w.Text)
	}
	return cmp.Diff(headerTexts(a.Warnings), warned)
}

// request makes the request of a case: a merge patch becomes the object that
// it makes of the stored one.
func request(t *testing.T, c recordedCase) Request {
	t.Helper()
	body := []byte(c.Raw)
	if c.Raw == "" {
		body = c.Obj
	}
	var r Request
	var err error
	r.New, err = wire.JSONAll(body, func(d wire.Duplicate) { r.Duplicates = append(r.Duplicates, d) })
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	r.Body = body
	switch {
	case strings.Contains(c.Query, "fieldValidation=Strict"):
		r.Validation = Strict
	case strings.Contains(c.Query, "fieldValidation=Ignore"):
		r.Validation = Ignore
	}
	if c.Op != "" && c.Op != "create" {
		r.Old, r.Body = parse(t, c.Setup[0]), nil
		if c.Op == "merge" {
			r.New = mergePatch(r.Old, r.New)
		}
	}
	r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
	return r
}

func parse(t *testing.T, text []byte) *wire.Value {
	t.Helper()
	v, err := wire.JSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
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

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// errorLines gives an answer's errors, each once.
func errorLines(a recordedAnswer) []string {
	var lines []string
	for _, c := range a.Causes {
		line := c.Field + ": " + address.ReplaceAllString(c.Message, "0x0")
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(a.Causes) == 0 && a.Message != "" {
		lines = append(lines, a.Message)
	}
	return lines
}

// verdictLines gives the verdict's errors in the same form. What an inexact
// text leaves out is taken from the answer, if the rest of it is the same.
func verdictLines(got Answer, a recordedAnswer) []string {
	var lines []string
	for _, c := range got.Causes {
		text := c.Text
		if before, after, cut := strings.Cut(text, "…"); cut && c.Inexact {
			for _, said := range a.Causes {
				m := said.Message
				if said.Field == c.Field && len(m) >= len(before)+len(after) && strings.HasPrefix(m, before) && strings.HasSuffix(m, after) {
					text = address.ReplaceAllString(m, "0x0")
				}
			}
		}
		if c.Field != "" {
			text = c.Field + ": " + text
		}
		lines = append(lines, text)
	}
	return lines
}

// headerTexts gives the texts of Warning headers.
func headerTexts(headers []string) []string {
	var texts []string
	for _, h := range headers {
		text := strings.TrimSuffix(strings.TrimPrefix(h, `299 - "`), `"`)
		texts = append(texts, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text))
	}
	return texts
}
