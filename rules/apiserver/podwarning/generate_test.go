package podwarning

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

type object = map[string]any

// generator makes random objects with every value about which servers warn.
// Servers accept most of these objects.
type generator struct{ *rand.Rand }

// chance returns true with probability 1/n.
func (g generator) chance(n int) bool { return g.IntN(n) == 0 }

func oneOf[T any](g generator, of ...T) T { return of[g.IntN(len(of))] }

// maybe sets a field with probability 1/n.
func (g generator) maybe(n int, o object, name string, value func() any) {
	if g.chance(n) {
		o[name] = value()
	}
}

var generatedKinds = []string{
	"Pod", "PodTemplate", "ReplicationController", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob",
}

func (g generator) object(kind string) object {
	meta := object{"name": oneOf(g, "w", "w", "w", "a.b", strings.Repeat("a", 64), strings.Repeat("a", 60)+".b-c")}
	if kind == "CronJob" {
		meta["name"] = oneOf(g, "w", "a.b")
	}
	if kind == "StatefulSet" {
		meta["name"] = "w"
	}
	if g.chance(12) && kind != "StatefulSet" {
		meta = object{"generateName": oneOf(g, "w-", "a.b-", strings.Repeat("a", 62)+"-")}
	}
	labels := object{"app": "a"}
	template := object{"metadata": object{"labels": labels}, "spec": g.podSpec(kind)}
	if a := g.annotations(template["spec"].(object)); len(a) > 0 {
		template["metadata"].(object)["annotations"] = a
	}
	selector := object{"matchLabels": labels}
	spec := object{"template": template}
	apiVersion := "apps/v1"
	switch kind {
	case "Pod":
		meta["labels"], meta["annotations"] = labels, template["metadata"].(object)["annotations"]
		if meta["annotations"] == nil {
			delete(meta, "annotations")
		}
		return object{"apiVersion": "v1", "kind": kind, "metadata": meta, "spec": template["spec"]}
	case "PodTemplate":
		return object{"apiVersion": "v1", "kind": kind, "metadata": meta, "template": template}
	case "ReplicationController":
		apiVersion = "v1"
		spec["selector"] = labels
	case "Deployment", "DaemonSet", "ReplicaSet":
		spec["selector"] = selector
	case "StatefulSet":
		if g.chance(3) {
			g.addInvalidValues(template)
		}
		spec["selector"], spec["serviceName"] = selector, "s"
		g.maybe(3, spec, "revisionHistoryLimit", func() any { return oneOf(g, -1, 0, 3) })
		g.maybe(2, spec, "volumeClaimTemplates", func() any {
			return []any{object{"metadata": object{"name": "claim"}, "spec": g.claim()}}
		})
	case "Job", "CronJob":
		apiVersion = "batch/v1"
		if kind == "Job" {
			spec["manualSelector"], spec["selector"] = true, selector
		}
		if g.chance(3) {
			spec["completionMode"] = "Indexed"
			spec["completions"] = oneOf(g, 1, 100_000, 100_001)
			spec["parallelism"] = oneOf(g, 1, 10_000, 10_001)
		}
	}
	if kind == "CronJob" {
		spec = object{"schedule": oneOf(g, "* * * * *", "* * * * *", "* * * * *", "* * * * *", "CRON_TZ=UTC * * * * *", "TZ=UTC * * * * *"), "jobTemplate": object{"spec": spec}}
	}
	return object{"apiVersion": apiVersion, "kind": kind, "metadata": meta, "spec": spec}
}

func (g generator) annotations(spec object) object {
	a := object{}
	for _, k := range []string{
		"scheduler.alpha.kubernetes.io/critical-pod", "security.alpha.kubernetes.io/sysctls", "security.alpha.kubernetes.io/unsafe-sysctls",
	} {
		g.maybe(10, a, k, func() any { return "" })
	}
	g.maybe(6, a, seccompPod, func() any { return oneOf(g, "runtime/default", "unconfined", "localhost/x", "docker/default") })
	a[seccompContainer+"nobody"] = "runtime/default"
	for _, list := range []string{"containers", "initContainers"} {
		all, _ := spec[list].([]any)
		for _, c := range all {
			name := c.(object)["name"].(string)
			g.maybe(8, a, seccompContainer+name, func() any { return oneOf(g, "runtime/default", "unconfined", "localhost/x") })
			g.maybe(6, a, appArmor+name, func() any { return oneOf(g, "runtime/default", "unconfined", "localhost/x", "localhost/ x") })
		}
	}
	return a
}

