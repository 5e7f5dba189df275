package denial

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/auditlog"
)

// event returns an event. annotations and status are JSON.
func event(id string, code int, resource, name, annotations, status string) string {
	if status == "" {
		status = fmt.Sprintf(`{"metadata":{},"code":%d}`, code)
	}
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":%q,"stage":"ResponseComplete","requestURI":"/api/v1/namespaces/shop/%s","verb":"create","user":{"username":"dev"},"userAgent":"kubectl/v1.37.0","objectRef":{"resource":%q,"namespace":"shop","name":%q,"apiVersion":"v1"},"responseStatus":%s,"requestReceivedTimestamp":"2026-11-21T10:00:00.000000Z","stageTimestamp":"2026-11-21T10:00:01.000000Z","annotations":%s}`+"\n",
		id, resource, resource, name, status, annotations)
}

// annotations returns annotations as JSON. pairs are keys, each followed by its
// value.
func annotations(pairs ...string) string {
	m := map[string]string{"authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": ""}
	for pair := range slices.Chunk(pairs, 2) {
		m[pair[0]] = pair[1]
	}
	text, _ := json.Marshal(m)
	return string(text)
}

const failuresKey = "validation.policy.admission.k8s.io/validation_failure"

// failure returns an entry of the annotation with failures.
func failure(policy, binding string, expression int, message, actions string) string {
	return fmt.Sprintf(`{"message":%q,"policy":%q,"binding":%q,"expressionIndex":%d,"validationActions":[%s]}`, message, policy, binding, expression, actions)
}

// refusal returns a status.
func refusal(code int, message string, causes ...string) string {
	details := map[string]any{"name": "web", "kind": "pods"}
	var list []any
	for _, c := range causes {
		list = append(list, map[string]string{"message": c})
	}
	if list != nil {
		details["causes"] = list
	}
	text, _ := json.Marshal(map[string]any{"metadata": map[string]any{}, "status": "Failure", "message": message, "reason": "Forbidden", "details": details, "code": code})
	return string(text)
}

// worker collects the decisions in a log.
type worker struct{ found []*Request }

func (w *worker) Event(e *auditlog.Event, _ int) { w.found = append(w.found, Read(e, false)) }
func (w *worker) Part() []*Request               { p := w.found; w.found = nil; return p }

func read(t testing.TB, log string) (all []*Request) {
	t.Helper()
	in := []auditlog.Input{{Name: "log", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }}}
	_, err := auditlog.Read(context.Background(), slices.Values(in), auditlog.Options{Workers: 1}, func() auditlog.Worker[[]*Request] { return &worker{} },
		func(p []*Request, _ string, _ int) { all = append(all, p...) })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// lines returns the text of a request, with one line for each decision.
func lines(r *Request) []string {
	if r == nil {
		return nil
	}
	var out []string
	for _, d := range r.Decisions {
		text := fmt.Sprintf("%s %s %s/%s %s[%s]", d.Outcome, d.Kind, d.Policy, d.Binding, d.Namespace, d.Actions)
		for _, m := range d.Messages {
			text += fmt.Sprintf(" %d:%s", m.Expression, m.Text)
		}
		out = append(out, text)
	}
	if r.Evaluation != (Evaluation{}) {
		out = append(out, fmt.Sprintf("%+v", r.Evaluation))
	}
	for _, m := range r.Mutations {
		out = append(out, fmt.Sprintf("%+v", m))
	}
	if r.unreadable > 0 || r.dropped > 0 || r.cut {
		out = append(out, fmt.Sprintf("unreadable %d, dropped %d, cut %t", r.unreadable, r.dropped, r.cut))
	}
	return out
}

