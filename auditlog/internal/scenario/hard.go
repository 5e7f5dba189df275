package scenario

import (
	"fmt"
	"time"
)

// hardFights returns fights that are easily missed, or reported with mistakes.
func hardFights() []Scenario {
	edit := func(c Client, path ...string) func(s *Server, t Target) {
		return func(s *Server, t Target) {
			s.Edit(c, t, func(o Object) { merge(o, data(path...)) })
		}
	}
	return []Scenario{
		{"the agents' versions change on the way", config("rollout"), fight, fight, "", "data.mode", "patches", 2, func(s *Server, t Target) {
			s.Create(one, t, data("mode", "a"))
			times(12, func(i int) {
				a, b := one, two
				a.Agent = fmt.Sprintf("controller-a/v1.2.%d (linux/amd64) kubernetes/$Format", i/3)
				b.Agent = fmt.Sprintf("controller-b/v0.9-%d (linux/arm64) kubernetes/$Format", i/4)
				s.Merge(a, t, data("mode", "a"))
				s.Merge(b, t, data("mode", "b"))
			})
		}},
		{"a third one writes other fields in between", config("bystander"), fight, fight, fight, "data.mode", "forced-apply", 2, func(s *Server, t Target) {
			times(10, func(i int) {
				s.Apply(argo, t, data("mode", "argo"), true)
				s.Apply(flux, t, data("mode", "flux"), true)
				if i%4 == 0 {
					s.Merge(kyverno, t, annotations("scanned", fmt.Sprint(i)))
				}
			})
		}},
		{"one answers at once, the other after minutes", config("lazy"), fight, fight, "", "data.mode", "patches", 2, func(s *Server, t Target) {
			s.Create(one, t, data("mode", "a"))
			times(10, func(i int) {
				s.Wait(10 * time.Minute)
				s.Merge(two, t, data("mode", "b"))
				s.Merge(one, t, data("mode", "a"))
			})
		}},
		{"bursts with hours between", config("bursts"), fight, fight, "", "data.mode", "patches", 2, func(s *Server, t Target) {
			s.Create(one, t, data("mode", "a"))
			times(4, func(i int) {
				times(4, func(int) {
					s.Merge(one, t, data("mode", "a"))
					s.Merge(two, t, data("mode", "b"))
				})
				s.Wait(3 * time.Hour)
			})
		}},
		{"a finalizer put and taken", widget("finalizer"), fight, fight, fight, `metadata.finalizers["example.com/hold"]`, "full-update", 2, func(s *Server, t Target) {
			s.Create(one, t, Object{"spec": Object{"mode": "x"}})
			times(8, func(i int) {
				s.Put(one, t, Object{"metadata": Object{"finalizers": []any{"example.com/hold"}}, "spec": Object{"mode": "x"}})
				s.Put(two, t, Object{"spec": Object{"mode": "x"}})
			})
		}},
		{"deleted again after a long life", config("reborn"), fight, fight, fight, "(object)", "delete-recreate", 2, func(s *Server, t Target) {
			times(6, func(i int) {
				s.Create(argo, t, data("by", "argo"))
				s.Wait(2 * time.Hour)
				s.Delete(one, t)
			})
		}},
		{"by way of an old group", Target{"networking.k8s.io", "v1", "Ingress", "ingresses", "shop", "groups"}, fight, fight, "", "spec.ingressClassName", "patches", 2, func(s *Server, t Target) {
			s.Create(one, t, Object{"spec": Object{"ingressClassName": "a"}})
			old := t
			old.Group, old.Version = "extensions", "v1beta1"
			times(8, func(i int) {
				s.Merge(one, t, Object{"spec": Object{"ingressClassName": "a"}})
				s.store[old.key()] = clone(s.store[t.key()])
				s.Merge(two, old, Object{"spec": Object{"ingressClassName": "b"}})
				s.store[t.key()] = clone(s.store[old.key()])
			})
		}},
		{"read, changed and put back", config("edits"), fight, fight, "", "data.mode", "full-update", 2, func(s *Server, t Target) {
			s.Create(one, t, data("mode", "a"))
			times(8, func(int) { edit(one, "mode", "a")(s, t); edit(two, "mode", "b")(s, t) })
		}},
	}
}

