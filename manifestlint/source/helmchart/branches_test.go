package helmchart

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestBranches(t *testing.T) {
	const files = minimal + `-- c/values.yaml --
on: false
-- c/templates/_h.tpl --
{{- define "c.apiVersion" -}}
{{- if semverCompare ">=1.25-0" .Capabilities.KubeVersion.Version -}}
{{- print "policy/v1" -}}
{{- else -}}
policy/v1beta1
{{- end -}}
{{- end -}}
{{- define "c.plain" -}}
batch/v1beta1
{{- end -}}
{{- define "c.new" }}{{ .Capabilities.APIVersions.Has "networking.k8s.io/v1/Ingress" }}{{ end }}
-- c/templates/x.yaml --
apiVersion: v1
kind: ConfigMap
{{- if .Values.on }}
---
apiVersion: {{ include "c.apiVersion" . }}
kind: PodDisruptionBudget
---
apiVersion: {{ template "c.plain" . }}
kind: CronJob
---
apiVersion: {{ include "c.plain" . }}
kind: CronJob # that
---
{{- if eq (include "c.new" .) "true" }}
apiVersion: networking.k8s.io/v1
{{- else }}
apiVersion: extensions/v1beta1
{{- end }}
kind: Ingress
---
{{- if and .Values.psp (not (.Capabilities.APIVersions.Has "policy/v1")) }}
apiVersion: policy/v1beta1
kind: PodSecurityPolicy
{{- end }}
{{- end }}
{{- if .Values.sts }}
---
apiVersion: "apps/v1beta2"
{{- if eq .Values.kind "a" }}
kind: StatefulSet
{{- else }}
kind: DaemonSet
{{- end }}
metadata:
  kind: Nested
---
apiVersion: example.com/{{ .Values.version }}
kind: Thing
---
apiVersion: apps/v1beta1
kind: {{ .Values.kind }}Set
{{- end }}
`
	c, err := read(t, files)
	if err != nil {
		t.Fatal(err)
	}
	target, err := lifecycle.NewTarget("1.21..1.33", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	cluster := func(m lifecycle.Minor) Cluster { return ClusterAt(target, m, nil) }
	var renderings []*Rendering
	for m := range target.All() {
		r, err := c.Render(&Values{}, cluster(m), Release{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		renderings = append(renderings, r)
	}
	var got []string
	for _, l := range c.Branches(target.Minors(), cluster, renderings...) {
		got = append(got, fmt.Sprintf("%s:%d:%d %s %s %s", l.File, l.Line, l.Column, l.APIVersion, l.Kind, l.Minors))
	}
	want := []string{
		"c/templates/_h.tpl:3:12 policy/v1 PodDisruptionBudget 1.25..1.33",
		"c/templates/_h.tpl:5:1 policy/v1beta1 PodDisruptionBudget 1.21..1.24",
		"c/templates/_h.tpl:9:1 batch/v1beta1 CronJob 1.21..1.33",
		"c/templates/x.yaml:15:13 networking.k8s.io/v1 Ingress 1.21..1.33",
		"c/templates/x.yaml:28:14 apps/v1beta2 StatefulSet 1.21..1.33",
		"c/templates/x.yaml:28:14 apps/v1beta2 DaemonSet 1.21..1.33",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestBranchesWithoutDependency checks that Branches returns no literals for a
// condition with a helper of a missing dependency. The helper may read the
// cluster's version.
func TestBranchesWithoutDependency(t *testing.T) {
	for _, test := range []struct {
		condition string
		want      bool
	}{
		{`include "missing.supported" .`, false},
		{`and .Values.on (include "missing.supported" .)`, false},
		{`.Values.on | and (include "missing.supported" .)`, false},
		{`include (printf "%s.supported" .Chart.Name) .`, false},
		{`eq (include "c.wraps" .) "true"`, false},
		{`$missing`, false},
		{`.Values.on`, true},
		{`include "c.own" .`, true},
		{`.Values.include`, true},
	} {
		const body = "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\n"
		c, err := read(t, minimal+`-- c/templates/_h.tpl --
{{- define "c.wraps" }}{{ template "missing.supported" . }}{{ end }}
{{- define "c.own" }}{{ .Values.on }}{{ end }}
-- c/templates/x.yaml --
{{- $missing := include "missing.supported" . }}
{{- if `+test.condition+" }}\n"+body+"{{- else }}\n---\n"+body+"{{- end }}\n")
		if err != nil {
			t.Fatal(err)
		}
		target, err := lifecycle.NewTarget("1.33", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		cluster := func(m lifecycle.Minor) Cluster { return ClusterAt(target, m, nil) }
		if got := c.Branches(target.Minors(), cluster); len(got) > 0 != test.want {
			t.Errorf("{{ if %s }}: got %v, want any: %t", test.condition, got, test.want)
		}
	}
}
