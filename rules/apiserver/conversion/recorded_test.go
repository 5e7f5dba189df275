package conversion_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// To record the answers of releases to converted objects, for instance of
// 1.24.17:
//
//	go test ./rules/apiserver/conversion -ask DIR
//	go run -C internal/oracle ./convert -releases 1.24.17 -objects DIR/1.24.jsonl > DIR/1.24.answers
//	go run -C internal/oracle ./convert -releases 1.37.1 -dry -objects DIR/accepted.jsonl > DIR/accepted.answers
//	go test ./rules/apiserver/conversion -record DIR
var (
	ask    = flag.String("ask", "", "write the objects that the plans make to this directory, a file for each release")
	record = flag.String("record", "", "take what the releases answered from this directory into testdata")
)

// converted is a release's answer to an object in the old version, written by
// internal/oracle/convert.
type converted struct {
	ID        string          `json:"id"`
	Release   string          `json:"release"`
	From      json.RawMessage `json:"from"`
	ToVersion string          `json:"toVersion"`
	Defaulted json.RawMessage `json:"defaultedFrom"`
	To        json.RawMessage `json:"to"`
	Code      int             `json:"code"`
}

// fixedAnswer is a release's answer to an object that a plan converted.
type fixedAnswer struct {
	ID     string          `json:"id"`
	Sent   json.RawMessage `json:"sent"`
	Object json.RawMessage `json:"object"`
	// Code and Message are the HTTP status and the message of the answer.
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// servers returns the files with answers of released servers. It omits the
// answers of the newest release's code in internal/oracle/versions, because that
// code does not validate.
func servers(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/oracle/conversions-[0-9]*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded conversions: %v", err)
	}
	return files
}

