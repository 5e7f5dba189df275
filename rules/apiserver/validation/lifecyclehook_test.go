package validation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// serverWith returns a server with some gates set, such as "Gate" or
// "Gate=false".
func serverWith(minor lifecycle.Minor, gates ...string) apiserver.Server {
	set := map[string]bool{}
	for _, g := range gates {
		name, on, _ := strings.Cut(g, "=")
		set[name] = on != "false"
	}
	return recorded.WithGates(minor, set)
}

func onCreate(s apiserver.Server, apiVersion, kind string, obj *wire.Value) []apiserver.Cause {
	return LifecycleHooks(s, apiserver.Request{APIVersion: apiVersion, Kind: kind, New: obj})
}

func onUpdate(s apiserver.Server, apiVersion, kind string, old, obj *wire.Value) []apiserver.Cause {
	return aboutLifecycleHooks(Causes(s, apiserver.Request{APIVersion: apiVersion, Kind: kind, Old: old, New: obj}))
}

func value(t testing.TB, text []byte) *wire.Value {
	t.Helper()
	v, err := wire.JSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func lines(causes []apiserver.Cause) string {
	var all []string
	for _, c := range causes {
		all = append(all, strings.TrimPrefix(c.Field+": "+c.Text, ": "))
	}
	return strings.Join(all, "\n")
}

// pod returns a pod whose container has the lifecycle. grace is the pod's grace
// period, or "".
func pod(lifecycle, grace string) string {
	if grace != "" {
		grace = `,"terminationGracePeriodSeconds":` + grace
	}
	return `{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"c","image":"i","lifecycle":` + lifecycle + `}]` + grace + `}}`
}

func preStop(seconds string) string { return `{"preStop":{"sleep":{"seconds":` + seconds + `}}}` }

// TestSleepByMinorAndGate tests minors and gates for which no server was
// recorded. The texts are those of each release's code.
func TestSleepByMinorAndGate(t *testing.T) {
	const (
		prefix   = "spec.containers[0].lifecycle.preStop"
		required = prefix + ": Required value: must specify a handler type"
		greater  = ".sleep: Invalid value: %s: must be greater than 0 and less than terminationGracePeriodSeconds (30)"
		negative = prefix + ".sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds (30)"
		hint     = ". Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep."
	)
	zero, minus := prefix+fmt.Sprintf(greater, "0"), prefix+fmt.Sprintf(greater, "-1")
	tests := []struct {
		server apiserver.Server
		// The errors for 5, 0 and -1 seconds.
		five, zero, minus string
	}{
		{apiserver.Server{Minor: 16}, required, required, required},
		{apiserver.Server{Minor: 21}, required, required, required},
		{apiserver.Server{Minor: 28}, required, required, required},
		{apiserver.Server{Minor: 29}, required, required, required},
		{serverWith(29, "PodLifecycleSleepAction"), "", zero, minus},
		{apiserver.Server{Minor: 30}, "", zero, minus},
		{serverWith(30, "PodLifecycleSleepAction=false"), "", "", ""},
		{apiserver.Server{Minor: 31}, "", zero, minus},
		{apiserver.Server{Minor: 32}, "", zero + hint, minus + hint},
		{serverWith(32, "PodLifecycleSleepActionAllowZero"), "", "", negative},
		{serverWith(32, "PodLifecycleSleepAction=false"), "", "", ""},
		{apiserver.Server{Minor: 33}, "", "", negative},
		{serverWith(33, "PodLifecycleSleepActionAllowZero=false"), "", zero + hint, minus + hint},
		{serverWith(33, "PodLifecycleSleepAction=false", "PodLifecycleSleepActionAllowZero=false"), "", "", ""},
		{apiserver.Server{Minor: 34}, "", "", negative},
		{apiserver.Server{Minor: 36}, "", "", negative},
		{apiserver.Server{Minor: 37}, "", "", negative},
		// A gate that was removed is always on.
		{serverWith(37, "PodLifecycleSleepAction=false", "PodLifecycleSleepActionAllowZero=false"), "", "", negative},
	}
	for i, tt := range tests {
		for seconds, want := range map[string]string{"5": tt.five, "0": tt.zero, "-1": tt.minus} {
			obj := value(t, []byte(pod(preStop(seconds), "")))
			if diff := cmp.Diff(want, lines(onCreate(tt.server, "v1", "Pod", obj))); diff != "" {
				t.Errorf("%d: %v, %s seconds (-want +got):\n%s", i, tt.server.Minor, seconds, diff)
			}
		}
	}
}

func TestInitContainersByMinor(t *testing.T) {
	object := func(policy string) *wire.Value {
		return value(t, []byte(`{"spec":{"containers":[{"name":"c"}],"initContainers":[{"name":"i"`+policy+`,"lifecycle":{"postStart":{"exec":{}}}}]}}`))
	}
	const at = "spec.initContainers[0].lifecycle"
	const handler = at + ".postStart.exec.command: Required value"
	tests := []struct {
		server         apiserver.Server
		plain, sidecar string
	}{
		{apiserver.Server{Minor: 16}, handler + "\n" + at + ": Invalid value: core.Lifecycle{PostStart:(*core.Handler)(0x0), PreStop:(*core.Handler)(nil)}: must not be set for init containers", "as plain"},
		{apiserver.Server{Minor: 24}, handler + "\n" + at + ": Invalid value: core.Lifecycle{PostStart:(*core.LifecycleHandler)(0x0), PreStop:(*core.LifecycleHandler)(nil)}: must not be set for init containers", "as plain"},
		{apiserver.Server{Minor: 25}, at + ": Forbidden: may not be set for init containers", "as plain"},
		{apiserver.Server{Minor: 27}, at + ": Forbidden: may not be set for init containers", "as plain"},
		{apiserver.Server{Minor: 28}, at + ": Forbidden: may not be set for init containers without restartPolicy=Always", "as plain"},
		{serverWith(28, "SidecarContainers"), at + ": Forbidden: may not be set for init containers without restartPolicy=Always", handler},
		{apiserver.Server{Minor: 29}, at + ": Forbidden: may not be set for init containers without restartPolicy=Always", handler},
		{serverWith(29, "SidecarContainers=false"), at + ": Forbidden: may not be set for init containers without restartPolicy=Always", "as plain"},
		{apiserver.Server{Minor: 37}, at + ": Forbidden: may not be set for init containers without restartPolicy=Always", handler},
	}
	for i, tt := range tests {
		if tt.sidecar == "as plain" {
			tt.sidecar = tt.plain
		}
		if diff := cmp.Diff(tt.plain, lines(onCreate(tt.server, "v1", "Pod", object("")))); diff != "" {
			t.Errorf("%d: %v, plain (-want +got):\n%s", i, tt.server.Minor, diff)
		}
		if diff := cmp.Diff(tt.sidecar, lines(onCreate(tt.server, "v1", "Pod", object(`,"restartPolicy":"Always"`)))); diff != "" {
			t.Errorf("%d: %v, sidecar (-want +got):\n%s", i, tt.server.Minor, diff)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	const object = "Pod in version \"v1\" cannot be handled as a Pod: "
	const prefix = object + "json: cannot unmarshal "
	tests := []struct{ text, want string }{
		{`{"spec":5}`, prefix + "number into Go struct field Pod.spec of type v1.PodSpec"},
		{`{"spec":{"containers":{}}}`, prefix + "object into Go struct field PodSpec.spec.containers of type []v1.Container"},
		{`{"spec":{"containers":["c"]}}`, prefix + "string into Go struct field PodSpec.spec.containers of type v1.Container"},
		{pod(`[]`, ""), prefix + "array into Go struct field Container.spec.containers.lifecycle of type v1.Lifecycle"},
		{pod(`{"preStop":true}`, ""), prefix + "bool into Go struct field Lifecycle.spec.containers.lifecycle.preStop of type v1.LifecycleHandler"},
		{pod(`{"preStop":{"exec":{"command":"sleep 5"}}}`, ""), prefix + "string into Go struct field ExecAction.spec.containers.lifecycle.preStop.exec.command of type []string"},
		{pod(`{"preStop":{"exec":{"command":["sleep",5]}}}`, ""), prefix + "number into Go struct field ExecAction.spec.containers.lifecycle.preStop.exec.command of type string"},
		{pod(`{"preStop":{"httpGet":{"port":80.5}}}`, ""), prefix + "number 80.5 into Go struct field HTTPGetAction.spec.containers.lifecycle.preStop.httpGet.port of type int32"},
		{pod(preStop(`{}`), ""), prefix + "object into Go struct field SleepAction.spec.containers.lifecycle.preStop.sleep.seconds of type int64"},
		{pod(preStop(`9223372036854775808`), ""), prefix + "number 9223372036854775808 into Go struct field SleepAction.spec.containers.lifecycle.preStop.sleep.seconds of type int64"},
		// Only the first error is reported.
		{pod(preStop(`"5"`), `"30"`), prefix + "string into Go struct field SleepAction.spec.containers.lifecycle.preStop.sleep.seconds of type int64"},
		// A later error in a type that decodes itself replaces the first error.
		{pod(`{"postStart":{"sleep":"5s"},"preStop":{"tcpSocket":{"port":true}}}`, ""), prefix + "bool into Go struct field TCPSocketAction.spec.containers.lifecycle.preStop.tcpSocket.port of type int32"},
		// Null counts as absent, and -0 as an integer.
		{pod(preStop(`-0`), `null`), ""},
		{pod(`{"preStop":null,"postStart":{"sleep":{"seconds":null}}}`, ""), ""},
		{`{"spec":{"containers":[null]}}`, ""},
		{`{"spec":null}`, ""},
	}
	ephemeral := value(t, []byte(`{"spec":{"ephemeralContainers":[{"lifecycle":[]}]}}`))
	for minor, field := range map[lifecycle.Minor]string{34: "spec.ephemeralContainers.lifecycle", 35: "spec.ephemeralContainers.EphemeralContainerCommon.lifecycle"} {
		want := prefix + "array into Go struct field EphemeralContainer." + field + " of type v1.Lifecycle"
		if diff := cmp.Diff(want, lines(onCreate(apiserver.Server{Minor: minor}, "v1", "Pod", ephemeral))); diff != "" {
			t.Errorf("%v (-want +got):\n%s", minor, diff)
		}
	}
	for _, tt := range tests {
		got := onCreate(apiserver.Server{Minor: 37}, "v1", "Pod", value(t, []byte(tt.text)))
		if diff := cmp.Diff(tt.want, lines(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
		if tt.want != "" && (got[0].Code != 400 || got[0].At == nil) {
			t.Errorf("%s: code %d at %v", tt.text, got[0].Code, got[0].At)
		}
	}
}

func TestSleepUpdateRatchet(t *testing.T) {
	template := func(first, second string) *wire.Value {
		return value(t, []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"a","lifecycle":`+preStop(first)+`},{"name":"b","lifecycle":`+preStop(second)+`}]}}}}`))
	}
	const b = "spec.template.spec.containers[1].lifecycle.preStop.sleep: Invalid value: "
	tests := []struct {
		server   apiserver.Server
		old, new *wire.Value
		want     string
	}{
		// If the stored pod has a sleep of zero seconds, zero is allowed, and the
		// text about other values changes.
		{apiserver.Server{Minor: 32}, template("0", "5"), template("5", "0"), ""},
		{apiserver.Server{Minor: 32}, template("0", "5"), template("5", "-1"), b + "-1: must be non-negative and less than terminationGracePeriodSeconds (30)"},
		{apiserver.Server{Minor: 32}, template("5", "5"), template("5", "0"), b + "0: must be greater than 0 and less than terminationGracePeriodSeconds (30). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep."},
		{apiserver.Server{Minor: 31}, template("0", "5"), template("5", "0"), b + "0: must be greater than 0 and less than terminationGracePeriodSeconds (30)"},
		// A sleep that is too long is refused even if it does not change.
		{apiserver.Server{Minor: 36}, template("5", "31"), template("5", "31"), b + "31: must be non-negative and less than terminationGracePeriodSeconds (30)"},
		// Sleep actions are dropped only if the stored pod has none.
		{serverWith(31, "PodLifecycleSleepAction=false"), template("5", "5"), template("5", "31"), b + "31: must be greater than 0 and less than terminationGracePeriodSeconds (30)"},
		{serverWith(31, "PodLifecycleSleepAction=false"), value(t, []byte(`{}`)), template("5", "31"), ""},
	}
	for i, tt := range tests {
		if diff := cmp.Diff(tt.want, lines(onUpdate(tt.server, "apps/v1", "Deployment", tt.old, tt.new))); diff != "" {
			t.Errorf("%d (-want +got):\n%s", i, diff)
		}
	}
	// From 1.34 on, the template of a StatefulSet is validated, on update only if
	// the stored template is valid.
	set := func(seconds string) *wire.Value {
		return value(t, []byte(`{"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"a":"b"}},"serviceName":"a","template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"a","image":"i","lifecycle":`+preStop(seconds)+`}]}}}}`))
	}
	bad, worse, good := set("99"), set("-5"), set("5")
	for _, tt := range []struct {
		minor    lifecycle.Minor
		old, new *wire.Value
		refused  bool
	}{{33, good, bad, false}, {34, good, bad, true}, {36, bad, worse, false}, {37, bad, worse, false}, {37, good, good, false}} {
		if got := onUpdate(apiserver.Server{Minor: tt.minor}, "apps/v1", "StatefulSet", tt.old, tt.new); (len(got) > 0) != tt.refused {
			t.Errorf("%v: %s", tt.minor, lines(got))
		}
	}
}

func TestServedVersions(t *testing.T) {
	obj := value(t, []byte(`{"spec":{"template":{"spec":{"containers":[{"lifecycle":{"preStop":{}}}]}},"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"lifecycle":{"preStop":{}}}]}}}}}}`))
	for _, tt := range []struct {
		apiVersion, kind string
		minor            lifecycle.Minor
		answers          bool
	}{
		{"extensions/v1beta1", "Deployment", 17, true}, {"extensions/v1beta1", "Deployment", 18, false},
		{"apps/v1beta2", "DaemonSet", 16, true}, {"apps/v1beta1", "DaemonSet", 16, false},
		{"batch/v2alpha1", "CronJob", 20, true}, {"batch/v2alpha1", "CronJob", 21, false},
		{"batch/v1beta1", "CronJob", 24, true}, {"batch/v1beta1", "CronJob", 25, false},
		{"batch/v1", "CronJob", 20, false}, {"batch/v1", "CronJob", 21, true},
		{"argoproj.io/v1alpha1", "Rollout", 37, false}, {"v1", "Deployment", 37, false},
	} {
		if got := onCreate(apiserver.Server{Minor: tt.minor}, tt.apiVersion, tt.kind, obj); (len(got) > 0) != tt.answers {
			t.Errorf("%s %s in %v: %s", tt.apiVersion, tt.kind, tt.minor, lines(got))
		}
	}
}

func TestTemplateLifecycleHooks(t *testing.T) {
	spec := value(t, []byte(`{"terminationGracePeriodSeconds":10,"containers":[{"name":"c","image":"i","lifecycle":`+preStop("60")+`}]}`))
	got := lines(TemplateLifecycleHooks(apiserver.Server{Minor: 37}, "spec.template.spec", spec))
	want := "spec.template.spec.containers[0].lifecycle.preStop.sleep: Invalid value: 60: must be non-negative and less than terminationGracePeriodSeconds (10)"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got = lines(TemplateLifecycleHooks(apiserver.Server{Minor: 37}, "spec.template.spec", value(t, []byte(`{"containers":5}`))))
	if want := "json: cannot unmarshal number into Go value of type []v1.Container"; !strings.Contains(got, "cannot unmarshal number") {
		t.Errorf("got %s, want something like %s", got, want)
	}
}

// TestCausePositions checks that causes point to the user's text.
func TestCausePositions(t *testing.T) {
	text := "{\"spec\":{\"containers\":[{\"name\":\"c\",\"lifecycle\":{\n\"preStop\":{\"sleep\":{\"seconds\":99}},\n\"postStart\":{}\n}}]}}"
	causes := onCreate(apiserver.Server{Minor: 37}, "v1", "Pod", value(t, []byte(text)))
	if len(causes) != 2 {
		t.Fatalf("causes: %s", lines(causes))
	}
	for i, want := range []wire.Pos{{Line: 3, Column: 13}, {Line: 2, Column: 31}} {
		if got := causes[i].At.Pos; got != want {
			t.Errorf("%s stands at %v, want %v", causes[i].Field, got, want)
		}
	}
}

// randomValue returns a random JSON value with the field names that matter for
// hooks.
func randomValue(r *rand.Rand, depth int) string {
	names := []string{"spec", "template", "jobTemplate", "containers", "initContainers", "ephemeralContainers", "lifecycle", "preStop", "postStart", "sleep", "seconds", "exec", "command", "httpGet", "tcpSocket", "port", "restartPolicy", "name", "terminationGracePeriodSeconds", "httpHeaders", "scheme", "stopSignal", "x", "suspend"}
	switch n := r.IntN(12); {
	case depth == 0 || n < 3:
		return []string{"null", "true", `""`, `"Always"`, "0", "-1", "31", "5.0", "1e1", "9223372036854775808", "-9223372036854775809", `"é\u0000"`}[r.IntN(12)]
	case n < 6:
		var items []string
		for range r.IntN(4) {
			items = append(items, randomValue(r, depth-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		var fields []string
		for range r.IntN(5) {
			fields = append(fields, fmt.Sprintf("%q:%s", names[r.IntN(len(names))], randomValue(r, depth-1)))
		}
		return "{" + strings.Join(fields, ",") + "}"
	}
}

// hostile returns an object with random values in the places of hooks.
func hostile(r *rand.Rand) string {
	spec := fmt.Sprintf(`{"containers":[{"name":"c","lifecycle":%s}],"initContainers":[{"restartPolicy":"Always","lifecycle":%s}],"terminationGracePeriodSeconds":%s,"x":%s}`,
		randomValue(r, 5), randomValue(r, 5), randomValue(r, 1), randomValue(r, 3))
	template := `{"spec":` + spec + `}`
	return fmt.Sprintf(`{"template":%s,"spec":{"template":%s,"jobTemplate":{"spec":{"template":%s}},"containers":[{"lifecycle":%s}],"initContainers":%s}}`,
		template, template, template, randomValue(r, 5), randomValue(r, 4))
}

// FuzzLifecycleHooks checks that nothing panics, and that fields unrelated to
// hooks do not change the result.
func FuzzLifecycleHooks(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, "")
	}
	f.Add(uint64(1), pod(preStop("99"), "30"))
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		r := rand.New(rand.NewPCG(seed, 1))
		if text == "" {
			text = hostile(r)
		}
		obj, err := wire.JSON([]byte(text))
		if err != nil {
			return
		}
		old, err := wire.JSON([]byte(hostile(r)))
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range [][2]string{{"v1", "Pod"}, {"v1", "PodTemplate"}, {"apps/v1", "Deployment"}, {"apps/v1", "StatefulSet"}, {"batch/v1", "Job"}, {"batch/v1", "CronJob"}} {
			for minor := lifecycle.Minor(15); minor <= 38; minor++ {
				s := apiserver.Server{Minor: minor}
				if r.IntN(2) == 0 {
					s.Gate = func(name string) bool { return (seed>>(len(name)%60))&1 == 1 }
				}
				causes := onCreate(s, kind[0], kind[1], obj)
				for _, c := range causes {
					if c.Text == "" || c.At == nil || c.Code != 400 && c.Code != 422 || c.Code == 422 && c.Field == "" {
						t.Fatalf("%s: %v says %+v", text, minor, c)
					}
				}
				onUpdate(s, kind[0], kind[1], old, obj)
				TemplateLifecycleHooks(s, "spec.x", obj)
				if want, got := lines(causes), lines(onCreate(s, kind[0], kind[1], decorate(obj))); got != want {
					t.Fatalf("%s: %v changes its answer from %s to %s because of unrelated fields", text, minor, want, got)
				}
			}
		}
	})
}

