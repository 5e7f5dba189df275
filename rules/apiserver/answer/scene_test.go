package answer

import (
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/scene"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/admitted"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// scenesVariable is the environment variable with the directory of more scenes. A
// scene is a recorded cluster with requests and their answers.
const scenesVariable = "KUBEVET_SCENES"

// TestScenes compares whole answers with the answers of servers that have
// policies, custom resource definitions and webhooks.
func TestScenes(t *testing.T) {
	compareScenes(t, "../policy/testdata/oracle")
}

// TestHeldOutScenes compares answers for scenes whose recorded answers nobody
// read before the first run of this test.
func TestHeldOutScenes(t *testing.T) {
	compareScenes(t, "../policy/testdata/heldout")
}

// TestMoreScenes compares answers for scenes that are not in the repository.
func TestMoreScenes(t *testing.T) {
	dir := os.Getenv(scenesVariable)
	if dir == "" {
		t.Skip(scenesVariable + " is not set")
	}
	compareScenes(t, dir)
}

func compareScenes(t *testing.T, dir string) {
	total, undecided := 0, 0
	scene.Load(t, dir).Each(t, func(t *testing.T, server string, sc *scene.Scene, a scene.Answers) {
		minor, gates, _ := strings.Cut(server, "-")
		s := serverOfScene(t, minor, gates)
		c := newSceneCluster(t, s, sc.Objects(a))
		for i := range sc.Requests {
			r, want := &sc.Requests[i], &a.Requests[i]
			if c.webhooks && r.Op != "" {
				continue // the answers of the scene's webhooks are not predicted here
			}
			total++
			if why := differentOnPurpose[sc.ID+"/"+r.ID]; why != "" {
				continue
			}
			got := c.answer(t, s, r)
			if len(got.Unknown) > 0 {
				undecided++
				t.Logf("%s/%s on %s: not known: %q", sc.ID, r.ID, server, got.Unknown)
				continue
			}
			served, kubevet := shownAnswer(want, r), shownPrediction(got, r)
			if inexact(got) && len(served.Causes) == len(kubevet.Causes) && len(served.Warnings) == len(kubevet.Warnings) {
				undecided++
				served.Causes, served.Warnings, kubevet.Causes, kubevet.Warnings = nil, nil, nil, nil
			}
			if diff := cmp.Diff(served, kubevet); diff != "" {
				t.Errorf("%s/%s on %s: -server +kubevet\n%s", sc.ID, r.ID, server, diff)
			}
		}
	})
	t.Logf("%d answers, %d of them not known, in whole or their texts", total, undecided)
}

// differentOnPurpose has the requests that kubevet answers in another way than
// the server, because kubevet does not know all objects of the cluster. Each
// value is the reason for the server's answer.
var differentOnPurpose = map[string]string{
	"interplay/order/no-namespace":        "the namespace does not exist",
	"interplay/order/unknown-account":     "the service account does not exist",
	"interplay/order/unknown-priority":    "the priority class does not exist",
	"namespaces/labels/missing-namespace": "the namespace does not exist",
	"held-failure/failures/list-type":     "1.37 cannot compare a map with a list, older servers can",
}

// inexact reports whether an answer has a text that differs from the server's.
func inexact(a apiserver.Answer) bool {
	return slices.ContainsFunc(a.Causes, func(c apiserver.Cause) bool { return c.Inexact }) ||
		slices.ContainsFunc(a.Warnings, func(w apiserver.Warning) bool { return w.Inexact })
}

type comparedParts struct {
	Code             int
	Causes, Warnings []string
}

func shownAnswer(a *scene.Answer, r *scene.Request) comparedParts {
	s := comparedParts{Code: a.Code, Warnings: append([]string{}, a.WarningTexts()...)}
	for _, c := range a.Causes {
		if text := c.Field + ": " + c.Message; !slices.Contains(s.Causes, text) {
			s.Causes = append(s.Causes, text)
		}
	}
	if len(a.Causes) == 0 && a.Code >= 300 {
		s.Causes = []string{": " + a.Message}
	}
	if r.Unordered {
		slices.Sort(s.Warnings)
	}
	return s
}

func shownPrediction(a apiserver.Answer, r *scene.Request) comparedParts {
	s := comparedParts{Code: Code(a, len(r.Old) > 0), Warnings: []string{}}
	for _, c := range a.Causes {
		s.Causes = append(s.Causes, c.Field+": "+c.Text)
	}
	for _, w := range a.Warnings {
		s.Warnings = append(s.Warnings, w.Text)
	}
	if r.Unordered {
		slices.Sort(s.Warnings)
	}
	return s
}

func serverOfScene(t *testing.T, minor, gates string) apiserver.Server {
	t.Helper()
	_, n, _ := strings.Cut(minor, ".")
	m, err := strconv.Atoi(n)
	if err != nil {
		t.Fatal(err)
	}
	s := apiserver.Server{Minor: lifecycle.Minor(m)}
	if gates == "mutating" {
		s.Gate = func(name string) bool {
			return name == "MutatingAdmissionPolicy" || lifecycle.Target{}.GateEnabled(name, s.Minor)
		}
	}
	return s
}

// sceneCluster is the part of a scene's cluster that kubevet knows.
type sceneCluster struct {
	admission   *Admission
	definitions map[string]*customresource.Definition
	namespaces  map[string]map[string]string
	webhooks    bool
}

func newSceneCluster[T ~[]byte](t *testing.T, s apiserver.Server, objects []T) *sceneCluster {
	t.Helper()
	c := &sceneCluster{definitions: map[string]*customresource.Definition{}, namespaces: map[string]map[string]string{}}
	all := []*wire.Value{parsed(t, []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}`))}
	for _, data := range objects {
		v := parsed(t, data)
		all = append(all, v)
		kind := v.Get("kind").StringOr("")
		if d, ok := customresource.Read(v); ok {
			c.definitions[d.Group+" "+d.Kind] = d
		}
		c.webhooks = c.webhooks || strings.HasSuffix(kind, "WebhookConfiguration")
	}
	for _, v := range all {
		if v.Get("kind").StringOr("") == "Namespace" {
			labels := map[string]string{}
			for _, f := range v.At("metadata", "labels").Entries() {
				labels[f.Name] = f.Value.StringOr("")
			}
			c.namespaces[v.At("metadata", "name").StringOr("")] = labels
		}
	}
	c.admission = &Admission{
		Policies: policy.NewCluster(s, policy.Options{
			Serves:   func(api lifecycle.API) bool { return api.Servable().Has(s.Minor) },
			Complete: true,
		}, all),
		Around:       admitted.NewAround(s, all),
		FieldManager: "oracle",
	}
	return c
}

func parsed(t *testing.T, data []byte) *wire.Value {
	t.Helper()
	v, err := wire.JSON(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (c *sceneCluster) answer(t *testing.T, s apiserver.Server, r *scene.Request) apiserver.Answer {
	obj := parsed(t, r.Obj)
	req := apiserver.Request{APIVersion: obj.Get("apiVersion").StringOr(""), Kind: obj.Get("kind").StringOr(""), New: obj}
	if len(r.Old) > 0 {
		req.Old = parsed(t, r.Old)
	}
	with := *c.admission
	if r.User != "" {
		with.User = &policy.User{Name: r.User, Groups: append(slices.Clone(r.Groups), "system:authenticated")}
	}
	namespace := obj.At("metadata", "namespace").StringOr("default")
	around := Surroundings{NamespaceLabels: c.namespaces[namespace], Admission: &with}
	group, _ := customresource.SplitGroupVersion(req.APIVersion)
	if c.definitions[group+" "+req.Kind] != nil {
		a := ToCustom(s, c.definitions[group+" "+req.Kind], req, around)
		a.Warnings = apiserver.Headers(a.Warnings)
		return a
	}
	if api, ok := lifecycle.LookupGV(req.APIVersion, req.Kind); !ok || !api.Servable().Has(s.Minor) {
		return apiserver.Answer{Causes: []apiserver.Cause{{Text: c.notServed(group), Code: http.StatusNotFound}}}
	}
	return To(s, req, around)
}

// notServed returns the text for a kind that the server does not serve. The text
// depends on whether the server serves another kind of the group.
func (c *sceneCluster) notServed(group string) string {
	for key := range c.definitions {
		if strings.HasPrefix(key, group+" ") {
			return customresource.NoResource
		}
	}
	if strings.Contains(group, "example") {
		return customresource.NotServed
	}
	return customresource.NoResource
}
