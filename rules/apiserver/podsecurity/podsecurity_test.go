package podsecurity

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/pod-security-admission/api"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// pod returns a Pod that the level restricted allows. meta, spec and container
// are added to its metadata, its spec and its only container.
func pod(meta, spec, container string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"n"%s},"spec":{"containers":[{"name":"c","image":"i"%s}]%s}}`, meta, container, spec)
}

func deployment(meta, spec, container string) string {
	return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","namespace":"n"},"spec":{"template":{"metadata":{"labels":{"a":"b"}%s},"spec":{"containers":[{"name":"c","image":"i"%s}]%s}}}}`, meta, container, spec)
}

// textOf returns the errors and warnings of an answer as one text.
func textOf(a apiserver.Answer) string {
	var all []string
	for _, c := range a.Causes {
		all = append(all, fmt.Sprintf("%d %s", c.Code, strings.TrimPrefix(c.Field+": "+c.Text, ": ")))
	}
	for _, w := range a.Warnings {
		all = append(all, w.Text)
	}
	return strings.Join(all, "\n")
}

func TestCheck(t *testing.T) {
	const (
		appArmor = `,"annotations":{"container.apparmor.security.beta.kubernetes.io/c":"unconfined"}`
		seccomp  = `,"annotations":{"seccomp.security.alpha.kubernetes.io/pod":"unconfined"}`
		port     = `,"ports":[{"containerPort":80}]`
		host     = `,"hostNetwork":true`
	)
	baseline := map[string]string{api.EnforceLevelLabel: "baseline"}
	warn := map[string]string{api.WarnLevelLabel: "baseline"}
	old := func(version string) map[string]string {
		return map[string]string{api.WarnLevelLabel: "baseline", api.WarnVersionLabel: version}
	}
	restricted := map[string]string{api.WarnLevelLabel: "restricted"}
	const would = `would violate PodSecurity "baseline:latest": `
	for _, c := range []struct {
		name   string
		minor  lifecycle.Minor
		gates  map[string]bool
		labels map[string]string
		object string
		want   string
	}{
		{"refused", 37, nil, baseline, pod("", host, ""), `403 pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)`},
		{"name that the server makes", 37, nil, baseline, `{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"p-"},"spec":{"hostPID":true}}`, `403 pods is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)`},
		{"allowed", 37, nil, baseline, pod("", "", ""), ""},
		{"refused and warned of", 37, nil, map[string]string{api.EnforceLevelLabel: "baseline", api.WarnLevelLabel: "restricted"}, pod("", host, ""), `403 pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)`},
		{"audited", 37, nil, map[string]string{api.AuditLevelLabel: "restricted"}, pod("", host, ""), ""},
		{"controller", 37, nil, baseline, deployment("", host, ""), would + "host namespaces (hostNetwork=true)"},
		{"controller to 1.25", 25, nil, baseline, deployment("", host, ""), ""},
		{"no template", 37, nil, baseline, `{"apiVersion":"v1","kind":"ReplicationController","spec":{}}`, ""},
		{"no such kind", 37, nil, baseline, `{"apiVersion":"v1","kind":"Service","spec":{"hostNetwork":true}}`, ""},
		{"before", 21, nil, warn, pod("", host, ""), ""},
		{"alpha", 22, nil, warn, pod("", host, ""), ""},
		{"alpha that is on", 22, map[string]bool{"PodSecurity": true}, warn, pod("", host, ""), `would violate "latest" version of "baseline" PodSecurity profile: host namespaces (hostNetwork=true)`},
		{"alpha that is on refuses", 22, map[string]bool{"PodSecurity": true}, baseline, pod("", host, ""), "403 host namespaces (hostNetwork=true)"},
		{"beta", 23, nil, warn, pod("", host, ""), would + "host namespaces (hostNetwork=true)"},
		{"beta that is off", 24, map[string]bool{"PodSecurity": false}, warn, pod("", host, ""), ""},

		{"ports of the host", 37, nil, warn, pod("", host, port), would + `host namespaces (hostNetwork=true), hostPort (container "c" uses hostPort 80)`},
		{"ports of the host in a template", 37, nil, warn, deployment("", host, port), would + "host namespaces (hostNetwork=true)"},
		{"ports of the host in an old template", 27, nil, warn, deployment("", host, port), would + `host namespaces (hostNetwork=true), hostPort (container "c" uses hostPort 80)`},
		{"ports of the host behind a gate", 29, map[string]bool{"DefaultHostNetworkHostPortsInPodTemplates": true}, warn, deployment("", host, port), would + `host namespaces (hostNetwork=true), hostPort (container "c" uses hostPort 80)`},

		{"AppArmor annotation", 29, nil, warn, pod(appArmor, "", ""), would + `forbidden AppArmor profile (container.apparmor.security.beta.kubernetes.io/c="unconfined")`},
		{"AppArmor annotation makes a field", 30, nil, warn, pod(appArmor, "", ""), would + `forbidden AppArmor profiles (container "c" and annotation must not set AppArmor profile type to "Unconfined", "container.apparmor.security.beta.kubernetes.io/c="unconfined"")`},
		{"but not in a template", 37, nil, warn, deployment(appArmor, "", ""), would + `forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined"")`},
		{"nor without the gate", 30, map[string]bool{"AppArmorFields": false}, warn, pod(appArmor, "", ""), would + `forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined"")`},
		{"AppArmor field makes an annotation", 33, nil, warn, pod("", `,"securityContext":{"appArmorProfile":{"type":"Unconfined"}}`, ""), would + `forbidden AppArmor profiles (pod and annotation must not set AppArmor profile type to "Unconfined", "container.apparmor.security.beta.kubernetes.io/c="unconfined"")`},
		{"no more", 34, nil, warn, pod("", `,"securityContext":{"appArmorProfile":{"type":"Unconfined"}}`, ""), would + `forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")`},
		{"not yet", 29, nil, warn, pod("", `,"securityContext":{"appArmorProfile":{"type":"Unconfined"}}`, ""), ""},

		{"seccomp annotation makes a field", 24, nil, warn, pod(seccomp, "", ""), would + `seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")`},
		{"seccomp annotation is but one", 27, nil, warn, pod(seccomp, "", ""), ""},
		{"nor is it more in a template", 24, nil, warn, deployment(seccomp, "", ""), ""},
		{"seccomp field makes an annotation", 24, nil, old("v1.18"), pod("", `,"securityContext":{"seccompProfile":{"type":"Unconfined"}}`, ""), `would violate PodSecurity "baseline:v1.18": seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")`},
		{"seccomp field makes none", 25, nil, old("v1.18"), pod("", `,"securityContext":{"seccompProfile":{"type":"Unconfined"}}`, ""), ""},

		{"unmasked /proc behind a gate", 32, nil, warn, pod("", "", `,"securityContext":{"procMount":"Unmasked"}`), ""},
		{"unmasked /proc", 33, nil, warn, pod("", "", `,"securityContext":{"procMount":"Unmasked"}`), would + `procMount (container "c" must not set securityContext.procMount to "Unmasked")`},
		{"user namespace", 34, nil, restricted, pod("", `,"hostUsers":false,"securityContext":{"runAsUser":0,"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}}`, `,"securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}`), `would violate PodSecurity "restricted:latest": runAsUser=0 (pod must not set runAsUser=0)`},
		{"user namespace, relaxed", 34, map[string]bool{"UserNamespacesPodSecurityStandards": true}, restricted, pod("", `,"hostUsers":false,"securityContext":{"runAsUser":0,"seccompProfile":{"type":"RuntimeDefault"}}`, `,"securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}`), ""},
		{"user namespace, newer policy", 35, nil, restricted, pod("", `,"hostUsers":false,"securityContext":{"runAsUser":0,"seccompProfile":{"type":"RuntimeDefault"}}`, `,"securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}`), ""},
		{"user namespaces are off", 35, map[string]bool{"UserNamespacesSupport": false}, restricted, pod("", `,"hostUsers":false,"securityContext":{"runAsUser":0,"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}}`, `,"securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}`), `would violate PodSecurity "restricted:latest": runAsUser=0 (pod must not set runAsUser=0)`},

		{"SELinux user to 1.25", 25, nil, warn, pod("", `,"securityContext":{"seLinuxOptions":{"user":"u"}}`, ""), would + "seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: )"},
		{"SELinux user", 26, nil, warn, pod("", `,"securityContext":{"seLinuxOptions":{"user":"u"}}`, ""), would + "seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: user may not be set)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Check(recorded.WithGates(c.minor, c.gates), c.labels, request(t, c.object))
			if got := textOf(a); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, w := range a.Warnings {
				if w.At == nil || w.Class != apiserver.PodSecurity {
					t.Errorf("warning %+v", w)
				}
			}
		})
	}
}