func value(t *testing.T, data []byte) *wire.Value {
	t.Helper()
	v, err := wire.JSON(data)
	if err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// planTo returns a plan whose destination is apiVersion. It chooses a target that
// leads to this destination.
func planTo(t *testing.T, v *wire.Value, apiVersion string) (conversion.Plan, bool) {
	t.Helper()
	for m := lifecycle.Newest; m >= lifecycle.Oldest; m-- {
		target := targetOf(t, m.String())
		if plan, ok := conversion.Of(v, target); ok && plan.To.GroupVersion() == apiVersion && plan.To.State(m, target) == lifecycle.Served {
			return plan, true
		}
	}
	// No single minor leads to the destination. A range of minors may lead to it.
	for from := lifecycle.Newest - 1; from >= lifecycle.Oldest; from-- {
		for to := from + 1; to <= lifecycle.Newest; to++ {
			if plan, ok := conversion.Of(v, targetOf(t, from.String()+".."+to.String())); ok && plan.To.GroupVersion() == apiVersion && plan.Safety != conversion.Manual {
				return plan, true
			}
		}
	}
	return conversion.Plan{}, false
}

// TestRecorded checks safe plans. The converted object must equal the release's
// own result: the old object, stored and then read in the new version. The
// recorded request must contain the object that the plan makes today.
func TestRecorded(t *testing.T) {
	files := servers(t)
	tally := map[string]int{}
	for _, file := range files {
		minor := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "conversions-"), ".jsonl.gz")
		if *record != "" {
			joinRecording(t, filepath.Join(*record, minor), filepath.Join("testdata", "oracle", "fixed-"+minor+".jsonl.gz"))
		}
		answers := map[string]fixedAnswer{}
		if other := strings.Replace(file, "conversions-", "fixed-", 1); *ask == "" {
			for _, f := range recorded.Lines[fixedAnswer](t, other) {
				answers[f.ID] = f
			}
		}
		var questions strings.Builder
		for _, r := range recorded.Lines[converted](t, file) {
			if r.Code != 201 {
				tally["the release refused the old object"]++
				continue
			}
			id := r.ID + " " + r.ToVersion
			from := value(t, r.From)
			plan, ok := planTo(t, from, r.ToVersion)
			if !ok {
				api, _ := lifecycle.LookupGV(from.Get("apiVersion").Text, from.Get("kind").Text)
				if api.Deprecated() != 0 || api.Removed() != 0 {
					t.Errorf("%s: no target leads from %s to %s", r.ID, api, r.ToVersion)
				}
				tally["the old version is not deprecated"]++
				continue
			}
			tally[plan.Safety.String()]++
			if plan.Safety != conversion.Safe {
				if testing.Verbose() {
					t.Logf("%s %s is %s: %q", r.Release, id, plan.Safety, plan.Notes)
				}
				continue
			}
			applied, err := conversion.Apply(from, plan.Steps)
			if err != nil {
				t.Errorf("%s: %v", r.ID, err)
				continue
			}
			if *ask != "" {
				data, err := json.Marshal(map[string]any{"id": id, "obj": plain(applied)})
				if err != nil {
					t.Fatal(err)
				}
				questions.Write(append(data, '\n'))
				continue
			}
			f, ok := answers[id]
			if !ok || !conversion.Equal(sortedValue(t, plain(applied)), value(t, f.Sent)) {
				t.Errorf("%s %s: nobody has asked for what the plan makes; record it: internal/oracle/README.md", r.Release, id)
				continue
			}
			got, want := value(t, f.Object), value(t, r.To)
			if !strings.Contains(string(f.Sent), `"timeAdded"`) {
				// Servers add the time of the request.
				got, want = without(got, "timeAdded"), without(want, "timeAdded")
			}
			if !conversion.Equal(got, want) {
				t.Errorf("%s %s: the release shows the converted object as\n%s\nand the old one as\n%s", r.Release, id, show(got, ""), show(want, ""))
			}
		}
		if *ask != "" {
			if err := os.WriteFile(filepath.Join(*ask, minor+".jsonl"), []byte(questions.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Log(tally)
	if *ask == "" && tally["safe"] < 50 {
		t.Errorf("only %d conversions are safe", tally["safe"])
	}
}

// without returns a copy of a value without the fields called name, at any depth.
func without(v *wire.Value, name string) *wire.Value {
	result := *v
	result.Fields, result.Items = nil, nil
	for _, f := range v.Fields {
		if f.Name != name {
			result.Fields = append(result.Fields, wire.Field{Name: f.Name, Value: without(f.Value, name)})
		}
	}
	for _, item := range v.Items {
		result.Items = append(result.Items, without(item, name))
	}
	return &result
}

// TestAccepted checks that the newest release accepts the result of every plan,
// safe or not, if an older release accepted the original object.
func TestAccepted(t *testing.T) {
	files := servers(t)
	file := filepath.Join("testdata", "oracle", "accepted.jsonl.gz")
	if *record != "" {
		joinRecording(t, filepath.Join(*record, "accepted"), file)
	}
	answers := map[string]fixedAnswer{}
	if *ask == "" {
		for _, f := range recorded.Lines[fixedAnswer](t, file) {
			answers[f.ID] = f
		}
	}
	target := targetOf(t, lifecycle.Newest.String())
	var questions strings.Builder
	asked := 0
	for _, file := range files {
		for _, r := range recorded.Lines[converted](t, file) {
			if r.Code != 201 {
				continue
			}
			from := value(t, r.From)
			plan, ok := conversion.Of(from, target)
			if !ok || plan.Safety == conversion.Manual || plan.To.GroupVersion() != r.ToVersion {
				continue
			}
			applied, err := conversion.Apply(from, plan.Steps)
			if err != nil {
				t.Errorf("%s: %v", r.ID, err)
				continue
			}
			id := filepath.Base(file) + " " + r.ID
			asked++
			if *ask != "" {
				data, err := json.Marshal(map[string]any{"id": id, "obj": plain(applied)})
				if err != nil {
					t.Fatal(err)
				}
				questions.Write(append(data, '\n'))
				continue
			}
			f, ok := answers[id]
			switch {
			case !ok || !conversion.Equal(sortedValue(t, plain(applied)), value(t, f.Sent)):
				t.Errorf("%s: nobody has asked for what the plan makes; record it", id)
			case f.Code != 201:
				t.Errorf("%s: %s refuses the converted object, which is %s: %d %s", id, lifecycle.Newest, plan.Safety, f.Code, f.Message)
			}
		}
	}
	if *ask != "" {
		if err := os.WriteFile(filepath.Join(*ask, "accepted.jsonl"), []byte(questions.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if asked < 150 {
		t.Errorf("only %d objects were asked for", asked)
	}
}

// joinRecording joins recorded questions and answers and writes them to a file.
func joinRecording(t *testing.T, questions, file string) {
	t.Helper()
	read := func(name string) (all []map[string]json.RawMessage) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var entry map[string]json.RawMessage
			if err := json.Unmarshal(line, &entry); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, entry)
		}
		return all
	}
	sent := map[string]json.RawMessage{}
	for _, q := range read(questions + ".jsonl") {
		sent[string(q["id"])] = q["obj"]
	}
	var all []map[string]json.RawMessage
	for _, a := range read(questions + ".answers") {
		object := a["object"]
		if object == nil {
			object = json.RawMessage("null")
		}
		entry := map[string]json.RawMessage{"id": a["id"], "sent": sent[string(a["id"])], "object": object, "code": a["code"]}
		if m := a["message"]; m != nil {
			entry["message"] = m
		}
		all = append(all, entry)
	}
	recorded.Write(t, file, all)
}

func plain(v *wire.Value) any {
	switch v.Kind {
	case wire.Map:
		m := map[string]any{}
		for _, f := range v.Fields {
			m[f.Name] = plain(f.Value)
		}
		return m
	case wire.List:
		l := []any{}
		for _, item := range v.Items {
			l = append(l, plain(item))
		}
		return l
	case wire.String:
		return v.Text
	case wire.Bool:
		return v.Text == "true"
	case wire.Number:
		return json.Number(v.Text)
	}
	return nil
}

func sortedValue(t *testing.T, v any) *wire.Value {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return value(t, data)
}