func (g generator) podSpec(kind string) object {
	s := object{"containers": g.containers("c", 1+g.IntN(3), false)}
	if g.chance(3) {
		s["initContainers"] = g.containers("i", 1+g.IntN(2), true)
	}
	if kind == "Job" || kind == "CronJob" {
		s["restartPolicy"] = "Never"
	}
	g.maybe(5, s, "nodeSelector", func() any {
		o := object{"x": "y"}
		for range 1 + g.IntN(2) {
			o[g.label()] = "x"
		}
		return o
	})
	g.maybe(3, s, "affinity", func() any { return g.affinity() })
	g.maybe(4, s, "topologySpreadConstraints", func() any {
		var all []any
		for _, when := range []string{"DoNotSchedule", "ScheduleAnyway"}[:1+g.IntN(2)] {
			c := object{"maxSkew": 1, "topologyKey": g.label(), "whenUnsatisfiable": when}
			g.selector(c)
			all = append(all, c)
		}
		return all
	})
	if g.chance(2) {
		s["volumes"] = g.volumes()
	}
	g.maybe(4, s, "hostAliases", func() any {
		var all []any
		for range 1 + g.IntN(3) {
			all = append(all, object{"ip": oneOf(g, "1.2.3.4", "1.2.3.4", "::1", "10.0.0.1", "2001:DB8::1", "010.0.0.1"), "hostnames": []any{"h"}})
		}
		return all
	})
	g.maybe(4, s, "imagePullSecrets", func() any {
		var all []any
		for range 1 + g.IntN(4) {
			all = append(all, oneOf(g, object{"name": "a"}, object{"name": "b"}, object{"name": ""}, object{}))
		}
		return all
	})
	g.maybe(6, s, "overhead", func() any {
		return object{"memory": g.quantity(), "ephemeral-storage": g.quantity()}
	})
	g.maybe(5, s, "securityContext", func() any {
		o := object{}
		g.maybe(2, o, "seccompProfile", func() any { return object{"type": "RuntimeDefault"} })
		g.maybe(2, o, "appArmorProfile", func() any { return g.appArmor() })
		return o
	})
	g.maybe(6, s, "hostNetwork", func() any { return true })
	if g.chance(5) {
		s["terminationGracePeriodSeconds"] = oneOf(g, -1, 0, 5, -30)
	}
	g.maybe(6, s, "dnsConfig", func() any {
		var all []any
		for range 1 + g.IntN(2) {
			all = append(all, oneOf(g, "1.2.3.4", "2001:DB8::1", "::1", "01.2.3.4", "::ffff:1.2.3.4"))
		}
		return object{"nameservers": all}
	})
	g.maybe(20, s, "os", func() any { return object{"name": "linux"} })
	return s
}

func (g generator) appArmor() object {
	return oneOf(g, object{"type": "RuntimeDefault"}, object{"type": "Unconfined"}, object{"type": "Localhost", "localhostProfile": "x"})
}

func (g generator) label() string {
	return oneOf(g, "beta.kubernetes.io/arch", "beta.kubernetes.io/os", "failure-domain.beta.kubernetes.io/region",
		"failure-domain.beta.kubernetes.io/zone", "beta.kubernetes.io/instance-type", "app.kubernetes.io/created-by",
		"scheduler.alpha.kubernetes.io/preferAvoidPods", "node-role.kubernetes.io/master", "kubernetes.io/hostname", "good")
}

// selector sets a random selector in an affinity term, or no selector.
func (g generator) selector(o object) {
	switch g.IntN(4) {
	case 0:
	case 1:
		o["labelSelector"] = nil
	case 2:
		o["labelSelector"] = object{}
	default:
		o["labelSelector"] = object{"matchLabels": object{"app": "a"}}
	}
}