// decorate returns a copy of v with fields that are unrelated to hooks, in every
// map outside of lifecycles.
func decorate(v *wire.Value) *wire.Value {
	out := *v
	out.Fields, out.Items = nil, nil
	for _, f := range v.Fields {
		if f.Name != "lifecycle" {
			f.Value = decorate(f.Value)
		}
		out.Fields = append(out.Fields, f)
	}
	for _, item := range v.Items {
		out.Items = append(out.Items, decorate(item))
	}
	if v.Kind == wire.Map {
		out.Fields = append(out.Fields, wire.Field{Name: "replicas", Value: &wire.Value{Kind: wire.String, Text: "3"}}, wire.Field{Name: "args", Value: &wire.Value{}})
	}
	return &out
}

func BenchmarkLifecycleHooks(b *testing.B) {
	env := strings.Repeat(`{"name":"SOME_VARIABLE","value":"some value of it"},`, 40)
	text := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"app":"web"}},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"terminationGracePeriodSeconds":60,"containers":[{"name":"c","image":"registry.example/app:1.2.3","env":[` + strings.TrimSuffix(env, ",") + `],"lifecycle":{"preStop":{"sleep":{"seconds":10}}},"ports":[{"containerPort":8080}]},{"name":"proxy","image":"p","lifecycle":{"preStop":{"exec":{"command":["/bin/sh","-c","sleep 5"]}}}}]}}}}`
	obj, err := wire.JSON([]byte(text))
	if err != nil {
		b.Fatal(err)
	}
	s := apiserver.Server{Minor: 37}
	b.ReportMetric(float64(len(text)), "bytes")
	b.ReportAllocs()
	for b.Loop() {
		if got := onCreate(s, "apps/v1", "Deployment", obj); got != nil {
			b.Fatal(got)
		}
	}
}