// hardPeace returns scenarios without a fight that are easily mistaken for a
// fight.
func hardPeace() []Scenario {
	quiet := func(name string, t Target, run func(s *Server, t Target)) Scenario {
		return Scenario{Name: name, Target: t, Run: run}
	}
	endpoints := Client{"system:serviceaccount:kube-system:endpoint-controller", "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abcdef0/system:serviceaccount:kube-system:endpoint-controller", ""}
	deployments := Client{"system:serviceaccount:kube-system:deployment-controller", "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abcdef0/system:serviceaccount:kube-system:deployment-controller", ""}
	return []Scenario{
		quiet("requests with ids, which are served", widget("served"), func(s *Server, t Target) {
			s.Create(dev, t, Object{"spec": Object{"mode": "x"}})
			times(8, func(i int) {
				s.Wait(5 * time.Minute)
				s.Merge(dev, t, annotations("example.com/request", fmt.Sprint("id-", i)))
				s.Merge(two, t, annotations("example.com/request", nil))
			})
		}),
		quiet("a lock that one takes and gives back", config("lock"), func(s *Server, t Target) {
			s.Create(one, t, data("k", "v"))
			times(10, func(i int) {
				s.Merge(one, t, annotations("example.com/lock", fmt.Sprint("node-", i)))
				s.Merge(one, t, annotations("example.com/lock", nil))
			})
		}),
		quiet("endpoints of pods that come and go", Target{"", "v1", "Endpoints", "endpoints", "shop", "web"}, func(s *Server, t Target) {
			s.Create(endpoints, t, Object{"subsets": []any{}})
			times(12, func(i int) {
				s.Edit(endpoints, t, func(o Object) {
					o["subsets"] = []any{Object{"addresses": []any{Object{"ip": fmt.Sprint("10.0.0.", i%2)}}, "ports": []any{Object{"port": 80.0}}}}
				})
			})
		}),
		quiet("a release, and the revision noted", deployment("revision"), func(s *Server, t Target) {
			s.Create(ci, t, web(1, "nginx:0"))
			times(14, func(i int) {
				s.Wait(5 * time.Minute)
				s.Merge(ci, t, Object{"spec": Object{"minReadySeconds": float64(i)}})
				s.Edit(deployments, t, func(o Object) { merge(o, annotations("deployment.kubernetes.io/revision", fmt.Sprint(i))) })
			})
		}),
		quiet("scaled up in the morning, down at night", deployment("office"), func(s *Server, t Target) {
			s.Create(dev, t, web(3, "nginx:1"))
			times(6, func(i int) {
				s.Wait(9 * time.Hour)
				s.Merge(one, t, Object{"spec": Object{"replicas": 0.0}})
				s.Wait(15 * time.Hour)
				s.Merge(two, t, Object{"spec": Object{"replicas": 3.0}})
			})
		}),
		quiet("a leader's name in data", config("elected"), func(s *Server, t Target) {
			s.Create(one, t, data("holder", "a"))
			times(16, func(i int) {
				s.Edit([]Client{one, two}[i/2%2], t, func(o Object) { merge(o, data("holder", []string{"a", "b"}[i/2%2], "renewTime", fmt.Sprint(i))) })
			})
		}),
		quiet("two bad releases taken back", deployment("releases"), func(s *Server, t Target) {
			s.Create(ci, t, web(1, "nginx:1"))
			for i, image := range []string{"nginx:2", "nginx:3", "nginx:4"} {
				s.Wait(30 * time.Minute)
				s.Put(ci, t, web(1, image))
				if i < 2 {
					s.Put(dev, t, web(1, "nginx:1"))
				}
			}
		}),
		quiet("tests that others clean up", config("nightly"), func(s *Server, t Target) {
			times(8, func(i int) {
				s.Create(ci, t, data("k", "v"))
				s.Wait(10 * time.Minute)
				s.Delete(two, t)
				s.Wait(4 * time.Hour)
			})
		}),
		quiet("keys of their own in one map", config("keys"), func(s *Server, t Target) {
			s.Create(dev, t, data("k", "v"))
			times(12, func(i int) {
				s.Edit(one, t, func(o Object) { merge(o, data("one", fmt.Sprint(i))) })
				s.Edit(two, t, func(o Object) { merge(o, data("two", fmt.Sprint(i))) })
			})
		}),
		quiet("a patch, and what another makes of it", widget("derived"), func(s *Server, t Target) {
			s.Create(dev, t, Object{"spec": Object{"mode": "x"}})
			times(12, func(i int) {
				s.Wait(2 * time.Minute)
				s.Merge(dev, t, Object{"spec": Object{"size": float64(i)}})
				s.Merge(two, t, annotations("example.com/observed", fmt.Sprint(i)))
			})
		}),
	}
}