func (g generator) affinity() object {
	term := func() object {
		var all []any
		for range 1 + g.IntN(2) {
			all = append(all, object{"key": g.label(), "operator": "In", "values": []any{oneOf(g, "x", "a b", strings.Repeat("x", 64), "-"), "ok"}})
		}
		return object{"matchExpressions": all}
	}
	strict := func() object {
		return object{"matchExpressions": []any{object{"key": g.label(), "operator": "Exists"}}}
	}
	podTerm := func() object {
		o := object{"topologyKey": "kubernetes.io/hostname"}
		g.selector(o)
		return o
	}
	const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
	a := object{}
	g.maybe(2, a, "nodeAffinity", func() any {
		o := object{}
		g.maybe(2, o, required, func() any { return object{"nodeSelectorTerms": []any{strict(), strict()}} })
		g.maybe(2, o, preferred, func() any { return []any{object{"weight": 1, "preference": term()}} })
		return o
	})
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		g.maybe(2, a, kind, func() any {
			o := object{}
			g.maybe(2, o, required, func() any { return []any{podTerm(), podTerm()} })
			g.maybe(2, o, preferred, func() any { return []any{object{"weight": 1, "podAffinityTerm": podTerm()}} })
			return o
		})
	}
	return a
}

func (g generator) quantity() any {
	return oneOf[any](g, "1Gi", "1.5", "100m", "0.1Mi", "0.0005", "1e-3", "9Pi", 0.5, 12345, "1500m", "128974848", "1e3", "2.5Gi", "0.3", "100",
		"10Ei", "1n", "1E", "0", "12E-1", json.Number("1.50"))
}

func (g generator) claim() object {
	return object{"accessModes": []any{"ReadWriteOnce"}, "resources": object{"requests": object{"storage": oneOf(g, "1Gi", "1500m", "0.1Gi", "1.5")}}}
}

func (g generator) containers(name string, n int, init bool) []any {
	var all []any
	for i := range n {
		c := object{"name": fmt.Sprint(name, i), "image": oneOf(g, "i", "i:1", "r/i:latest")}
		g.maybe(3, c, "resources", func() any {
			o := object{}
			g.maybe(2, o, "limits", func() any { return g.resources() })
			if o["limits"] == nil {
				g.maybe(2, o, "requests", func() any { return g.resources() })
			}
			return o
		})
		if g.chance(3) {
			var env []any
			for range 1 + g.IntN(4) {
				e := object{"name": oneOf(g, "A", "B")}
				switch g.IntN(5) {
				case 0:
					e["value"] = "$(A)"
				case 1:
					e["value"] = "x$(A)y$(B)"
				case 2:
					e["valueFrom"] = object{"fieldRef": object{"fieldPath": "metadata.name"}}
				default:
					e["value"] = "v"
				}
				env = append(env, e)
			}
			c["env"] = env
		}
		if g.chance(2) {
			c["ports"] = g.ports(i)
		}
		g.maybe(6, c, "securityContext", func() any {
			o := object{}
			g.maybe(2, o, "seccompProfile", func() any { return object{"type": "Unconfined"} })
			g.maybe(2, o, "appArmorProfile", func() any { return g.appArmor() })
			return o
		})
		if init && g.chance(3) {
			c["restartPolicy"] = "Always"
		}
		all = append(all, c)
	}
	return all
}

func (g generator) resources() object {
	o := object{}
	for _, k := range []string{"memory", "ephemeral-storage", "cpu"} {
		g.maybe(2, o, k, g.quantity)
	}
	return o
}

func (g generator) ports(c int) []any {
	var all []any
	for i := range 1 + g.IntN(3) {
		p := object{"containerPort": oneOf(g, 80, 80, 81)}
		g.maybe(3, p, "protocol", func() any { return oneOf(g, "TCP", "UDP") })
		g.maybe(3, p, "hostPort", func() any { return oneOf(g, 0, 80, 81) })
		g.maybe(4, p, "hostIP", func() any { return oneOf(g, "1.2.3.4", "1.2.3.5") })
		g.maybe(4, p, "name", func() any { return oneOf(g, fmt.Sprint("p", i), fmt.Sprint("p", i), fmt.Sprintf("q%d-%d", c, i)) })
		all = append(all, p)
	}
	return all
}
