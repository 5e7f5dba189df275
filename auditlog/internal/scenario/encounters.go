package scenario

import (
	"fmt"
	"time"
)

// encounters returns scenarios of writers that sometimes write to the same
// object. Some of the writers fight.
func encounters() []Scenario {
	quiet := func(name string, t Target, run func(s *Server, t Target)) Scenario {
		return Scenario{Name: name, Target: t, Run: run}
	}
	byClient := func(user string) Client {
		return Client{user, "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", "kubectl-client-side-apply"}
	}
	byForce := func(user, manager string) Client {
		return Client{user, "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", manager}
	}
	return []Scenario{
		quiet("a retry after a conflict", config("retried"), func(s *Server, t Target) {
			r := noise(51)
			s.Create(one, t, data("one", "0", "two", "0"))
			times(16, func(i int) {
				s.Wait(about(r, 4*time.Minute))
				stale := s.Read(two, t)
				s.Edit(one, t, func(o Object) { merge(o, data("one", fmt.Sprint(i))) })
				merge(stale, data("two", fmt.Sprint(i)))
				s.Put(two, t, stale)
				s.Edit(two, t, func(o Object) { merge(o, data("two", fmt.Sprint(i))) })
			})
		}),
		quiet("an object for each run of a workflow", config("run-input"), func(s *Server, t Target) {
			r := noise(52)
			times(12, func(int) {
				s.Wait(about(r, 35*time.Minute))
				s.Create(one, t, data("k", "v"))
				s.Wait(about(r, 5*time.Minute))
				s.Delete(two, t)
			})
		}),
		{"a cleaner and GitOps, which is slower", config("cleaned"), fight, fight, fight, "(object)", "delete-recreate", 2, func(s *Server, t Target) {
			r := noise(53)
			times(12, func(int) {
				s.Apply(flux, t, data("k", "v"), true)
				s.Wait(about(r, 2*time.Minute))
				s.Delete(two, t)
				s.Wait(about(r, 9*time.Minute))
			})
		}},
		quiet("a state that rests between new ones", widget("resting"), func(s *Server, t Target) {
			r := noise(54)
			s.Create(one, t, Object{"spec": Object{"mode": "idle"}})
			times(10, func(i int) {
				s.Wait(about(r, 8*time.Minute))
				s.Merge(one, t, Object{"spec": Object{"mode": fmt.Sprint("job-", i)}})
				s.Wait(about(r, time.Minute))
				s.Merge(two, t, labels("done", fmt.Sprint(i)))
				s.Wait(about(r, time.Minute))
				s.Merge(one, t, Object{"spec": Object{"mode": "idle"}})
			})
		}),
		{"two programs scale", deployment("twice-scaled"), fight, fight, fight, "spec.replicas", "scale", 2, func(s *Server, t Target) {
			r := noise(55)
			s.Create(dev, t, web(1, "nginx:1"))
			times(12, func(int) {
				s.Wait(about(r, 14*time.Minute))
				s.Scale(one, t, 8)
				s.Wait(about(r, 3*time.Minute))
				s.Scale(two, t, 2)
			})
		}},
		{"two pipelines apply on the client", config("two-manifests"), fight, fight, fight, "data.v", "shared-manager", 2, func(s *Server, t Target) {
			r := noise(56)
			s.Create(byClient("gitlab-runner"), t, data("v", "a"))
			times(8, func(int) {
				s.Wait(about(r, 30*time.Minute))
				s.Merge(byClient("jenkins"), t, data("v", "b"))
				s.Wait(about(r, 30*time.Minute))
				s.Merge(byClient("gitlab-runner"), t, data("v", "a"))
			})
		}},
		{"two teams force on the server", config("two-teams"), fight, fight, fight, "data.v", "forced-apply", 2, func(s *Server, t Target) {
			r := noise(57)
			times(8, func(int) {
				s.Wait(about(r, 20*time.Minute))
				s.Apply(byForce("gitlab-runner", "team-a"), t, data("v", "a"), true)
				s.Wait(about(r, 20*time.Minute))
				s.Apply(byForce("jenkins", "team-b"), t, data("v", "b"), true)
			})
		}},
		{"a script nulls the finalizers of an operator", config("unfinished"), fight, fight, fight, `metadata.finalizers["example.com/a"]`, "full-update", 2, func(s *Server, t Target) {
			r := noise(59)
			s.Create(one, t, data("k", "v"))
			times(12, func(int) {
				s.Wait(about(r, 18*time.Minute))
				s.Edit(one, t, func(o Object) { merge(o, Object{"metadata": Object{"finalizers": []any{"example.com/a"}}}) })
				s.Wait(about(r, 2*time.Minute))
				s.Merge(two, t, Object{"metadata": Object{"finalizers": nil}})
			})
		}},
		{"two controllers replace the taints", Target{"", "v1", "Node", "nodes", "", "tainted"}, fight, fight, "", "", "patches", 2, func(s *Server, t Target) {
			taint := func(key string) Object {
				return Object{"spec": Object{"taints": []any{Object{"key": key, "effect": "NoSchedule"}}}}
			}
			r := noise(60)
			s.Create(dev, t, Object{"spec": Object{}})
			times(12, func(int) {
				s.Wait(about(r, 8*time.Minute))
				s.Merge(one, t, taint("one"))
				s.Merge(two, t, taint("two"))
			})
		}},
		{"two controllers apply tolerations", deployment("tolerant"), fight, fight, "", "", "forced-apply", 2, func(s *Server, t Target) {
			tolerate := func(key string) Object {
				return Object{"spec": Object{"template": Object{"spec": Object{"tolerations": []any{Object{"key": key, "operator": "Exists"}}}}}}
			}
			r := noise(61)
			s.Create(dev, t, web(1, "nginx:1"))
			times(12, func(int) {
				s.Wait(about(r, 8*time.Minute))
				s.Apply(one, t, tolerate("one"), true)
				s.Apply(two, t, tolerate("two"), true)
			})
		}},
		{"an operator updates what is patched, later", widget("later"), fight, fight, fight, "spec.mode", "full-update", 2, func(s *Server, t Target) {
			r := noise(58)
			s.Create(one, t, Object{"spec": Object{"mode": "x"}})
			times(12, func(int) {
				s.Wait(about(r, 9*time.Minute))
				s.Merge(two, t, Object{"spec": Object{"mode": "y"}})
				s.Wait(about(r, 40*time.Second))
				s.Edit(one, t, func(o Object) { merge(o, Object{"spec": Object{"mode": "x"}}) })
			})
		}},
	}
}