// TestUpdate checks on which updates a pod is checked again.
func TestUpdate(t *testing.T) {
	labels := map[string]string{api.WarnLevelLabel: "baseline"}
	oldPod := pod("", `,"hostNetwork":true`, "")
	const warns = `would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)`
	for _, c := range []struct {
		name  string
		minor lifecycle.Minor
		now   string
		want  string
	}{
		{"nothing", 37, oldPod, ""},
		{"labels", 37, pod(`,"labels":{"a":"b"}`, `,"hostNetwork":true`, ""), ""},
		{"image", 37, strings.Replace(oldPod, `"image":"i"`, `"image":"j"`, 1), warns},
		{"another container", 37, strings.Replace(oldPod, `{"name":"c"`, `{"name":"d","image":"i"},{"name":"c"`, 1), warns},
		{"ephemeral container", 37, pod("", `,"hostNetwork":true,"ephemeralContainers":[{"name":"e","image":"i"}]`, ""), warns},
		{"annotation of the pod", 24, pod(`,"annotations":{"seccomp.security.alpha.kubernetes.io/pod":"x"}`, `,"hostNetwork":true`, ""), warns},
		{"annotation of the pod, later", 25, pod(`,"annotations":{"seccomp.security.alpha.kubernetes.io/pod":"x"}`, `,"hostNetwork":true`, ""), ""},
		{"annotation of a container", 26, pod(`,"annotations":{"container.seccomp.security.alpha.kubernetes.io/c":"x"}`, `,"hostNetwork":true`, ""), warns},
		{"annotation of a container, later", 27, pod(`,"annotations":{"container.seccomp.security.alpha.kubernetes.io/c":"x"}`, `,"hostNetwork":true`, ""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(t, c.now)
			r.Old = parse(t, []byte(oldPod))
			if got := textOf(Check(apiserver.Server{Minor: c.minor}, labels, r)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}

	// When the pod was created, the server set the field from the annotation.
	const appArmor = `,"annotations":{"container.apparmor.security.beta.kubernetes.io/c":"unconfined"}`
	for oldPod, want := range map[string]string{
		pod(appArmor, "", ""): `would violate PodSecurity "baseline:latest": forbidden AppArmor profiles (container "c" and annotation must not set AppArmor profile type to "Unconfined", "container.apparmor.security.beta.kubernetes.io/c="unconfined"")`,
		pod("", "", ""):       `would violate PodSecurity "baseline:latest": forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined"")`,
	} {
		r := request(t, strings.Replace(pod(appArmor, "", ""), `"image":"i"`, `"image":"j"`, 1))
		r.Old = parse(t, []byte(oldPod))
		if got := textOf(Check(apiserver.Server{Minor: 37}, labels, r)); got != want {
			t.Errorf("updated %s:\ngot  %s\nwant %s", oldPod, got, want)
		}
	}

	r := request(t, deployment("", `,"hostNetwork":true`, ""))
	r.Old = r.New
	if got := textOf(Check(apiserver.Server{Minor: 37}, labels, r)); got != warns {
		t.Errorf("an unchanged Deployment: %s", got)
	}
}

func namespaceWith(labels string) string {
	return `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n","labels":{` + labels + `}}}`
}

func TestNamespace(t *testing.T) {
	const path = "metadata.labels[pod-security.kubernetes.io/"
	for _, c := range []struct {
		name     string
		minor    lifecycle.Minor
		now, was string
		want     string
	}{
		{"good", 37, namespaceWith(`"pod-security.kubernetes.io/enforce":"baseline"`), "", ""},
		{"level", 37, namespaceWith(`"pod-security.kubernetes.io/enforce":"x"`), "", "422 " + path + `enforce]: Invalid value: "x": must be one of privileged, baseline, restricted`},
		{"order", 37, namespaceWith(`"pod-security.kubernetes.io/warn":"x","pod-security.kubernetes.io/audit":"y"`), "", "422 " + path + `audit]: Invalid value: "y": must be one of privileged, baseline, restricted` + "\n422 " + path + `warn]: Invalid value: "x": must be one of privileged, baseline, restricted`},
		{"version", 37, namespaceWith(`"pod-security.kubernetes.io/audit-version":"v2.1"`), "", "422 " + path + `audit-version]: Invalid value: "v2.1": must be "latest" or "v1.x"`},
		{"before", 21, namespaceWith(`"pod-security.kubernetes.io/enforce":"x"`), "", ""},
		{"stays", 37, namespaceWith(`"pod-security.kubernetes.io/enforce":"x"`), namespaceWith(`"pod-security.kubernetes.io/enforce":"x"`), ""},
		{"changes", 37, namespaceWith(`"pod-security.kubernetes.io/enforce":"x"`), namespaceWith(`"pod-security.kubernetes.io/enforce":"y"`), "422 " + path + `enforce]: Invalid value: "x": must be one of privileged, baseline, restricted`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(t, c.now)
			if c.was != "" {
				r.Old = parse(t, []byte(c.was))
			}
			a := Check(apiserver.Server{Minor: c.minor}, nil, r)
			if got := textOf(a); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
			for _, cause := range a.Causes {
				if cause.At == nil {
					t.Errorf("no place for %s", cause.Text)
				}
			}
		})
	}
	s := apiserver.Server{Minor: 22, Gate: func(string) bool { return true }}
	a := Check(s, nil, request(t, namespaceWith(`"pod-security.kubernetes.io/warn":"x","pod-security.kubernetes.io/audit-version":"y"`)))
	if got, want := textOf(a), `422 [Audit.Version: must be "latest" or "v1.x", Warn.Level: must be one of privileged, baseline, restricted]`; got != want {
		t.Errorf("1.22: %s", got)
	}
}

func TestNamespaceUpdate(t *testing.T) {
	stored := func(name, spec, owner string) *wire.Value {
		return parse(t, []byte(fmt.Sprintf(`{"metadata":{"name":%q,"ownerReferences":[%s]},"spec":{"containers":[{"name":"c"}]%s}}`, name, owner, spec)))
	}
	const host, pid = `,"hostNetwork":true`, `,"hostPID":true,"volumes":[{"name":"v","hostPath":{}}]`
	pods := []*wire.Value{stored("z", host, ""), stored("b", pid, ""), stored("a", host, ""), stored("ok", "", ""), stored("c", host, `{"controller":true,"uid":"u"}`)}
	const headline = `existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"`
	for _, c := range []struct {
		name     string
		minor    lifecycle.Minor
		now, was string
		want     string
	}{
		{"raised", 37, `"pod-security.kubernetes.io/enforce":"baseline"`, "", headline + "\na (and 2 other pods): host namespaces\nb: host namespaces, hostPath volumes"},
		{"raised, 1.22", 22, `"pod-security.kubernetes.io/enforce":"baseline"`, "", "a: host namespaces\nb: host namespaces, hostPath volumes\nc: host namespaces\nz: host namespaces"},
		{"warn only", 37, `"pod-security.kubernetes.io/warn":"baseline"`, "", ""},
		{"lowered", 37, `"pod-security.kubernetes.io/enforce":"baseline"`, `"pod-security.kubernetes.io/enforce":"restricted"`, ""},
		{"another version", 37, `"pod-security.kubernetes.io/enforce":"baseline"`, `"pod-security.kubernetes.io/enforce":"restricted","pod-security.kubernetes.io/enforce-version":"v1.30"`, headline + "\na (and 2 other pods): host namespaces\nb: host namespaces, hostPath volumes"},
		{"the same", 37, `"pod-security.kubernetes.io/enforce":"baseline"`, `"pod-security.kubernetes.io/enforce":"baseline"`, ""},
		{"privileged", 37, `"pod-security.kubernetes.io/enforce":"privileged"`, `"pod-security.kubernetes.io/enforce":"baseline"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(t, namespaceWith(c.now))
			r.Old = parse(t, []byte(namespaceWith(c.was)))
			s := apiserver.Server{Minor: c.minor, Gate: func(string) bool { return true }}
			if got := textOf(apiserver.Answer{Warnings: NamespaceUpdate(s, r, pods)}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	many := make([]*wire.Value, maxPods+1)
	for i := range many {
		many[i] = stored(fmt.Sprint("p", i), "", "")
	}
	r := request(t, namespaceWith(`"pod-security.kubernetes.io/enforce":"baseline"`))
	r.Old = parse(t, []byte(namespaceWith("")))
	if got, want := textOf(apiserver.Answer{Warnings: NamespaceUpdate(apiserver.Server{Minor: 37}, r, many)}), "new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods"; got != want {
		t.Errorf("many pods: %s", got)
	}
}

// FuzzCheck checks random objects and random stored objects.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(pod(`,"annotations":{"container.apparmor.security.beta.kubernetes.io/c":"x"}`, `,"volumes":[{"name":"v","image":{}}]`, "")), []byte(`null`), uint8(30))
	f.Add([]byte(`{"apiVersion":"v1","kind":"Pod","spec":{"containers":[null,1,{"ports":[null],"securityContext":[]}],"volumes":{}}}`), []byte(pod("", "", "")), uint8(24))
	f.Add([]byte(namespaceWith(`"pod-security.kubernetes.io/warn":1`)), []byte(`[]`), uint8(22))
	f.Fuzz(func(t *testing.T, object, old []byte, minor uint8) {
		v, err := wire.JSON(object)
		if err != nil {
			return
		}
		r := apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
		labels := map[string]string{api.EnforceLevelLabel: "baseline", api.WarnLevelLabel: "restricted"}
		for _, s := range []apiserver.Server{{Minor: lifecycle.Minor(minor)}, {Minor: lifecycle.Minor(minor), Gate: func(string) bool { return true }}} {
			r.Old = nil
			Check(s, labels, r)
			if r.Old, err = wire.JSON(old); err == nil {
				Check(s, labels, r)
				NamespaceUpdate(s, r, []*wire.Value{v, r.Old, nil})
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	r := request(b, deployment("", `,"hostNetwork":true,"volumes":[{"name":"v","configMap":{"name":"x"}}]`, `,"ports":[{"containerPort":80}],"livenessProbe":{"httpGet":{"port":80}}`))
	for name, labels := range map[string]map[string]string{
		"unlabelled": {},
		"baseline":   {api.WarnLevelLabel: "baseline"},
		"restricted": {api.WarnLevelLabel: "restricted"},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Check(apiserver.Server{Minor: 37}, labels, r)
			}
		})
	}
}
