package tally

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/internal/corpustest"
	"github.com/kubevet/kubevet/rules"
)

// counted reads logs into a tally with Config.Keep.
func counted(t testing.TB, cfg Config, names []string, logs map[string]string) *Tally {
	t.Helper()
	cfg.Keep = true
	var inputs []auditlog.Input
	for _, name := range names {
		inputs = append(inputs, auditlog.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(logs[name])), nil }})
	}
	tl := New(cfg)
	if _, err := auditlog.Read(context.Background(), slices.Values(inputs), auditlog.Options{Workers: 2}, tl.Worker, tl.Add); err != nil {
		t.Fatal(err)
	}
	return tl
}

// encoded returns a state after it was written and read again, and its JSON.
func encoded(t testing.TB, tl *Tally) (*State, string) {
	t.Helper()
	data, err := json.Marshal(tl.State())
	if err != nil {
		t.Fatal(err)
	}
	s := &State{}
	if err := json.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	return s, string(data)
}

// line returns an event with random properties. There are few clients and objects, so that events
// share them.
func line(r *rand.Rand, id int) string {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	verb := pick("get", "update", "create", "patch", "watch", "list", "delete")
	group, version, resource := "policy", pick("v1beta1", "v1"), "poddisruptionbudgets"
	if r.IntN(3) == 0 {
		group, version, resource = "example.com", pick("v1", "v1alpha1"), "widgets"
	}
	name := fmt.Sprint("o", r.IntN(5))
	query := pick("", "?fieldManager=a", "?fieldManager=b&force=true", "?dryRun=All")
	stage, code := "ResponseComplete", pick("200", "201", "409", "404", "422", "500")
	if verb == "watch" && r.IntN(2) == 0 {
		stage = "ResponseStarted"
	}
	status := fmt.Sprintf(`{"code":%s}`, code)
	switch code {
	case "409":
		status = fmt.Sprintf(`{"code":409,"message":"Apply failed with 1 conflict: conflict with \"%s\": .spec.a","reason":"Conflict"}`, pick("x", "y"))
	case "422":
		status = `{"code":422,"message":"PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified for non-apply patch"}`
	}
	annotations := ""
	if group == "example.com" && version == "v1alpha1" && r.IntN(2) == 0 {
		annotations = `,"annotations":{"k8s.io/deprecated":"true"}`
	} else if r.IntN(2) == 0 {
		annotations = fmt.Sprintf(`,"annotations":{"validation.policy.admission.k8s.io/validation_failure":"[{\"message\":\"m%d\",\"policy\":\"p%d\",\"binding\":\"b\",\"expressionIndex\":%d,\"validationActions\":[\"Audit\"]}]","pod-security.kubernetes.io/enforce-policy":"%s:latest"}`,
			r.IntN(3), r.IntN(2), r.IntN(2), pick("baseline", "restricted"))
	}
	body := ""
	if verb == "create" || verb == "update" {
		body = fmt.Sprintf(`,"requestObject":{"kind":"Widget","odd":"%s"}`, pick("p", "q"))
	}
	at := fmt.Sprintf("2026-11-21T10:%02d:%02d.%06dZ", r.IntN(60), r.IntN(60), r.IntN(1000000))
	agent := pick("a/1", "b/2", "kube-apiserver/v1.33.2 (linux/amd64)")
	user := pick("u1", "u2", "system:apiserver")
	audit := fmt.Sprint("id", id)
	if verb == "watch" {
		audit = fmt.Sprint("w", r.IntN(40)) // some requests have two events
	}
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":%q,"stage":%q,"requestURI":"/apis/%s/%s/namespaces/n/%s/%s%s","verb":%q,"user":{"username":%q,"groups":["g"]},"sourceIPs":["10.0.0.%d"],"userAgent":%q,"objectRef":{"resource":%q,"namespace":"n","name":%q,"apiGroup":%q,"apiVersion":%q},"responseStatus":%s%s,"requestReceivedTimestamp":%q,"stageTimestamp":%q%s}`+"\n",
		audit, stage, group, version, resource, name, query, verb, user, r.IntN(2), agent, resource, name, group, version, status, body, at, at, annotations)
}

func oddBodies() *Judge {
	return &Judge{Words: [][]byte{[]byte("odd")}, Body: func(body []byte) []rules.Finding {
		return []rules.Finding{{Rule: "odd", Path: "odd", Message: string(body)}}
	}}
}