func TestRead(t *testing.T) {
	const denied = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: too many"
	const restricted = `PodSecurity "restricted:latest": runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)`
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"nothing", event("1", 201, "pods", "web", annotations(), ""), nil},
		{"another annotation", event("1", 201, "pods", "web", annotations("p/validation_failure", "x", "validation.policy.admission.k8s.io/other", "x", "podium", "x", "f", "", "mutation.webhook.admission.k8s.io", "x"), ""), nil},
		{"audited", event("1", 201, "pods", "web", annotations(failuresKey, "["+failure("p", "b", 1, "too \"many\"", `"Audit","Warn"`)+"]"), ""),
			[]string{`passed ValidatingAdmissionPolicy p/b [Audit,Warn] 1:too "many"`}},
		{"several", event("1", 201, "pods", "web", annotations(failuresKey, "["+failure("p", "b", 1, "m1", `"Audit"`)+","+failure("p", "b", 0, "m0", `"Audit"`)+","+failure("p", "b", 1, "of another param", `"Audit"`)+","+failure("q", "b", 0, "m", `"Audit"`)+"]"), ""),
			[]string{"passed ValidatingAdmissionPolicy p/b [Audit] 1:m1 0:m0", "passed ValidatingAdmissionPolicy q/b [Audit] 0:m"}},
		{"denied and audited", event("1", 422, "pods", "web", annotations(failuresKey, "["+failure("p", "b", 2, "too many", `"Deny","Audit"`)+","+failure("q", "b", 0, "m", `"Audit"`)+"]"), refusal(422, `pods "web" is forbidden: `+denied, denied)),
			[]string{"denied ValidatingAdmissionPolicy p/b [Deny,Audit] 2:too many", "failed ValidatingAdmissionPolicy q/b [Audit] 0:m"}},
		{"denied", event("1", 422, "pods", "web", annotations(), refusal(422, `pods "web" is forbidden: `+denied, denied)),
			[]string{"denied ValidatingAdmissionPolicy p/b [] -1:too many"}},
		{"denied, without causes", event("1", 422, "pods", "web", annotations(), refusal(422, `pods "web" is forbidden: `+denied)),
			[]string{"denied ValidatingAdmissionPolicy p/b [] -1:too many"}},
		{"configuration of a policy", event("1", 422, "pods", "web", annotations(), refusal(422, `pods "web" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: x`)),
			[]string{"denied ValidatingAdmissionPolicy p/ [] -1:failed to configure policy: x"}},
		{"mutating policy", event("1", 403, "pods", "web", annotations(), refusal(403, `policy 'p' with binding 'b' denied request: no such param`)),
			[]string{"denied MutatingAdmissionPolicy p/b [] -1:no such param"}},
		{"webhook", event("1", 400, "pods", "web", annotations(), refusal(400, `admission webhook "w.example.com" denied the request: no`)),
			[]string{"denied Webhook w.example.com/ [] -1:no"}},
		{"webhook without explanation", event("1", 400, "pods", "web", annotations(), refusal(400, `admission webhook "w.example.com" denied the request without explanation`)),
			[]string{"denied Webhook w.example.com/ [] -1:without explanation"}},
		{"a name that looks like a denial", event("1", 403, "pods", "x", `{"authorization.k8s.io/decision":"forbid"}`, refusal(403, `pods "\" is forbidden: `+denied+`" is forbidden: User "eve" cannot get resource "pods"`)), nil},
		{"other refusals", event("1", 409, "pods", "x", annotations(), refusal(409, `Operation cannot be fulfilled on pods "x": access denied request`)), nil},
		{"pod audited", event("1", 201, "pods", "web", annotations("pod-security.kubernetes.io/audit-violations", "would violate "+restricted, "pod-security.kubernetes.io/enforce-policy", "baseline:latest"), ""),
			[]string{`passed PodSecurity restricted:latest/ shop[] -1:runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)`, "{Namespace:shop Enforced:baseline:latest Exempt: Error:false}"}},
		{"template audited", event("1", 201, "replicationcontrollers", "web", annotations("pod-security.kubernetes.io/audit-violations", "would violate "+restricted), ""),
			[]string{`passed PodSecurityTemplate restricted:latest/ shop[] -1:runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)`}},
		{"pod denied by the same level", event("1", 403, "pods", "web", annotations("pod-security.kubernetes.io/audit-violations", "would violate "+restricted, "pod-security.kubernetes.io/enforce-policy", "restricted:latest"), refusal(403, `pods "web" is forbidden: violates `+restricted)),
			[]string{`denied PodSecurity restricted:latest/ shop[] -1:runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)`, "{Namespace:shop Enforced:restricted:latest Exempt: Error:false}"}},
		{"pod denied by a weaker level", event("1", 403, "pods", "web", annotations("pod-security.kubernetes.io/audit-violations", "would violate "+restricted, "pod-security.kubernetes.io/enforce-policy", "baseline:latest"), refusal(403, `pods "web" is forbidden: violates PodSecurity "baseline:latest": privileged`)),
			[]string{"denied PodSecurity baseline:latest/ shop[] -1:privileged", `failed PodSecurity restricted:latest/ shop[] -1:runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)`, "{Namespace:shop Enforced:baseline:latest Exempt: Error:false}"}},
		{"exempt", event("1", 201, "pods", "web", annotations("pod-security.kubernetes.io/exempt", "user"), ""), []string{"{Namespace:shop Enforced: Exempt:user Error:false}"}},
		{"error", event("1", 201, "pods", "web", annotations("pod-security.kubernetes.io/error", "Failed to parse policy: x"), ""), []string{"{Namespace:shop Enforced: Exempt: Error:true}"}},
		{"webhooks", event("1", 201, "pods", "web", annotations("mutation.webhook.admission.k8s.io/round_0_index_0", `{"configuration":"c","webhook":"w","mutated":false}`, "mutation.webhook.admission.k8s.io/round_1_index_0", `{"configuration":"c","webhook":"w","mutated":true}`,
			"failed-open.validating.webhook.admission.k8s.io/round_0_index_2", "v", "failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", "w", "patch.webhook.admission.k8s.io/round_0_index_0", "{}"), ""),
			[]string{"passed FailedOpen w/ []", "passed FailedOpen v/ []", "{Configuration:c Webhook:w Mutated:true}"}},
		{"keys of Elastic", event("1", 201, "pods", "web", annotations("validation_policy_admission_k8s_io/validation_failure", "["+failure("p", "b", 0, "m", `"Audit"`)+"]", "pod-security_kubernetes_io/exempt", "namespace"), ""),
			[]string{"passed ValidatingAdmissionPolicy p/b [Audit] 0:m", "{Namespace:shop Enforced: Exempt:namespace Error:false}"}},
		{"damaged", event("1", 201, "pods", "web", annotations(failuresKey, `[{"policy":"p"`, "pod-security.kubernetes.io/audit-violations", "violates", "mutation.webhook.admission.k8s.io/x", "[]", "failed-open.mutation.webhook.admission.k8s.io/x", ""), ""),
			[]string{"unreadable 4, dropped 0, cut false"}},
		{"another type", event("1", 201, "pods", "web", annotations(failuresKey, `["a",1]`), ""), []string{"unreadable 1, dropped 0, cut false"}},
		{"as many as a server writes", event("1", 201, "pods", "web", annotations(failuresKey, "["+strings.Repeat(failure("p", "b", 0, "m", `"Audit"`)+",", 49)+failure("p", "b", 0, "m", `"Audit"`)+"]"), ""),
			[]string{"passed ValidatingAdmissionPolicy p/b [Audit] 0:m", "unreadable 0, dropped 0, cut true"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, lines(read(t, c.log)[0])); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestReadIsBounded checks that the number and the length of the texts in a
// request are limited.
func TestReadIsBounded(t *testing.T) {
	long := strings.Repeat("é", 300)
	var list []string
	for i := range maxFailures + 10 {
		list = append(list, failure(fmt.Sprint("p", i, long[:10]), long, i, long[:20], `"Audit"`))
	}
	r := read(t, event("1", 201, long, long, annotations(failuresKey, "["+strings.Join(list, ",")+"]"), ""))[0]
	if len(r.Decisions) != maxDecisions || r.dropped == 0 || r.unreadable != 0 {
		t.Errorf("%d decisions, %d dropped, %d unreadable", len(r.Decisions), r.dropped, r.unreadable)
	}
	if len(r.Decisions[0].Binding) > maxName || len(r.Object.Name) > maxName {
		t.Errorf("%d and %d bytes", len(r.Decisions[0].Binding), len(r.Object.Name))
	}
}

// random returns a random request. There are few policies, clients and objects,
// so that several requests have the same policy, client or object.
func random(r *rand.Rand) (req *Request, user string, at Event) {
	req = &Request{AuditID: fmt.Sprint(r.IntN(100)), DryRun: r.IntN(5) == 0, Object: Object{Resource: "pods", Namespace: fmt.Sprint("n", r.IntN(3)), Name: []string{"", "a", "b"}[r.IntN(3)]}}
	for range r.IntN(3) {
		s := Subject{Kind: Kind(1 + r.IntN(int(kinds)-1)), Outcome: Outcome(1 + r.IntN(int(outcomes)-1)), Policy: fmt.Sprint("p", r.IntN(2))}
		req.decision(s).add(Message{r.IntN(4) - 1, fmt.Sprint("m", r.IntN(9))})
	}
	if r.IntN(2) == 0 {
		req.Evaluation = Evaluation{Namespace: req.Object.Namespace, Enforced: "baseline:latest", Error: r.IntN(2) == 0}
	}
	if r.IntN(3) == 0 {
		req.Mutations = []Mutation{{"c", fmt.Sprint("w", r.IntN(3)), r.IntN(2) == 0}}
	}
	req.cut, req.unreadable = r.IntN(9) == 0, int64(r.IntN(2))
	return req, fmt.Sprint("u", r.IntN(3)), Event{Stamp: int64(r.IntN(50)), Input: "log", Line: 1 + r.IntN(1000)}
}

func encoded(t testing.TB, table *Table) (*State, string) {
	t.Helper()
	text, err := json.Marshal(table.State())
	if err != nil {
		t.Fatal(err)
	}
	s := &State{}
	if err := json.Unmarshal(text, s); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return s, string(text)
}

// TestMerge checks that merged states of parts of a log equal the state of the
// whole log, byte for byte. The order must not matter.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		whole := &Table{}
		parts := make([]Table, 1+r.IntN(4))
		for line := range r.IntN(40) {
			req, user, at := random(r)
			at.Line = line + 1
			whole.Add(req, user, "kubectl", at)
			parts[r.IntN(len(parts))].Add(req, user, "kubectl", at)
		}
		_, want := encoded(t, whole)
		merged := &Table{}
		for _, i := range r.Perm(len(parts)) {
			s, _ := encoded(t, &parts[i])
			merged.Merge(s, 0)
		}
		if _, got := encoded(t, merged); got != want {
			t.Fatalf("round %d: merged\n%s\nwant\n%s", round, got, want)
		}
		wholeText, _ := json.Marshal(whole.Report())
		mergedText, _ := json.Marshal(merged.Report())
		if string(wholeText) != string(mergedText) {
			t.Fatalf("round %d: report of the merged\n%s\nwant\n%s", round, mergedText, wholeText)
		}
	}
}

