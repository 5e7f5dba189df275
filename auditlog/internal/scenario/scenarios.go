package scenario

import (
	"fmt"
	"slices"
	"time"
)

// Scenario has the actions of clients on one object, and the findings that
// tests expect.
type Scenario struct {
	Name string
	// Target is the object of the scenario.
	Target Target
	// Exact, Partial and Probable are the rules that must report the scenario
	// at the levels RequestResponse, Request and Metadata; "" for none.
	Exact, Partial, Probable string
	// Path is the field that the writers fight over. Mechanism is the mechanism
	// of the fight.
	Path, Mechanism string
	// Sides is the number of writers that fight.
	Sides int
	Run   func(s *Server, t Target)
}

// These are the clients of the scenarios.
var (
	strimzi = Client{"system:serviceaccount:strimzi:operator", "Strimzi/0.45.0 fabric8-kubernetes-client/6.13.4", ""}
	kyverno = Client{"system:serviceaccount:kyverno:background", "background-controller/v1.13.4 (linux/amd64) kubernetes/$Format", ""}
	argo    = Client{"system:serviceaccount:argocd:controller", "argocd-application-controller/v0.0.0 (linux/amd64) kubernetes/$Format", "argocd-controller"}
	flux    = Client{"system:serviceaccount:flux-system:kustomize", "kustomize-controller/v1.4.0 (linux/amd64) kubernetes/$Format", "kustomize-controller"}
	hpa     = Client{"system:serviceaccount:kube-system:horizontal-pod-autoscaler", "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abcdef0/system:serviceaccount:kube-system:horizontal-pod-autoscaler", ""}
	gc      = Client{"system:serviceaccount:kube-system:generic-garbage-collector", "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abcdef0/system:serviceaccount:kube-system:generic-garbage-collector", ""}
	dev     = Client{"dev@example.com", "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", "kubectl-edit"}
	ci      = Client{"ci-bot", "Terraform/1.9.8", "Terraform"}
	helm    = Client{"ci-bot", "Helm/3.16.2", "helm"}
	one     = Client{"controller-a", "controller-a/v1.2.3 (linux/amd64) kubernetes/$Format", ""}
	two     = Client{"controller-b", "controller-b/v0.9 (linux/amd64) kubernetes/$Format", ""}
)

func deployment(name string) Target {
	return Target{"apps", "v1", "Deployment", "deployments", "shop", name}
}
func config(name string) Target { return Target{"", "v1", "ConfigMap", "configmaps", "shop", name} }
func widget(name string) Target {
	return Target{"example.com", "v1", "Widget", "widgets", "shop", name}
}
func (t Target) at(version string) Target {
	t.Version = version
	return t
}

func data(kv ...string) Object {
	d := Object{}
	for i := 0; i+1 < len(kv); i += 2 {
		d[kv[i]] = kv[i+1]
	}
	return Object{"data": d}
}

func labels(k string, v any) Object { return Object{"metadata": Object{"labels": Object{k: v}}} }
func annotations(k string, v any) Object {
	return Object{"metadata": Object{"annotations": Object{k: v}}}
}

// web returns the spec of a Deployment. If replicas is below 0, the spec has no
// replicas.
func web(replicas int, image string) Object {
	spec := Object{"selector": Object{"matchLabels": Object{"app": "web"}}, "template": Object{"metadata": Object{"labels": Object{"app": "web"}},
		"spec": Object{"containers": []any{Object{"name": "c", "image": image, "ports": []any{Object{"containerPort": 8080, "protocol": "TCP"}}}}}}}
	if replicas >= 0 {
		spec["replicas"] = float64(replicas)
	}
	return Object{"spec": spec}
}

