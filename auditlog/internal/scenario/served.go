package scenario

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// served returns scenarios with a field that one client sets and another one
// clears. The field can be a request that the second client serves, or a value
// that it overwrites.
func served() []Scenario {
	quiet := func(name string, t Target, run func(s *Server, t Target)) Scenario {
		return Scenario{Name: name, Target: t, Run: run}
	}
	selector := func(value any) Object {
		return Object{"spec": Object{"template": Object{"spec": Object{"nodeSelector": Object{"parked": value}}}}}
	}
	cron := func(name string) Target { return Target{"batch", "v1", "CronJob", "cronjobs", "shop", name} }
	suspend := func(s *Server, t Target, r *rand.Rand, after time.Duration) {
		s.Create(one, t, Object{"spec": Object{"suspend": false}})
		times(14, func(int) {
			s.Wait(upToTwice(r, time.Hour))
			s.Merge(dev, t, Object{"spec": Object{"suspend": true}})
			s.Wait(after)
			s.Edit(one, t, func(o Object) { merge(o, Object{"spec": Object{"suspend": false}}) })
		})
	}
	return []Scenario{
		{"a person parks what an operator frees", deployment("parked"), fight, fight, "", "spec.template.spec.nodeSelector.parked", "full-update", 2, func(s *Server, t Target) {
			r := noise(41)
			s.Create(one, t, web(1, "nginx:1"))
			times(14, func(int) {
				s.Wait(upToTwice(r, 20*time.Minute))
				s.Merge(dev, t, selector("true"))
				s.Wait(2 * time.Second)
				s.Edit(one, t, func(o Object) { merge(o, selector(nil)) })
			})
		}},
		{"an annotation that its owner sets again at once", Target{"", "v1", "Namespace", "namespaces", "", "team"}, fight, fight, fight, "metadata.annotations.project", "full-update", 2, func(s *Server, t Target) {
			r := noise(42)
			s.Create(one, t, annotations("project", "p"))
			times(14, func(int) {
				s.Wait(about(r, 25*time.Minute))
				s.JSONPatch(ci, t, nil, "metadata", "annotations", "project")
				s.Wait(4 * time.Second)
				s.Edit(one, t, func(o Object) { merge(o, annotations("project", "p")) })
			})
		}},
		quiet("a queue of one", config("queue"), func(s *Server, t Target) {
			r := noise(43)
			s.Create(one, t, data("done", "", "next", ""))
			times(14, func(i int) {
				s.Wait(about(r, 5*time.Minute))
				s.Merge(one, t, data("next", fmt.Sprint("job-", i)))
				s.Wait(about(r, time.Minute))
				s.Merge(two, t, data("next", "", "done", fmt.Sprint("job-", i)))
			})
		}),
		{"a person suspends what an operator resumes", cron("resumed"), fight, fight, "", "spec.suspend", "full-update", 2, func(s *Server, t Target) {
			suspend(s, t, noise(45), 2*time.Second)
		}},
		quiet("a person suspends, and a tool resumes when its work is done", cron("maintained"), func(s *Server, t Target) {
			suspend(s, t, noise(46), 5*time.Minute)
		}),
		quiet("a person asks now and then", widget("asked-often"), func(s *Server, t Target) {
			r := noise(44)
			s.Create(one, t, Object{"spec": Object{"backup": false}})
			times(14, func(int) {
				s.Wait(upToTwice(r, time.Hour))
				s.Merge(dev, t, Object{"spec": Object{"backup": true}})
				s.Wait(about(r, time.Minute))
				s.Edit(one, t, func(o Object) { merge(o, Object{"spec": Object{"backup": false}}) })
			})
		}),
	}
}