// TestBounds checks that memory is limited, and that dropped data is counted.
func TestBounds(t *testing.T) {
	table := &Table{}
	for i := range maxDenials + 500 {
		r := &Request{Object: Object{Name: fmt.Sprint(i)}, Evaluation: Evaluation{Namespace: fmt.Sprint(i), Exempt: "user"}, Mutations: []Mutation{{"c", fmt.Sprint(i), true}}}
		r.decision(Subject{Kind: Webhook, Outcome: Denied, Policy: fmt.Sprint(i)})
		table.Add(r, "u", "a", Event{Line: i + 1})
	}
	for i := range maxRowsEach + 500 {
		r := &Request{Object: Object{Name: fmt.Sprint(i)}}
		d := r.decision(Subject{Kind: Webhook, Outcome: Denied, Policy: "0"})
		d.add(Message{i, "m"})
		table.Add(r, "u", "a", Event{Line: i + 1})
	}
	for i := range maxDenials {
		r := &Request{Object: Object{Name: "a"}}
		d := r.decision(Subject{Kind: Webhook, Outcome: Denied, Policy: fmt.Sprint(i)})
		for j := range maxExpressions {
			d.add(Message{j, "m"})
		}
		table.Add(r, "u", "a", Event{Line: i + 1})
	}
	if table.messages != maxMessages {
		t.Errorf("%d messages", table.messages)
	}
	r := table.Report()
	many := int64(maxDenials*maxExpressions - maxExpressions - (maxMessages - maxExpressions)) // the first policy keeps all its expressions
	want := Gaps{Decisions: 500, Rows: 501, Expressions: many + maxRowsEach + 500 - maxExpressions, Webhooks: maxDenials + 500 - maxWebhooks}
	if diff := cmp.Diff(want, r.Gaps); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	first := r.Denials[0]
	if first.Requests != maxRowsEach+502 || len(first.Rows) != maxRowsEach || first.Unlisted != 501 {
		t.Errorf("%d requests, %d rows, %d unlisted", first.Requests, len(first.Rows), first.Unlisted)
	}
}