// TestMerge checks that merged states of parts of a log equal the state of the
// whole log, byte for byte. The order of merging must not matter.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		logs := map[string]string{}
		var names []string
		for i := range 1 + r.IntN(6) {
			name := fmt.Sprintf("%c.log", 'a'+i)
			var b strings.Builder
			for j := range r.IntN(60) {
				b.WriteString(line(r, round*10000+i*1000+j))
			}
			logs[name] = b.String()
			names = append(names, name)
		}
		cfg := Config{Judge: oddBodies()}
		whole := counted(t, cfg, names, logs)
		_, want := encoded(t, whole)
		report := reportText(whole.Report())
		for range 4 {
			r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			var states []*State
			for i := 0; i < len(names); {
				n := 1 + r.IntN(len(names)-i)
				s, _ := encoded(t, counted(t, cfg, names[i:i+n], logs))
				states = append(states, s)
				i += n
			}
			for len(states) > 1 { // merge pairs in a random order
				r.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
				tl := New(Config{Judge: oddBodies(), Keep: true})
				for _, s := range states[:2] {
					if err := tl.Merge(s); err != nil {
						t.Fatal(err)
					}
				}
				s, _ := encoded(t, tl)
				states = append(states[2:], s)
			}
			tl := New(Config{Judge: oddBodies(), Keep: true})
			if err := tl.Merge(states[0]); err != nil {
				t.Fatal(err)
			}
			if _, got := encoded(t, tl); got != want {
				t.Fatalf("round %d: merged\n%s\nwant\n%s", round, got, want)
			}
			if got := reportText(tl.Report()); got != report {
				t.Fatalf("round %d: report of the merged\n%s\nwant\n%s", round, got, report)
			}
		}
	}
}

func reportText(r *Report) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Requests, r.Copies, r.Stages, r.OpenWatches, r.First, r.Last, r.Server, r.Overflow)
	for _, g := range r.Groups {
		fmt.Fprintln(&b, g.Client.User, g.Client.Agent, g.API, g.Verb, g.Code, g.Name, g.Removed, g.RemovedAt, g.DeprecatedAt, g.Count, g.Derived, g.Rejected, g.Open, g.First, g.Last, g.At, g.AuditIDs)
	}
	for _, c := range r.Clients {
		fmt.Fprintln(&b, c.User, c.Agent, c.SourceIP, c.Counts, c.UnnamedAt, c.Managers, c.Derived, c.Program)
	}
	for _, x := range r.Conflicts {
		fmt.Fprintln(&b, x.Client.User, x.API, x.Manager, x.Field, x.Count)
	}
	for _, x := range r.Refused {
		fmt.Fprintln(&b, x.Client.User, x.Kind, x.Text, x.Count)
	}
	for _, x := range r.Bodies {
		fmt.Fprintln(&b, x.Client.User, x.API, x.Finding, x.Count, x.At, x.Objects)
	}
	for _, d := range r.Denials.Denials {
		fmt.Fprintln(&b, d.Subject, d.Counts, d.Expressions)
		for _, x := range d.Rows {
			fmt.Fprintln(&b, *x)
		}
	}
	fmt.Fprintln(&b, r.Denials.Evaluations, r.Denials.Webhooks, r.Denials.Gaps)
	return b.String()
}

// TestMergeRecorded merges states of parts of a real log, which is split at
// random lines.
func TestMergeRecorded(t *testing.T) {
	for _, name := range []string{"1.24-Metadata", "1.36-RequestResponse"} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(corpustest.Path(t, "audit", "real", name+".log.gz"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(3, 4))
			logs := map[string]string{}
			var names []string
			for i := 0; len(data) > 0; i++ {
				n := r.IntN(len(data)/3 + 1)
				if end := bytes.IndexByte(data[n:], '\n'); end >= 0 && i < 5 {
					n += end + 1
				} else {
					n = len(data)
				}
				name := fmt.Sprintf("audit.log.%d", i)
				logs[name], names = string(data[:n]), append(names, name)
				data = data[n:]
			}
			_, want := encoded(t, counted(t, Config{}, names, logs))
			tl := New(Config{Keep: true})
			for _, i := range r.Perm(len(names)) {
				s, _ := encoded(t, counted(t, Config{}, names[i:i+1], logs))
				if err := tl.Merge(s); err != nil {
					t.Fatal(err)
				}
			}
			if _, got := encoded(t, tl); got != want {
				t.Errorf("%d files merged give %d bytes, want %d", len(names), len(got), len(want))
			}
		})
	}
}

// TestMergeRefuses checks that a state with other settings, or a damaged state,
// is not added.
func TestMergeRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	logs := map[string]string{"a": line(r, 1) + line(r, 2) + line(r, 3)}
	tl := counted(t, Config{}, []string{"a"}, logs)
	s, before := encoded(t, tl)
	filtered := New(Config{Filter: Filter{Users: []string{"x*"}}, Keep: true})
	if err := filtered.Merge(s); err == nil || !strings.Contains(err.Error(), "this run counts with --target 1.37 and filters (user x*)") {
		t.Errorf("error %v", err)
	}
	damaged := *s
	damaged.Uses = append(slices.Clone(s.Uses), stateUse{Client: len(s.Clients)})
	for _, bad := range []*State{{Config: s.Config}, &damaged} {
		if err := tl.Merge(bad); err == nil || !strings.Contains(err.Error(), "the state is damaged") {
			t.Errorf("error %v", err)
		}
	}
	if _, after := encoded(t, tl); after != before {
		t.Error("a state that was refused was added")
	}
}

