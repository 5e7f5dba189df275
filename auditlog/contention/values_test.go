package contention_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
)

// shown returns the values of a field as text such as "0: a, b | 1: c".
func shown(x contention.Field) string {
	var sides []string
	for i, list := range x.Values {
		var texts []string
		for _, v := range list {
			switch v.Kind {
			case contention.ValueString:
				texts = append(texts, fmt.Sprintf("%q", v.Text))
			case contention.ValueJSON:
				texts = append(texts, v.Text)
			default:
				texts = append(texts, [...]string{"?", "absent", "empty", "present", "", "", "redacted"}[v.Kind])
			}
		}
		sides = append(sides, fmt.Sprintf("%d: %s", i, strings.Join(texts, ", ")))
	}
	return strings.Join(sides, " | ")
}

var (
	argo = scenario.Client{User: "argo", Agent: "argocd/v1", Manager: "argo"}
	op   = scenario.Client{User: "op", Agent: "op/v1", Manager: "op"}
)

// fightOver returns the fight of two clients that write an object in turn, five
// times each.
func fightOver(t *testing.T, cfg contention.Config, level, resource string, turn func(s *scenario.Server, tgt scenario.Target, side int)) contention.Fight {
	t.Helper()
	s := scenario.NewServer("values")
	tgt := scenario.Target{Version: "v1", Kind: "Object", Resource: resource, Namespace: "shop", Name: "x"}
	s.Create(scenario.Client{User: "creator", Agent: "c/v1"}, tgt, scenario.Object{"metadata": scenario.Object{"labels": scenario.Object{"a": "b"}}})
	for i := range 10 {
		turn(s, tgt, i%2)
		s.Wait(2e9)
	}
	log := s.Log()
	if level != "RequestResponse" {
		log = atLevel(t, log, level)
	}
	r := collect(t, cfg, 1, log).Report(contention.Thresholds{})
	if len(r.Fights) != 1 {
		t.Fatalf("%d fights", len(r.Fights))
	}
	return r.Fights[0]
}

// TestValues checks the values that a fight has for each side.
func TestValues(t *testing.T) {
	long := strings.Repeat("é", 50)
	for _, c := range []struct {
		name, resource, path string
		values               [2]any
		want                 string
		redact               bool
	}{
		{"numbers", "things", "spec.replicas", [2]any{3, 5}, "3 5", false},
		{"strings", "things", "spec.image", [2]any{"nginx:1", "3"}, `"nginx:1" "3"`, false},
		{"lists", "things", "spec.list", [2]any{[]any{"a"}, []any{"b", 1}}, `["a"] ["b",1]`, false},
		{"absent", "things", "metadata.labels.x", [2]any{"v", nil}, `"v" absent`, false},
		{"long", "things", "spec.text", [2]any{long, "a\nb\x00"}, `"` + long[:64] + `" "a\nb\x00"`, false},
		{"secret", "secrets", "data.x", [2]any{"hunter2", "hunter3"}, "redacted redacted", false},
		{"label of a secret", "secrets", "metadata.labels.x", [2]any{"1", "2"}, `"1" "2"`, false},
		{"password", "things", "data.db-PassWord", [2]any{"hunter2", "hunter3"}, "redacted redacted", false},
		{"token", "things", "metadata.labels.apiToken", [2]any{"hunter2", nil}, "redacted absent", false},
		{"harmless", "things", "spec.automountServiceAccountToken", [2]any{true, false}, "true false", false},
		{"key", "things", "data.x", [2]any{"-----BEGIN PRIVATE KEY-----", "none"}, `redacted "none"`, false},
		{"url", "things", "data.x", [2]any{"redis://me:hunter2@host/1", "redis://host"}, `redacted "redis://host"`, false},
		{"redacted", "things", "spec.replicas", [2]any{3, nil}, "redacted absent", true},
	} {
		for _, level := range []string{"RequestResponse", "Request"} {
			t.Run(c.name+" "+level, func(t *testing.T) {
				f := fightOver(t, contention.Config{Redact: c.redact}, level, c.resource, func(s *scenario.Server, tgt scenario.Target, side int) {
					var value any = c.values[side]
					names := strings.Split(c.path, ".")
					for i := len(names) - 1; i >= 0; i-- {
						value = scenario.Object{names[i]: value}
					}
					s.Merge([]scenario.Client{argo, op}[side], tgt, value.(scenario.Object))
				})
				if len(f.Fields) != 1 || len(f.Sides) != 2 {
					t.Fatalf("%+v", f)
				}
				list := f.Fields[0].Values
				if f.Sides[0].User == "op" {
					list[0], list[1] = list[1], list[0]
				}
				if got := strings.ReplaceAll(strings.ReplaceAll(shown(f.Fields[0]), "0: ", ""), " | 1: ", " "); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
				if len(f.Turns) != 3 || f.Turns[2].At <= f.Turns[0].At || f.Turns[0].Side == f.Turns[1].Side {
					t.Errorf("turns %+v", f.Turns)
				}
				for _, turn := range f.Turns {
					if turn.AuditID == "" || turn.Line == 0 {
						t.Errorf("turn %+v", turn)
					}
				}
			})
		}
	}
}

