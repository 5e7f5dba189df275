package scenario

import (
	"fmt"
	"slices"
	"time"
)

// These are the clients of Turns.
var (
	keda               = Client{"system:serviceaccount:keda:keda-operator", "keda/v2.17.0 (linux/amd64) kubernetes/$Format", ""}
	pipeline           = Client{"gitlab-runner", "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", "kubectl"}
	istiod             = Client{"system:serviceaccount:istio-system:istiod", "pilot-discovery/1.27.0", ""}
	sealed             = Client{"system:serviceaccount:kube-system:sealed-secrets-controller", "controller/v0.30.0 (linux/amd64) kubernetes/$Format", ""}
	secrets            = Client{"system:serviceaccount:secrets:external-secrets", "external-secrets/v0.19.0 (linux/amd64) kubernetes/$Format", ""}
	endpointController = Client{"system:serviceaccount:kube-system:endpoint-controller", "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abcdef0/system:serviceaccount:kube-system:endpoint-controller", ""}
	rootCA             = Client{"system:serviceaccount:kube-system:root-ca-cert-publisher", "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abcdef0/system:serviceaccount:kube-system:root-ca-cert-publisher", ""}
)

// Turns returns fights with the rhythms of real programs, and for each fight a
// similar scenario without a fight. A log without bodies shows only methods,
// rhythms and programs.
func Turns() []Scenario {
	quiet := func(name string, t Target, run func(s *Server, t Target)) Scenario {
		return Scenario{Name: name, Target: t, Run: run}
	}
	edit := func(s *Server, c Client, t Target, change Object) {
		s.Edit(c, t, func(o Object) { merge(o, change) })
	}
	secret := func(name string) Target { return Target{"", "v1", "Secret", "secrets", "shop", name} }
	set := dev
	set.Manager = "kubectl-set"
	annotate := dev
	annotate.Manager = "kubectl-annotate"
	return slices.Concat(served(), slow(), drivers(), []Scenario{
		{"an operator updates at once", widget("updates"), fight, fight, fight, "spec.mode", "full-update", 2, func(s *Server, t Target) {
			r := noise(21)
			s.Create(one, t, Object{"spec": Object{"mode": "x"}})
			times(12, func(int) {
				s.Wait(about(r, 30*time.Minute))
				s.Merge(two, t, Object{"spec": Object{"mode": "y"}})
				edit(s, one, t, Object{"spec": Object{"mode": "x"}})
			})
		}},
		{"a person sets what an operator updates", deployment("set"), fight, fight, fight, "spec.replicas", "full-update", 2, func(s *Server, t Target) {
			r := noise(22)
			s.Create(one, t, web(1, "nginx:1"))
			times(8, func(int) {
				s.Wait(about(r, 4*time.Minute))
				s.Merge(set, t, Object{"spec": Object{"replicas": 2.0}})
				edit(s, one, t, Object{"spec": Object{"replicas": 1.0}})
			})
		}},
		quiet("a person asks for what an operator does", deployment("asked"), func(s *Server, t Target) {
			r := noise(23)
			s.Create(one, t, web(1, "nginx:1"))
			times(8, func(i int) {
				s.Wait(about(r, 4*time.Minute))
				s.Merge(annotate, t, annotations("example.com/backup", fmt.Sprint("b", i)))
				edit(s, one, t, annotations("example.com/backup", nil))
			})
		}),
		{"two controllers of one secret", secret("two"), fight, fight, fight, "data.password", "full-update", 2, func(s *Server, t Target) {
			r := noise(24)
			s.Create(sealed, t, data("password", "YQ=="))
			times(12, func(int) {
				s.Wait(about(r, 20*time.Minute))
				edit(s, secrets, t, data("password", "Yg=="))
				edit(s, sealed, t, data("password", "YQ=="))
			})
		}},
		{"a mesh and the publisher of the root CA", config("kube-root-ca.crt"), fight, fight, fight, `data["ca.crt"]`, "full-update", 2, func(s *Server, t Target) {
			r := noise(25)
			s.Create(rootCA, t, data("ca.crt", "a"))
			times(12, func(int) {
				s.Wait(about(r, 12*time.Minute))
				edit(s, istiod, t, data("ca.crt", "b"))
				edit(s, rootCA, t, data("ca.crt", "a"))
			})
		}},
		{"Flux and KEDA, minutes apart", deployment("idle"), fight, fight, fight, "spec.replicas", "scale", 2, func(s *Server, t Target) {
			r := noise(26)
			times(12, func(int) {
				s.Apply(flux, t, web(2, "nginx:1"), true)
				s.Wait(about(r, 9*time.Minute))
				s.Scale(keda, t, 1)
				s.Wait(about(r, 8*time.Minute))
			})
		}},
		{"Flux tries, and applies each time", deployment("tried"), fight, fight, fight, "spec.replicas", "scale", 2, func(s *Server, t Target) {
			r := noise(30)
			s.Apply(flux, t, web(2, "nginx:1"), true)
			times(12, func(int) {
				s.Wait(about(r, 5*time.Minute))
				s.DryApply(flux, t, web(2, "nginx:1"))
				s.Wait(about(r, 4*time.Minute))
				s.Scale(keda, t, 1)
				s.Wait(about(r, 3*time.Minute))
				s.DryApply(flux, t, web(2, "nginx:1"))
				s.Wait(10 * time.Second) // time for dry runs of other objects
				s.Apply(flux, t, web(2, "nginx:1"), true)
			})
		}},
		quiet("Flux tries, and leaves it", deployment("left"), func(s *Server, t Target) {
			r := noise(31)
			s.Apply(flux, t, web(-1, "nginx:0"), true)
			times(12, func(i int) {
				s.Wait(about(r, 9*time.Minute))
				s.Scale(keda, t, 1+i%2)
				s.Wait(about(r, 2*time.Minute))
				if i%4 == 1 {
					s.DryApply(flux, t, web(-1, fmt.Sprint("nginx:", i)))
					s.Wait(about(r, 10*time.Minute))
				}
				s.DryApply(flux, t, web(-1, fmt.Sprint("nginx:", i+1)))
				s.Apply(flux, t, web(-1, fmt.Sprint("nginx:", i+1)), true)
			})
		}),
		{"a pipeline insists by force", config("insisted"), fight, fight, fight, "data.mode", "forced-apply", 2, func(s *Server, t Target) {
			r := noise(32)
			times(12, func(int) {
				s.Apply(pipeline, t, data("mode", "a"), true)
				s.Apply(two, t, data("mode", "b"), true)
				s.Wait(about(r, 20*time.Minute))
			})
		}},
		{"scaled to nothing, and put back", deployment("emptied"), fight, fight, fight, "spec.replicas", "scale", 2, func(s *Server, t Target) {
			r := noise(36)
			s.Apply(flux, t, web(1, "nginx:1"), true)
			times(12, func(int) {
				s.Wait(about(r, 9*time.Minute))
				s.Scale(keda, t, 0)
				s.Wait(about(r, 8*time.Minute))
				s.Apply(flux, t, web(1, "nginx:1"), true)
			})
		}},
		{"what is read, and sent without a list", Target{"", "v1", "Endpoints", "endpoints", "shop", "filled"}, fight, fight, fight, "subsets", "atomic-list", 2, func(s *Server, t Target) {
			r := noise(37)
			s.Create(two, t, Object{"subsets": []any{Object{"addresses": []any{Object{"ip": "10.0.0.1"}}}}})
			times(12, func(i int) {
				s.Wait(about(r, 5*time.Minute))
				s.Edit(endpointController, t, func(o Object) { delete(o, "subsets") })
				s.Edit(two, t, func(o Object) { o["subsets"] = []any{Object{"addresses": []any{Object{"ip": "10.0.0.1"}}}} })
			})
		}},
		quiet("fields of their own that come and go", widget("comings"), func(s *Server, t Target) {
			r := noise(38)
			s.Create(two, t, Object{"spec": Object{"mode": "x"}})
			times(12, func(i int) {
				s.Wait(about(r, 25*time.Minute))
				edit(s, two, t, Object{"spec": Object{"two": []any{"on", nil}[i%2]}})
				s.Wait(about(r, 15*time.Minute))
				edit(s, one, t, Object{"spec": Object{"one": []any{fmt.Sprint(i), nil}[i%2]}})
			})
		}),
		{"two autoscalers of one deployment", deployment("doubled"), flap, flap, "", "spec.replicas", "self", 1, func(s *Server, t Target) {
			s.Create(two, t, web(4, "nginx:1"))
			times(30, func(i int) {
				s.Wait(14 * time.Second)
				s.Scale(hpa, t, 4+6*(i%2))
			})
		}},
		quiet("a load that comes and goes", deployment("waves"), func(s *Server, t Target) {
			r := noise(39)
			s.Create(two, t, web(4, "nginx:1"))
			times(30, func(i int) {
				s.Wait(about(r, 6*time.Minute))
				s.Scale(hpa, t, 4+6*(i%2))
			})
		}),
		quiet("two controllers apply fields of their own", config("shared"), func(s *Server, t Target) {
			r := noise(33)
			times(12, func(i int) {
				s.Apply(one, t, data("one", fmt.Sprint(i)), true)
				s.Apply(two, t, data("two", fmt.Sprint(i)), true)
				s.Wait(about(r, 20*time.Minute))
			})
		}),
		{"a webhook overwrites what an update states", config("relabeled"), fight, fight, fight, "metadata.labels.team", "webhook", 2, func(s *Server, t Target) {
			r := noise(34)
			s.Create(one, t, data("k", "v"))
			s.Hook = &Hook{"teams", "teams.example.com", "team", "core", false}
			times(12, func(i int) {
				s.Wait(about(r, 3*time.Minute))
				s.Edit(one, t, func(o Object) { merge(o, labels("team", "apps")); merge(o, data("k", fmt.Sprint(i))) })
			})
		}},
		quiet("a webhook stamps every write", config("stamped"), func(s *Server, t Target) {
			r := noise(35)
			s.Create(one, t, data("k", "v"))
			s.Hook = &Hook{"stamps", "stamps.example.com", "stamp", "", true}
			times(12, func(i int) {
				s.Wait(about(r, 3*time.Minute))
				edit(s, one, t, data("one", fmt.Sprint(i)))
				s.Wait(about(r, 2*time.Minute))
				edit(s, two, t, data("two", fmt.Sprint(i)))
				if i%3 == 1 {
					edit(s, two, t, data("two", fmt.Sprint(i, "!")))
				}
			})
		}),
		quiet("a job that patches, then makes Flux release", deployment("together"), func(s *Server, t Target) {
			r := noise(27)
			s.Apply(flux, t, web(-1, "nginx:0"), true)
			times(12, func(i int) {
				s.Wait(about(r, 20*time.Minute))
				s.Merge(one, t, annotations("example.com/release", fmt.Sprint(i)))
				s.Apply(flux, t, web(-1, fmt.Sprint("nginx:", i+1)), true)
			})
		}),
		quiet("Flux and an operator that change nothing", deployment("agreed"), func(s *Server, t Target) {
			r := noise(29)
			s.Apply(flux, t, web(1, "nginx:1"), true)
			times(12, func(int) {
				s.Wait(about(r, 12*time.Minute))
				s.Apply(flux, t, web(1, "nginx:1"), true)
				edit(s, one, t, Object{})
			})
		}),
		quiet("two counters that take turns", config("counters"), func(s *Server, t Target) {
			r := noise(28)
			s.Create(one, t, data("n", "0"))
			times(24, func(i int) {
				s.Wait(about(r, 3*time.Minute))
				edit(s, []Client{one, two}[i%2], t, data("n", fmt.Sprint(i)))
			})
		}),
	})
}