// times calls f with the numbers from 0 to n-1.
func times(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

const fight, flap = "fieldfight", "selfflap"

// All returns all scenarios except Rhythms and Turns. They are fights of all
// kinds, and similar scenarios without a fight.
func All() []Scenario {
	return slices.Concat(fights(), hardFights(), peace(), hardPeace(), handovers(), overlooked(), encounters())
}

func fights() []Scenario {
	return []Scenario{
		{"update drops annotation", deployment("kafka"), fight, fight, fight, `metadata.annotations["policies.kyverno.io/patched"]`, "full-update", 2, func(s *Server, t Target) {
			s.Create(strimzi, t, web(3, "kafka:1"))
			times(12, func(i int) {
				s.Merge(kyverno, t, annotations("policies.kyverno.io/patched", "yes"))
				o := web(3, "kafka:1")
				meta(o)["resourceVersion"] = meta(s.store[t.key()])["resourceVersion"]
				s.Put(strimzi, t, o)
			})
		}},
		{"forced apply and autoscaler", deployment("scaled"), fight, fight, fight, "spec.replicas", "scale", 2, func(s *Server, t Target) {
			times(10, func(i int) {
				s.Apply(argo, t, web(3, "nginx:1"), true)
				s.Scale(hpa, t, 5)
			})
		}},
		{"two forced appliers", config("forced"), fight, fight, fight, "data.mode", "forced-apply", 2, func(s *Server, t Target) {
			times(10, func(i int) {
				s.Apply(argo, t, data("mode", "argo"), true)
				s.Apply(flux, t, data("mode", "flux"), true)
			})
		}},
		{"label by merge patches", config("labels"), fight, fight, "", "metadata.labels.team", "patches", 2, func(s *Server, t Target) {
			s.Create(one, t, data("k", "v"))
			times(10, func(i int) {
				s.Merge(one, t, labels("team", "a"))
				s.Merge(two, t, labels("team", "b"))
			})
		}},
		{"label by JSON patches", config("jsonpatches"), fight, fight, "", `metadata.labels["example.com/team"]`, "patches", 2, func(s *Server, t Target) {
			s.Create(one, t, data("k", "v"))
			times(10, func(i int) {
				s.JSONPatch(one, t, "a", "metadata", "labels", "example.com/team")
				s.JSONPatch(two, t, nil, "metadata", "labels", "example.com/team")
			})
		}},
		{"image in a list's item", deployment("image"), fight, fight, fight, "spec.template.spec.containers[name=c].image", "full-update", 2, func(s *Server, t Target) {
			s.Create(one, t, web(1, "nginx:1"))
			times(10, func(i int) {
				s.Put(one, t, web(1, "nginx:1"))
				s.Put(two, t, web(1, "nginx:2"))
			})
		}},
		{"deleted and made anew", config("recreated"), fight, fight, fight, "(object)", "delete-recreate", 2, func(s *Server, t Target) {
			times(8, func(i int) {
				s.Create(argo, t, data("by", "argo"))
				s.Delete(one, t)
			})
		}},
		{"deleted and applied anew", config("reapplied"), fight, fight, fight, "(object)", "delete-recreate", 2, func(s *Server, t Target) {
			times(8, func(i int) {
				s.Apply(argo, t, data("by", "argo"), true)
				s.Delete(one, t)
			})
		}},
		{"three ways", config("threeway"), fight, fight, "", "metadata.annotations.owner", "patches", 3, func(s *Server, t Target) {
			s.Create(one, t, data("k", "v"))
			times(8, func(i int) {
				s.Merge(one, t, annotations("owner", "a"))
				s.Merge(two, t, annotations("owner", "b"))
				s.Merge(kyverno, t, annotations("owner", "c"))
			})
		}},
		{"one user with two tools", config("tools"), fight, fight, fight, "data.v", "patches", 2, func(s *Server, t Target) {
			s.Create(helm, t, data("v", "helm"))
			times(10, func(i int) {
				s.Merge(ci, t, data("v", "tf"))
				s.Merge(helm, t, data("v", "helm"))
			})
		}},
		{"one program with two managers", config("managers"), fight, fight, fight, "data.v", "forced-apply", 2, func(s *Server, t Target) {
			a, b := argo, argo
			a.Manager, b.Manager = "team-a", "team-b"
			times(10, func(i int) {
				s.Apply(a, t, data("v", "a"), true)
				s.Apply(b, t, data("v", "b"), true)
			})
		}},
		{"two programs as one manager", config("onemanager"), fight, fight, fight, "data.v", "shared-manager", 2, func(s *Server, t Target) {
			a, b := argo, flux
			a.Manager, b.Manager = "manager", "manager"
			times(10, func(i int) {
				s.Apply(a, t, data("v", "a"), true)
				s.Apply(b, t, data("v", "b"), true)
			})
		}},
		{"webhook puts back a label", config("hooked"), fight, fight, fight, "metadata.labels.mutated", "webhook", 2, func(s *Server, t Target) {
			s.Hook = &Hook{"mutator", "mutate.example.com", "mutated", "yes", false}
			s.Create(strimzi, t, data("k", "v"))
			times(12, func(i int) { s.Put(strimzi, t, data("k", fmt.Sprint(i))) })
		}},
		{"two versions of a custom resource", widget("versions"), fight, fight, fight, "spec.mode", "full-update", 2, func(s *Server, t Target) {
			s.Create(one, t, Object{"spec": Object{"mode": "x"}})
			times(8, func(i int) {
				s.Edit(one, t, func(o Object) { o["spec"] = Object{"mode": "x"} })
				s.Edit(two, t.at("v1beta1"), func(o Object) { o["spec"] = Object{"mode": "y"} })
			})
		}},
		{"new values against a fixed one", config("insists"), fight, fight, "", "metadata.annotations.checked", "patches", 2, func(s *Server, t Target) {
			s.Create(one, t, data("k", "v"))
			times(8, func(i int) {
				s.Merge(one, t, annotations("checked", fmt.Sprint("at ", i)))
				s.Merge(two, t, annotations("checked", "never"))
			})
		}},
		{"atomic list", widget("list"), fight, fight, fight, "spec.hosts", "atomic-list", 2, func(s *Server, t Target) {
			times(8, func(i int) {
				s.Apply(argo, t, Object{"spec": Object{"hosts": []any{"a", "b"}}}, true)
				s.Apply(flux, t, Object{"spec": Object{"hosts": []any{"c"}}}, true)
			})
		}},
		{"apply of what was read", config("fetched"), fight, fight, fight, "data.mode", "apply-of-fetched", 2, func(s *Server, t Target) {
			s.Create(two, t, data("mode", "b", "other", "x"))
			times(8, func(i int) {
				o := clone(s.store[t.key()])
				o["data"].(Object)["mode"] = "a"
				s.Apply(argo, t, o, true)
				s.Merge(two, t, data("mode", "b"))
			})
		}},
		{"slow fight", config("slow"), fight, fight, "", "data.mode", "patches", 2, func(s *Server, t Target) {
			s.Create(one, t, data("mode", "a"))
			times(8, func(i int) {
				s.Wait(20 * time.Minute)
				s.Merge(one, t, data("mode", "a"))
				s.Wait(20 * time.Minute)
				s.Merge(two, t, data("mode", "b"))
			})
		}},
		{"flaps by itself", config("flaps"), flap, flap, "", "data.replicas", "self", 1, func(s *Server, t Target) {
			s.Create(one, t, data("replicas", "1"))
			times(12, func(i int) {
				s.Edit(one, t, func(o Object) { o["data"] = data("replicas", fmt.Sprint(1+i%2))["data"] })
			})
		}},
	}
}

// peace returns scenarios that look like a fight but are not a fight.
func peace() []Scenario {
	quiet := func(name string, t Target, run func(s *Server, t Target)) Scenario {
		return Scenario{Name: name, Target: t, Run: run}
	}
	return []Scenario{
		quiet("different fields, with conflicts", config("contended"), func(s *Server, t Target) {
			s.Create(one, t, data("a", "0", "b", "0"))
			times(12, func(i int) {
				stale := s.Read(two, t)
				s.Edit(one, t, func(o Object) { o["data"].(Object)["a"] = fmt.Sprint(i) })
				s.Put(two, t, stale)
				s.Edit(two, t, func(o Object) { o["data"].(Object)["b"] = fmt.Sprint(i) })
			})
		}),
		quiet("cooperative counter", config("counter"), func(s *Server, t Target) {
			s.Create(one, t, data("c", "0"))
			times(24, func(i int) {
				s.Edit([]Client{one, two}[i%2], t, func(o Object) { o["data"].(Object)["c"] = fmt.Sprint(i) })
			})
		}),
		quiet("status heartbeats", deployment("status"), func(s *Server, t Target) {
			s.Create(dev, t, web(1, "nginx:1"))
			times(20, func(i int) { s.Status([]Client{one, two}[i%2], t, Object{"ready": i % 2}) })
		}),
		quiet("leader hand-over by lease", Target{"coordination.k8s.io", "v1", "Lease", "leases", "shop", "lead"}, func(s *Server, t Target) {
			s.Create(one, t, Object{"spec": Object{"holderIdentity": "a"}})
			times(20, func(i int) {
				s.Edit([]Client{one, two}[i/2%2], t, func(o Object) { o["spec"] = Object{"holderIdentity": []string{"a", "b"}[i/2%2]} })
			})
		}),
		quiet("leader hand-over by annotation", config("leader"), func(s *Server, t Target) {
			s.Create(one, t, data())
			times(20, func(i int) {
				s.Edit([]Client{one, two}[i/2%2], t, func(o Object) {
					merge(o, annotations("control-plane.alpha.kubernetes.io/leader", []string{"a", "b"}[i/2%2]))
				})
			})
		}),
		quiet("updates that change nothing", config("noop"), func(s *Server, t Target) {
			s.Create(one, t, data("k", "v"))
			times(20, func(i int) { s.Edit([]Client{one, two}[i%2], t, func(Object) {}) })
		}),
		quiet("one applies the same again", config("noopapply"), func(s *Server, t Target) {
			times(20, func(i int) { s.Apply(argo, t, data("k", "v"), true) })
		}),
		quiet("dry runs", config("dry"), func(s *Server, t Target) {
			s.Create(dev, t, data("v", "a"))
			times(24, func(i int) { s.DryRun([]Client{dev, ci}[i%2], t, data("v", []string{"b", "c"}[i%2])) })
		}),
		quiet("refused applies", config("refused"), func(s *Server, t Target) {
			s.Create(dev, t, data("v", "a"))
			times(24, func(i int) {
				s.Refused([]Client{argo, ci}[i%2], t, data("v", []string{"b", "c"}[i%2]), []int{409, 403, 422}[i%3])
			})
		}),
		quiet("one takeover", config("takeover"), func(s *Server, t Target) {
			s.Apply(dev, t, data("k", "dev"), false)
			times(8, func(i int) { s.Refused(ci, t, data("k", "ci"), 409) })
			s.Apply(ci, t, data("k", "ci"), true)
			times(8, func(i int) { s.Apply(ci, t, data("k", "ci"), true) })
		}),
		quiet("autoscaler, and an apply without replicas", deployment("hpa"), func(s *Server, t Target) {
			s.Apply(one, t, web(-1, "nginx:1"), true)
			times(12, func(i int) {
				s.Scale(hpa, t, 3+i%2)
				s.Wait(90 * time.Second)
				s.Apply(one, t, web(-1, "nginx:1"), true)
				s.Wait(90 * time.Second)
			})
		}),
		quiet("rollouts", deployment("rollouts"), func(s *Server, t Target) {
			s.Create(dev, t, web(1, "nginx:1"))
			times(12, func(i int) {
				s.Edit([]Client{one, two}[i%2], t, func(o Object) { o["spec"] = web(1, fmt.Sprint("nginx:", i+2))["spec"] })
			})
		}),
		quiet("a rollback", deployment("rollback"), func(s *Server, t Target) {
			s.Create(one, t, web(1, "nginx:1"))
			for _, image := range []string{"nginx:2", "nginx:3"} {
				s.Edit(one, t, func(o Object) { o["spec"] = web(1, image)["spec"] })
			}
			s.Edit(dev, t, func(o Object) { o["spec"] = web(1, "nginx:2")["spec"] })
			s.Edit(one, t, func(o Object) { o["spec"] = web(1, "nginx:4")["spec"] })
		}),
		quiet("two write the same value", config("same"), func(s *Server, t Target) {
			s.Create(one, t, data("k", "v"))
			times(20, func(i int) {
				s.Edit([]Client{one, two}[i%2], t, func(o Object) { o["data"] = data("k", "v", "n", fmt.Sprint(i/2))["data"] })
			})
		}),
		quiet("cleaned up and made anew", config("gc"), func(s *Server, t Target) {
			times(12, func(i int) {
				s.Create(one, t, data("k", "v"))
				s.Delete(gc, t)
			})
		}),
		quiet("a request that is served", Target{"argoproj.io", "v1alpha1", "Application", "applications", "shop", "handshake"}, func(s *Server, t Target) {
			s.Create(dev, t, Object{"spec": Object{"mode": "x"}})
			times(6, func(i int) {
				s.Wait(10 * time.Minute)
				s.Merge(dev, t, annotations("argocd.argoproj.io/refresh", "normal"))
				s.Merge(argo, t, annotations("argocd.argoproj.io/refresh", nil))
			})
		}),
		quiet("scaled by a schedule", deployment("schedule"), func(s *Server, t Target) {
			s.Create(dev, t, web(3, "nginx:1"))
			times(10, func(i int) {
				s.Wait(12 * time.Hour)
				s.Scale(one, t, 3*(i%2))
			})
		}),
		quiet("made and deleted by one", config("tests"), func(s *Server, t Target) {
			times(8, func(i int) {
				s.Create(ci, t, data("k", "v"))
				s.Edit(ci, t, func(o Object) { o["data"] = data("k", "w")["data"] })
				s.Delete(ci, t)
			})
		}),
		quiet("made once", config("once"), func(s *Server, t Target) { s.Create(one, t, data("k", "v")) }),
		quiet("read, changed and put back whole", deployment("defaults"), func(s *Server, t Target) {
			s.Create(one, t, web(1, "nginx:1"))
			times(10, func(i int) {
				s.Edit(one, t, func(o Object) { merge(o, annotations("rev", fmt.Sprint(i))) })
				s.Edit(two, t, func(o Object) { merge(o, labels("seen", fmt.Sprint(i))) })
			})
		}),
	}
}