// TestStateHoldsNoCredential checks that an encoded collector contains only
// values that reports can show.
func TestStateHoldsNoCredential(t *testing.T) {
	s := scenario.NewServer("secret")
	for _, resource := range []string{"secrets", "configmaps"} {
		tgt := scenario.Target{Version: "v1", Kind: "Object", Resource: resource, Namespace: "shop", Name: "x"}
		s.Create(op, tgt, scenario.Object{"data": scenario.Object{"a": "b"}})
		s.Merge(op, tgt, scenario.Object{"data": scenario.Object{"plain": "value-of-" + resource, "password": "word-of-" + resource}})
	}
	for _, redact := range []bool{false, true} {
		state := string(collect(t, contention.Config{Redact: redact}, 1, s.Log()).Encode())
		for value, want := range map[string]bool{"value-of-configmaps": !redact, "value-of-secrets": false, "word-of-configmaps": false, "word-of-secrets": false} {
			if strings.Contains(state, value) != want {
				t.Errorf("redact %v: the state has %s: %v, want %v", redact, value, !want, want)
			}
		}
	}
}

// TestValuesAreBounded checks that values of a fight are kept in a log with too
// many values.
func TestValuesAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("a large log")
	}
	var log strings.Builder
	e := json.NewEncoder(&log)
	n := 0
	write := func(user, name, value string) {
		n++
		at := fmt.Sprintf("2026-11-21T%02d:%02d:%02d.%06dZ", n/3600/64%24, n/60/64%60, n/64%60, n%64)
		body := map[string]any{"data": map[string]any{"k": value}}
		if err := e.Encode(map[string]any{
			"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "Request", "auditID": fmt.Sprintf("00000000-0000-4000-8000-%012d", n), "stage": "ResponseComplete",
			"requestURI": "/api/v1/namespaces/shop/configmaps/" + name, "verb": "patch", "user": map[string]any{"username": user}, "userAgent": user + "/v1",
			"objectRef":      map[string]any{"resource": "configmaps", "namespace": "shop", "name": name, "apiVersion": "v1"},
			"responseStatus": map[string]any{"code": 200}, "requestObject": body, "requestReceivedTimestamp": at, "stageTimestamp": at,
		}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 12 {
		write([]string{"a", "b"}[i%2], "x", []string{"first", "second"}[i%2])
	}
	for i := range 200_000 {
		write("c", fmt.Sprint("other-", i), fmt.Sprint("value-", i))
	}
	r := collect(t, contention.Config{}, 2, []byte(log.String())).Report(contention.Thresholds{})
	if len(r.Fights) != 1 {
		t.Fatalf("%d fights", len(r.Fights))
	}
	if got := shown(r.Fights[0].Fields[0]); !strings.Contains(got, "first") || !strings.Contains(got, "second") {
		t.Error(got)
	}
	if id := r.Fights[0].Turns[2].AuditID; id == "" {
		t.Errorf("%+v", r.Fights[0].Turns)
	}
}

// TestClusterScopedObjects checks that a fight over a Namespace is reported
// without a namespace, although the server's events have one.
func TestClusterScopedObjects(t *testing.T) {
	s := scenario.NewServer("cluster")
	for _, tgt := range []scenario.Target{
		{Version: "v1", Kind: "Namespace", Resource: "namespaces", Namespace: "team", Name: "team"},
		{Group: "example.com", Version: "v1", Kind: "Namespace", Resource: "namespaces", Namespace: "team", Name: "team"},
	} {
		s.Create(op, tgt, scenario.Object{})
		for i := range 10 {
			s.Merge([]scenario.Client{argo, op}[i%2], tgt, scenario.Object{"metadata": scenario.Object{"labels": scenario.Object{"tier": fmt.Sprint(i % 2)}}})
			s.Wait(2e9)
		}
	}
	r := collect(t, contention.Config{}, 1, s.Log()).Report(contention.Thresholds{})
	var got []string
	for _, f := range r.Fights {
		got = append(got, f.Object.String())
	}
	if want := []string{"namespaces.example.com team/team", "namespaces team"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWebhookValues checks that a webhook that overwrites a value is
// distinguished from a webhook that adds a value.
func TestWebhookValues(t *testing.T) {
	for _, c := range []struct{ sent, op, values, text string }{
		{`"tier":"silver"`, "replace", `0: "gold" | 1: "silver"`, "webhook tier.example.com overwrites the value of metadata.labels.tier that op sends"},
		{`"tier":"silver"`, "add", `0: "gold" | 1: "silver"`, "webhook tier.example.com overwrites the value of metadata.labels.tier that op sends"},
		{`"app":"x"`, "add", `0: "gold" | 1: absent`, "webhook tier.example.com sets metadata.labels.tier, which op leaves out of every full update"},
	} {
		for _, level := range []string{"RequestResponse", "Request"} {
			var log strings.Builder
			for i := range 12 {
				object := func(labels string, version int) string {
					return fmt.Sprintf(`{"kind":"Thing","apiVersion":"v1","metadata":{"name":"x","namespace":"n","resourceVersion":"%d","labels":{%s}}}`, version, labels)
				}
				fmt.Fprintf(&log, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"%s","auditID":"%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/n/things/x","verb":"update","user":{"username":"op"},"userAgent":"op/1","objectRef":{"resource":"things","namespace":"n","name":"x","apiVersion":"v1"},"responseStatus":{"code":200},"requestObject":%s,`,
					level, i, object(c.sent, 0))
				if level == "RequestResponse" {
					fmt.Fprintf(&log, `"responseObject":%s,`, object(`"tier":"gold","app":"x"`, i+1))
				}
				fmt.Fprintf(&log, `"requestReceivedTimestamp":"2026-11-21T10:00:%02d.000000Z","stageTimestamp":"2026-11-21T10:00:%02d.000000Z","annotations":{"mutation.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"tier.example.com\",\"mutated\":true}","patch.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"tier.example.com\",\"patch\":[{\"op\":\"%s\",\"path\":\"/metadata/labels/tier\",\"value\":\"gold\"}],\"patchType\":\"JSONPatch\"}"}}`+"\n",
					i, i, c.op)
			}
			r := collect(t, contention.Config{}, 1, []byte(log.String())).Report(contention.Thresholds{})
			if len(r.Fights) != 1 {
				t.Errorf("%s at level %s: %d fights", c.sent, level, len(r.Fights))
				continue
			}
			if f := r.Fights[0]; shown(f.Fields[0]) != c.values || f.Cause.Text != c.text {
				t.Errorf("%s at level %s: %s: %s", c.sent, level, shown(f.Fields[0]), f.Cause.Text)
			}
		}
	}
}