// TestShared checks that Shared detects a log that is in two states.
func TestShared(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	logs := map[string]string{}
	for i, name := range []string{"a", "b", "c"} {
		var b strings.Builder
		for j := range 3000 {
			b.WriteString(line(r, i*10000+j))
		}
		logs[name] = b.String()
	}
	both, _ := encoded(t, counted(t, Config{}, []string{"b", "c"}, logs))
	for _, c := range []struct {
		names    []string
		from, to float64
	}{{[]string{"a"}, 0, 0}, {[]string{"b"}, 0.45, 0.55}, {[]string{"c", "b"}, 1, 1}, {nil, 0, 0}} {
		if got := counted(t, Config{}, c.names, logs).Shared(both); got < c.from || got > c.to {
			t.Errorf("%v shares %v with b and c, want %v to %v", c.names, got, c.from, c.to)
		}
	}
}

// TestMergeOldState checks that an old state without decisions can be added.
// The decisions of its requests must count as unknown.
func TestMergeOldState(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	logs := map[string]string{"a": line(r, 1) + line(r, 2), "b": line(r, 3)}
	s, text := encoded(t, counted(t, Config{}, []string{"a"}, logs))
	if s.Denials == nil {
		t.Fatalf("a state without decisions: %s", text)
	}
	s.Denials = nil
	tl := counted(t, Config{}, []string{"b"}, logs)
	if err := tl.Merge(s); err != nil {
		t.Fatal(err)
	}
	if got := tl.Report().Denials.Gaps.Uncounted; got != s.Requests || got == 0 {
		t.Errorf("%d requests without decisions, want %d", got, s.Requests)
	}
	s.Denials = &denial.State{}
	if err := json.Unmarshal([]byte(`{"denials":[{"kind":99,"outcome":1,"policy":"","binding":"","namespace":"","actions":"","requests":1,"dryRuns":0,"first":0,"last":{"stamp":0,"input":"","line":0,"auditID":"","message":""},"unlisted":0,"unnamed":0,"expressions":[],"rows":[]}]}`), s.Denials); err != nil {
		t.Fatal(err)
	}
	if err := tl.Merge(s); err == nil || !strings.Contains(err.Error(), "the state is damaged") {
		t.Errorf("error %v", err)
	}
}

// TestDecisions checks that the decisions about a request are counted once.
// They must be counted for the client that reports show, and only for requests
// that the filter selects.
func TestDecisions(t *testing.T) {
	const event = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d","stage":%q,"requestURI":"/apis/%s/v1/namespaces/n/widgets?dryRun=All","verb":"create","user":{"username":"u"},"impersonatedUser":{"username":"%s"},"userAgent":"kubectl/v1.%d.0 (linux)","objectRef":{"resource":"widgets","namespace":"n","name":"o","apiGroup":%q,"apiVersion":"v1"},"responseStatus":{"code":201},"stageTimestamp":"2026-11-21T10:00:0%d.5Z","annotations":%s}` + "\n"
	const noted = `{"validation.policy.admission.k8s.io/validation_failure":"[{\"message\":\"m\",\"policy\":\"p\",\"binding\":\"b\",\"expressionIndex\":0,\"validationActions\":[\"Audit\"]}]"}`
	var log strings.Builder
	for _, stage := range []string{"RequestReceived", "ResponseComplete", "ResponseComplete"} {
		fmt.Fprintf(&log, event, 1, stage, "apps", "dev", 30, "apps", 1, noted)
	}
	fmt.Fprintf(&log, event, 2, "ResponseComplete", "apps", "dev", 31, "apps", 2, noted)
	fmt.Fprintf(&log, event, 3, "ResponseComplete", "apps", "other", 31, "apps", 3, noted)
	// The server of an aggregated API logs the same request as the server that
	// passed it on. Only the event of the API's own server has the decisions.
	fmt.Fprintf(&log, event, 4, "ResponseComplete", "example.com", "dev", 31, "example.com", 4, "{}")
	fmt.Fprintf(&log, event, 4, "ResponseComplete", "example.com", "dev", 31, "example.com", 5, noted)
	r := tallyText(t, Config{Filter: Filter{Users: []string{"dev"}}}, 2, log.String())
	if r.Requests != 3 || len(r.Denials.Denials) != 1 {
		t.Fatalf("%d requests, %+v", r.Requests, r.Denials)
	}
	d := r.Denials.Denials[0]
	if d.Requests != 3 || d.DryRuns != 3 || len(d.Rows) != 2 || d.Rows[0].User != "dev" || d.Rows[0].Agent != "kubectl" || d.Rows[0].Requests != 2 || d.Last.Line != 7 {
		t.Errorf("%+v", *d)
		for _, x := range d.Rows {
			t.Errorf("%+v", *x)
		}
	}
}