// TestCheck checks that Check refuses a state that cannot be from a Table.
func TestCheck(t *testing.T) {
	for _, text := range []string{`{"kind":0,"outcome":1}`, `{"kind":200,"outcome":1}`, `{"kind":1,"outcome":9}`} {
		var d stateDenial
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		s := &State{Denials: []stateDenial{d}}
		if s.Check() == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

// FuzzRead checks that Read does not panic, whatever the annotations and the
// response are. It also checks that counts do not change when they are saved
// and merged.
func FuzzRead(f *testing.F) {
	f.Add(failuresKey, "["+failure("p", "b", 1, "m", `"Audit"`)+"]", "", 201)
	f.Add("pod-security.kubernetes.io/audit-violations", `would violate PodSecurity "restricted:latest": a`, `pods "a" is forbidden: violates PodSecurity "restricted:latest": a`, 403)
	f.Add("mutation.webhook.admission.k8s.io/round_0_index_0", `{"configuration":"c","webhook":"w","mutated":true}`, "", 200)
	f.Add("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "w", `admission webhook "w" denied the request: x`, 400)
	f.Add("", "", "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: x", 422)
	f.Add("", "", "policy \"p\" denied request: \xff", 403)
	f.Fuzz(func(t *testing.T, key, value, message string, code int) {
		code = max(0, min(code, 999))
		table := &Table{}
		for i, r := range read(t, event("1", code, "pods", key, annotations(key, value), refusal(code, message, value))) {
			if r == nil {
				continue
			}
			if len(r.Decisions) > maxDecisions || len(r.Mutations) > maxMutations {
				t.Errorf("%d decisions, %d mutations", len(r.Decisions), len(r.Mutations))
			}
			table.Add(r, key, value, Event{Line: i + 1})
		}
		s, want := encoded(t, table)
		again := &Table{}
		again.Merge(s, 0)
		if _, got := encoded(t, again); got != want {
			t.Errorf("read again\n%s\nwant\n%s", got, want)
		}
	})
}
