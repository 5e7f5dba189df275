package scenario

import (
	"fmt"
	"time"
)

// handovers returns scenarios with locks, requests and restarts. Their fields
// or objects are set and removed on purpose.
func handovers() []Scenario {
	quiet := func(name string, t Target, run func(s *Server, t Target)) Scenario {
		return Scenario{Name: name, Target: t, Run: run}
	}
	pod := Target{"", "v1", "Pod", "pods", "shop", "web-0"}
	node := func(name string) Target { return Target{"", "v1", "Node", "nodes", "", name} }
	statefulsets := Client{"system:serviceaccount:kube-system:statefulset-controller", "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abcdef0/system:serviceaccount:kube-system:statefulset-controller", ""}
	deployments := Client{"system:serviceaccount:kube-system:deployment-controller", "kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/abcdef0/system:serviceaccount:kube-system:deployment-controller", ""}
	named := Client{"ci", "e2e.test/v1", "kubectl-create"}
	return []Scenario{
		quiet("made and deleted by one who names its manager", config("fixture"), func(s *Server, t Target) {
			times(8, func(int) {
				s.Create(named, t, data("k", "v"))
				s.Delete(named, t)
			})
		}),
		quiet("a lock that holders take in turn", config("turnlock"), func(s *Server, t Target) {
			s.Create(dev, t, data("k", "v"))
			times(16, func(i int) {
				c := []Client{one, two}[i%2]
				s.Merge(c, t, annotations("example.com/lock", c.User))
				s.Wait(2 * time.Second)
				s.Merge(c, t, annotations("example.com/lock", nil))
			})
		}),
		quiet("a lock that holders update in turn", config("turnlock-update"), func(s *Server, t Target) {
			s.Create(dev, t, data("k", "v"))
			times(16, func(i int) {
				c := []Client{one, two}[i%2]
				s.Edit(c, t, func(o Object) { merge(o, annotations("example.com/lock", c.User)) })
				s.Edit(c, t, func(o Object) { merge(o, annotations("example.com/lock", nil)) })
			})
		}),
		quiet("the same request again and again", widget("runnow"), func(s *Server, t Target) {
			s.Create(dev, t, Object{"spec": Object{"mode": "x"}})
			times(8, func(int) {
				s.Wait(10 * time.Second)
				s.Merge(dev, t, annotations("example.com/run-now", "true"))
				s.Wait(time.Second)
				s.Merge(strimzi, t, annotations("example.com/run-now", nil))
			})
		}),
		quiet("the same request, removed by an update", widget("rolling"), func(s *Server, t Target) {
			r := noise(1)
			s.Create(dev, t, Object{"spec": Object{"mode": "x"}})
			times(8, func(int) {
				s.Wait(upToTwice(r, 20*time.Minute))
				s.Merge(dev, t, annotations("strimzi.io/manual-rolling-update", "true"))
				s.Wait(time.Second)
				s.Edit(strimzi, t, func(o Object) { merge(o, annotations("strimzi.io/manual-rolling-update", nil)) })
			})
		}),
		quiet("a switch that is set back when its work is done", widget("trigger"), func(s *Server, t Target) {
			r := noise(2)
			s.Create(dev, t, Object{"spec": Object{"backup": false}})
			times(8, func(int) {
				s.Wait(upToTwice(r, 20*time.Minute))
				s.Merge(dev, t, Object{"spec": Object{"backup": true}})
				s.Wait(time.Second)
				s.Merge(one, t, Object{"spec": Object{"backup": false}})
			})
		}),
		quiet("pods restarted by hand", pod, func(s *Server, t Target) {
			s.Create(statefulsets, t, Object{"spec": Object{"nodeName": "a"}})
			times(6, func(int) {
				s.Wait(20 * time.Second)
				s.Delete(dev, t)
				s.Create(statefulsets, t, Object{"spec": Object{"nodeName": "a"}})
			})
		}),
		quiet("cordoned and uncordoned", node("node-1"), func(s *Server, t Target) {
			s.Create(dev, t, Object{"spec": Object{}})
			times(8, func(int) {
				s.Wait(time.Minute)
				s.Merge(one, t, Object{"spec": Object{"unschedulable": true}})
				s.Wait(time.Minute)
				s.Merge(one, t, Object{"spec": Object{"unschedulable": nil}})
			})
		}),
		quiet("suspended while work is done", widget("suspended"), func(s *Server, t Target) {
			s.Create(dev, t, Object{"spec": Object{"suspend": false}})
			times(8, func(i int) {
				s.Wait(time.Minute)
				s.Merge(one, t, Object{"spec": Object{"suspend": i%2 == 0}})
			})
		}),
		quiet("different fields patched in turn", config("inturn"), func(s *Server, t Target) {
			s.Create(dev, t, data("k", "v"))
			times(30, func(i int) {
				s.Merge(one, t, data("one", fmt.Sprint(i)))
				s.Merge(two, t, data("two", fmt.Sprint(i)))
			})
		}),
		quiet("a counter by patches", config("patchcounter"), func(s *Server, t Target) {
			s.Create(dev, t, data("c", "0"))
			times(30, func(i int) { s.Merge([]Client{one, two}[i%2], t, data("c", fmt.Sprint(i))) })
		}),
		quiet("equal patches that change nothing", config("equal"), func(s *Server, t Target) {
			s.Create(dev, t, data("c", "0"))
			times(30, func(i int) { s.Merge([]Client{one, two}[i%2], t, data("c", "0")) })
		}),
		quiet("rollouts that the controller notes", deployment("rolled"), func(s *Server, t Target) {
			s.Create(ci, t, web(1, "nginx:0"))
			times(14, func(i int) {
				s.Wait(5 * time.Second)
				s.Merge(ci, t, Object{"spec": Object{"minReadySeconds": float64(i)}})
				s.Edit(deployments, t, func(o Object) { merge(o, annotations("deployment.kubernetes.io/revision", fmt.Sprint(i))) })
			})
		}),
		quiet("certificates, and what is restarted for them", deployment("reloaded"), func(s *Server, t Target) {
			s.Create(ci, t, web(1, "nginx:0"))
			times(14, func(i int) {
				s.Wait(3 * time.Second)
				s.Merge(one, t, annotations("example.com/cert", fmt.Sprint(i)))
				s.Merge(two, t, Object{"spec": Object{"template": Object{"metadata": Object{"annotations": Object{"reloaded": fmt.Sprint(i)}}}}})
			})
		}),
		quiet("blue, green, and a note of it", Target{"", "v1", "Service", "services", "shop", "front"}, func(s *Server, t Target) {
			s.Create(dev, t, Object{"spec": Object{"selector": Object{"color": "blue"}}})
			times(10, func(i int) {
				s.Wait(20 * time.Minute)
				s.Merge(ci, t, Object{"spec": Object{"selector": Object{"color": []string{"green", "blue"}[i%2]}}})
				s.Merge(two, t, annotations("example.com/switched", fmt.Sprint(i)))
			})
		}),
	}
}

