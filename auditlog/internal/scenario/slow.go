package scenario

import (
	"fmt"
	"time"
)

// slow returns scenarios with writers that respond late to each other. A log
// without bodies can still show whether they fight, for example if one of the
// programs is known to correct changes.
func slow() []Scenario {
	quiet := func(name string, t Target, run func(s *Server, t Target)) Scenario {
		return Scenario{Name: name, Target: t, Run: run}
	}
	installation := func(namespace, version string) Client {
		return Client{"system:serviceaccount:" + namespace + ":kafka-operator", "kafka-operator/" + version + " (linux/amd64) kubernetes/$Format", "kafka-operator"}
	}
	drift := Client{"system:serviceaccount:flux-system:helm-controller", "helm-controller/v1.4.0 (linux/amd64) kubernetes/$Format", "helm-controller"}
	applied := Client{"gitlab-runner", "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", "kubectl-client-side-apply"}
	return []Scenario{
		{"two installations apply under one manager", config("installed"), fight, fight, fight, "data.mode", "shared-manager", 2, func(s *Server, t Target) {
			r := noise(51)
			times(12, func(int) {
				s.Apply(installation("new", "0.45.1"), t, data("mode", "a"), true)
				s.Wait(about(r, 2*time.Minute))
				s.Apply(installation("old", "0.38.0"), t, data("mode", "b"), true)
				s.Wait(about(r, 3*time.Minute))
			})
		}},
		{"a Helm controller looks for drift, and corrects it", config("drifted"), fight, fight, fight, "data.mode", "patches", 2, func(s *Server, t Target) {
			r := noise(52)
			s.Create(drift, t, data("mode", "a"))
			times(12, func(int) {
				s.DryApply(drift, t, data("mode", "a"))
				s.Wait(about(r, 5*time.Minute))
				s.DryApply(drift, t, data("mode", "a"))
				s.Wait(about(r, 3*time.Minute))
				s.Merge(two, t, data("mode", "b"))
				s.Wait(about(r, 2*time.Minute))
				s.DryApply(drift, t, data("mode", "a"))
				s.Merge(drift, t, data("mode", "a"))
			})
		}},
		quiet("a Helm controller releases, and another one notes it", config("released"), func(s *Server, t Target) {
			r := noise(53)
			s.Create(drift, t, data("mode", "a"))
			times(12, func(i int) {
				s.Wait(about(r, 20*time.Minute))
				s.Merge(two, t, data("note", fmt.Sprint(i)))
				s.Wait(about(r, 20*time.Minute))
				s.Merge(drift, t, data("mode", fmt.Sprint(i)))
			})
		}),
		quiet("releases by kubectl apply, and an autoscaler", deployment("scaled-alone"), func(s *Server, t Target) {
			r := noise(54)
			s.Create(applied, t, web(-1, "nginx:0"))
			times(12, func(i int) {
				s.Wait(about(r, 30*time.Minute))
				s.Scale(hpa, t, 3+i%4)
				s.Wait(about(r, 30*time.Minute))
				s.Merge(applied, t, web(-1, fmt.Sprint("nginx:", i)))
			})
		}),
		quiet("Argo CD releases half an hour after a tool", config("grown"), func(s *Server, t Target) {
			r := noise(55)
			s.Apply(argo, t, data("mode", "a"), true)
			times(12, func(i int) {
				s.Wait(about(r, 30*time.Minute))
				s.Merge(two, t, data("size", fmt.Sprint(i)))
				s.Wait(about(r, 30*time.Minute))
				s.Apply(argo, t, data("mode", fmt.Sprint(i)), true)
			})
		}),
		quiet("a tool, and an operator that updates hours later", config("hours"), func(s *Server, t Target) {
			r := noise(57)
			s.Create(one, t, data("mode", "a"))
			times(12, func(i int) {
				s.Wait(about(r, 20*time.Minute))
				s.Merge(two, t, data("size", fmt.Sprint(i)))
				s.Wait(about(r, 2*time.Hour))
				s.Edit(one, t, func(o Object) { merge(o, data("mode", fmt.Sprint(i))) })
			})
		}),
		quiet("an operator and a tool, one sometimes twice", config("twice"), func(s *Server, t Target) {
			r := noise(56)
			s.Create(one, t, data("mode", "a"))
			times(12, func(i int) {
				times(1+i%3/2, func(j int) {
					s.Wait(about(r, 20*time.Minute))
					s.Merge(two, t, data("size", fmt.Sprint(i, j)))
				})
				s.Wait(about(r, 20*time.Minute))
				s.Edit(one, t, func(o Object) { merge(o, data("mode", fmt.Sprint(i))) })
			})
		}),
	}
}
