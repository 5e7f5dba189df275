package ruletest

import (
	"bytes"
	"encoding/json"
	goflag "flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/kubevet/kubevet/rules"
)

var update = goflag.Bool("update", false, "write the tables of audit logs into the pages")

// TestLogTables compares the tables in audit examples with the logs. With -update it
// replaces the tables.
func TestLogTables(t *testing.T) {
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, p := range all {
		found, err := examples(p, rules.SurfaceAudit)
		if err != nil {
			t.Fatal(err)
		}
		for _, ex := range found {
			if ex.Log == "" {
				t.Errorf("%s:%d: an audit example names its log: option log", ex.Page, ex.Line)
				continue
			}
			used[ex.Log] = true
			log, err := readLog(ex)
			if err != nil {
				t.Errorf("%s:%d: %v", ex.Page, ex.Line, err)
				continue
			}
			want, err := logTable(log)
			if err != nil {
				t.Errorf("%s:%d: %v", ex.Page, ex.Line, err)
			}
			if *update {
				replaceTable(t, ex, want)
			} else if string(ex.Source) != want {
				t.Errorf("%s:%d: the table is not that of the log; run go test -run=TestLogTables -update. Want\n%s", ex.Page, ex.Line, want)
			}
		}
	}
	logs, err := filepath.Glob(filepath.Join("testdata", "logs", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range logs {
		name, err := filepath.Rel(filepath.Join("testdata", "logs"), l)
		if err != nil {
			t.Fatal(err)
		}
		if !used[filepath.ToSlash(name)] {
			t.Errorf("no page uses log %s", name)
		}
	}
}

func readLog(ex Example) ([]byte, error) {
	return os.ReadFile(filepath.Join("testdata", "logs", filepath.FromSlash(ex.Log)))
}

func replaceTable(t *testing.T, ex Example, table string) {
	t.Helper()
	path := filepath.Join("..", "..", filepath.FromSlash(ex.Page))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Only the first line of the block is unique: each log is used in one example.
	opening := "log=" + ex.Log + "\n"
	before, after, found := strings.Cut(string(text), opening)
	_, after, closed := strings.Cut(after, "```\n")
	if !found || !closed {
		t.Fatalf("%s:%d: the block is not found", ex.Page, ex.Line)
	}
	if err := os.WriteFile(path, []byte(before+opening+table+"```\n"+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// maxRows is the maximal number of events in a table.
const maxRows = 6

// columns has the headings of a table. A column that is empty in all rows is left out.
var columns = []string{"TIME", "USER", "MANAGER", "VERB", "OBJECT", "CODE", "SENT", "MANAGED FIELDS AFTER", "ANNOTATION"}

// logTable returns a table of the first events in a log, and the number of the others. An
// error has the line of an event that cannot be parsed.
func logTable(log []byte) (string, error) {
	var rows [][]string
	for line := range bytes.Lines(log) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return "", fmt.Errorf("line %d of the log: %w", len(rows)+1, err)
		}
		row, err := e.row()
		if err != nil {
			return "", fmt.Errorf("line %d of the log: %w", len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	filled := func(column int) bool {
		return slices.ContainsFunc(rows, func(row []string) bool { return row[column] != "" })
	}
	var out bytes.Buffer
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{columns}, rows[:min(len(rows), maxRows)]...) {
		var cells []string
		for i, cell := range row {
			if filled(i) {
				cells = append(cells, cell)
			}
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	var table strings.Builder
	for line := range strings.Lines(out.String()) {
		table.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	if more := len(rows) - maxRows; more > 0 {
		fmt.Fprintf(&table, "… and %d more\n", more)
	}
	return table.String(), nil
}

// event has the fields of an audit event that a table shows.
type event struct {
	RequestURI string `json:"requestURI"`
	Verb       string
	User       struct{ Username string }
	ObjectRef  struct{ Resource, Subresource, Namespace, Name, APIGroup, APIVersion string }

	ResponseStatus struct{ Code int }
	RequestObject  map[string]any
	ResponseObject struct {
		Metadata struct {
			ManagedFields []struct{ Manager, Operation string }
		}
	}
	RequestReceivedTimestamp string
	Annotations              map[string]string
}

// row returns the cells for an event in the order of columns.
func (e event) row() ([]string, error) {
	uri, err := url.Parse(e.RequestURI)
	if err != nil {
		return nil, err
	}
	_, clock, _ := strings.Cut(e.RequestReceivedTimestamp, "T")
	clock, _, _ = strings.Cut(clock, ".")
	query := uri.Query()
	verb := e.Verb
	if query.Has("force") {
		verb += " force"
	}
	if query.Has("dryRun") {
		verb += " dry run"
	}
	code := ""
	if e.ResponseStatus.Code >= 400 {
		code = fmt.Sprint(e.ResponseStatus.Code)
	}
	sent, err := e.sent()
	if err != nil {
		return nil, err
	}
	user := strings.TrimPrefix(e.User.Username, "system:serviceaccount:")
	return []string{clock, user, query.Get("fieldManager"), verb, e.object(), code, sent, e.managedFields(), e.annotations()}, nil
}

// object returns the version, the resource and the name of the object in a request.
func (e event) object() string {
	ref := e.ObjectRef
	s := ref.APIVersion
	if ref.APIGroup != "" {
		s = ref.APIGroup + "/" + s
	}
	s += " " + ref.Resource
	if ref.Subresource != "" {
		s += "/" + ref.Subresource
	}
	name := ref.Name
	if ref.Namespace != "" {
		name = ref.Namespace + "/" + name
	}
	return strings.TrimRight(strings.TrimSuffix(s+" "+name, "/"), " ")
}

// sent returns the body of a request without the fields that identify the object.
func (e event) sent() (string, error) {
	if e.RequestObject == nil {
		return "", nil
	}
	delete(e.RequestObject, "kind")
	delete(e.RequestObject, "apiVersion")
	if metadata, ok := e.RequestObject["metadata"].(map[string]any); ok {
		for _, key := range []string{"name", "namespace", "resourceVersion", "uid"} {
			delete(metadata, key)
		}
		if len(metadata) == 0 {
			delete(e.RequestObject, "metadata")
		}
	}
	text, err := json.Marshal(e.RequestObject)
	return cutText(string(text), 160), err
}

// managedFields returns the managers in the response, with their operations.
func (e event) managedFields() string {
	var entries []string
	for _, entry := range e.ResponseObject.Metadata.ManagedFields {
		entries = append(entries, entry.Manager+" ("+entry.Operation+")")
	}
	return strings.Join(entries, ", ")
}

// annotations returns the annotations that the server and its plugins added to the event.
func (e event) annotations() string {
	var notes []string
	for key, value := range e.Annotations {
		if strings.HasPrefix(key, "authorization.k8s.io/") {
			continue // every event has these annotations
		}
		notes = append(notes, key[strings.Index(key, "/")+1:]+": "+cutText(value, 100))
	}
	slices.Sort(notes)
	return strings.Join(notes, "; ")
}

// cutText cuts a text after size bytes. The logs have only ASCII.
func cutText(s string, size int) string {
	if len(s) <= size {
		return s
	}
	return s[:size] + "…"
}
