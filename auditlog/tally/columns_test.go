package tally

import (
	"fmt"
	"strings"
	"testing"
)

// TestColumns checks how each kind of write is counted.
func TestColumns(t *testing.T) {
	type want struct{ Writes, Named, Unnamed, Applies, Forced, DryRuns, Compared, Noops int64 }
	const apply = `,"requestObject":{"apiVersion":"v1","kind":"ConfigMap"}`
	answer := func(version string) string {
		return fmt.Sprintf(`,"responseObject":{"metadata":{"resourceVersion":"%s"}}`, version)
	}
	for _, c := range []struct {
		name string
		// Each event has a verb, a resource, a query, a status code and the
		// rest of its text.
		events [][5]string
		want   want
	}{
		{"create", [][5]string{{"create", "configmaps/x", "", "201"}}, want{Writes: 1, Unnamed: 1}},
		{"named", [][5]string{{"update", "configmaps/x", "?fieldManager=m", "200"}}, want{Writes: 1, Named: 1}},
		{"refused", [][5]string{{"update", "configmaps/x", "", "409"}}, want{}},
		{"delete", [][5]string{{"delete", "configmaps/x", "?fieldManager=m", "200"}}, want{Writes: 1}},
		{"eviction", [][5]string{{"create", "pods/x/eviction", "", "201"}}, want{Writes: 1}},
		{"binding", [][5]string{{"create", "bindings", "", "201"}, {"create", "pods/x/binding", "", "201"}}, want{Writes: 2}},
		{"token", [][5]string{{"create", "serviceaccounts/x/token", "", "201"}}, want{Writes: 1}},
		{"review", [][5]string{{"create", "authorization.k8s.io:selfsubjectaccessreviews", "", "201"}}, want{Writes: 1}},
		{"review of OpenShift", [][5]string{{"create", "authorization.openshift.io:subjectaccessreviews", "", "201"}, {"create", "security.openshift.io:podsecuritypolicyreviews", "", "201"}}, want{Writes: 2}},
		{"apply", [][5]string{{"patch", "configmaps/x", "?fieldManager=m", "200", apply}}, want{Writes: 1, Named: 1, Applies: 1}},
		{"refused apply", [][5]string{{"patch", "configmaps/x", "?fieldManager=m&force=false", "409"}}, want{Applies: 1}},
		{"forced", [][5]string{{"patch", "configmaps/x", "?fieldManager=m&force=true", "200", apply}}, want{Writes: 1, Named: 1, Applies: 1, Forced: 1}},
		{"dry run", [][5]string{{"patch", "configmaps/x", "?fieldManager=m&force=true&dryRun=All", "200", apply}}, want{DryRuns: 1}},
		{"patches", [][5]string{ // the version before the first patch is unknown, and the last patch creates the object
			{"patch", "configmaps/x", "?fieldManager=m", "200", answer("5")}, {"patch", "configmaps/x", "?fieldManager=m", "200", answer("6")},
			{"patch", "configmaps/x", "?fieldManager=m", "200", answer("6")}, {"patch", "configmaps/x", "?fieldManager=m", "201", answer("7")},
		}, want{Writes: 4, Named: 4, Compared: 2, Noops: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log strings.Builder
			for i, e := range c.events {
				resource, name, _ := strings.Cut(e[1], "/")
				name, sub, _ := strings.Cut(name, "/")
				group, rest, grouped := strings.Cut(resource, ":")
				if !grouped {
					group, rest = "", resource
				}
				fmt.Fprintf(&log, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%d","stage":"ResponseComplete","requestURI":"/api%s","verb":"%s","user":{"username":"u"},"userAgent":"a/1","objectRef":{"resource":"%s","namespace":"n","name":"%s","apiGroup":"%s","apiVersion":"v1","subresource":"%s"},"responseStatus":{"code":%s}%s,"requestReceivedTimestamp":"2026-11-21T10:00:%02d.000000Z","stageTimestamp":"2026-11-21T10:00:%02d.000000Z"}`+"\n",
					i, strings.ReplaceAll(e[2], "&", `\u0026`), e[0], rest, name, group, sub, e[3], e[4], i, i)
			}
			r := tallyText(t, Config{}, 1, log.String())
			if len(r.Clients) != 1 {
				t.Fatalf("%d clients", len(r.Clients))
			}
			x := r.Clients[0].Counts
			got := want{x.Writes, x.Named, x.Unnamed, x.Applies, x.Forced, x.DryRuns, x.Compared, x.Noops}
			if got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// TestRejected checks that requests count as rejected if the server does not
// serve their API.
func TestRejected(t *testing.T) {
	for _, c := range []struct {
		name, status, more string
		want               int64
	}{
		{"unknown version", `{"metadata":{},"code":404}`, "", 1},
		{"unknown resource", `{"metadata":{},"status":"Failure","message":"the server could not find the requested resource","reason":"NotFound","details":{},"code":404}`, "", 1},
		{"missing object", `{"metadata":{},"status":"Failure","message":"ingresses.extensions \"x\" not found","reason":"NotFound","details":{"name":"x"},"code":404}`, "", 0},
		{"missing object of a deprecated API", `{"metadata":{},"code":404}`, `,"annotations":{"k8s.io/deprecated":"true","k8s.io/removed-release":"1.22"}`, 0},
		{"forbidden", `{"metadata":{},"status":"Failure","reason":"Forbidden","message":"no","code":403}`, "", 0},
	} {
		log := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"1","stage":"ResponseComplete","requestURI":"/apis/extensions/v1beta1/namespaces/n/ingresses/x","verb":"get","user":{"username":"u"},"userAgent":"a/1","objectRef":{"resource":"ingresses","namespace":"n","name":"x","apiGroup":"extensions","apiVersion":"v1beta1"},"responseStatus":` + c.status + `,"requestReceivedTimestamp":"2026-11-21T10:00:00.000000Z","stageTimestamp":"2026-11-21T10:00:00.000000Z"` + c.more + "}\n"
		r := tallyText(t, Config{}, 1, log)
		if len(r.Groups) != 1 || r.Groups[0].Rejected != c.want {
			t.Errorf("%s: %+v", c.name, r.Groups)
		}
	}
}