// overlooked returns fights that are easily missed.
func overlooked() []Scenario {
	v := func(version string) Client {
		return Client{"system:serviceaccount:shop:operator", "operator/" + version + " (linux/amd64) kubernetes/$Format", ""}
	}
	return []Scenario{
		{"deleted with all others", config("collected"), fight, fight, fight, "(object)", "delete-recreate", 2, func(s *Server, t Target) {
			times(8, func(int) {
				s.Create(one, t, data("k", "v"))
				s.Wait(5 * time.Second)
				s.DeleteAll(two, t)
			})
		}},
		{"owner references by merge patches", config("owned"), fight, fight, "", "", "patches", 2, func(s *Server, t Target) {
			owner := func(name string) Object {
				return Object{"metadata": Object{"ownerReferences": []any{Object{"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": name, "controller": true}}}}
			}
			s.Create(dev, t, data("k", "v"))
			times(8, func(int) {
				s.Merge(one, t, owner("o1"))
				s.Merge(two, t, owner("o2"))
			})
		}},
		{"a webhook overwrites what is stated", config("overwritten"), fight, fight, "", "metadata.labels.tier", "webhook", 2, func(s *Server, t Target) {
			s.Hook = &Hook{"tiers", "tiers.example.com", "tier", "gold", false}
			s.Create(strimzi, t, data("k", "v"))
			times(12, func(i int) {
				s.Merge(strimzi, t, Object{"metadata": Object{"labels": Object{"tier": "silver"}}})
				s.Wait(3 * time.Second)
			})
		}},
		{"read and put back, for long", config("getupdate"), fight, fight, "", "data.mode", "full-update", 2, func(s *Server, t Target) {
			s.Create(one, t, data("mode", "a"))
			times(40, func(int) {
				s.Edit(one, t, func(o Object) { merge(o, data("mode", "a")) })
				s.Edit(two, t, func(o Object) { merge(o, data("mode", "b")) })
			})
		}},
		{"five turns", deployment("short"), fight, fight, "", "spec.replicas", "scale", 2, func(s *Server, t Target) {
			s.Apply(argo, t, web(3, "nginx:1"), true)
			times(3, func(int) {
				s.Wait(10 * time.Second)
				s.Scale(hpa, t, 5)
				s.Apply(argo, t, web(3, "nginx:1"), true)
			})
		}},
		{"two versions of one operator", config("upgraded"), fight, fight, "", "data.mode", "side-by-side", 2, func(s *Server, t Target) {
			s.Create(v("v1.0.0"), t, data("mode", "a"))
			times(10, func(int) {
				s.Merge(v("v1.0.0"), t, data("mode", "a"))
				s.Merge(v("v2.0.0"), t, data("mode", "b"))
			})
		}},
		{"a label that only the new version of an operator sets", config("skewed"), fight, fight, "", "metadata.labels.managed", "side-by-side", 2, func(s *Server, t Target) {
			s.Create(v("v1.0.0"), t, data("mode", "a"))
			times(10, func(int) {
				o := Object{"metadata": Object{"labels": Object{"managed": "yes"}}, "data": Object{"mode": "a"}}
				s.Put(v("v2.0.0"), t, o)
				s.Put(v("v1.0.0"), t, data("mode", "a"))
			})
		}},
	}
}
