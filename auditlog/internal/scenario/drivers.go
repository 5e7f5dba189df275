package scenario

import (
	"fmt"
	"time"
)

// drivers returns scenarios with two writers of one object. The driver writes
// at times of its own, and the answerer writes soon after it. A log without
// bodies does not show whether the answerer reverts the driver's fields, or
// changes fields of its own.
func drivers() []Scenario {
	quiet := func(name string, t Target, run func(s *Server, t Target)) Scenario {
		return Scenario{Name: name, Target: t, Run: run}
	}
	edit := func(s *Server, c Client, t Target, change Object) {
		s.Edit(c, t, func(o Object) { merge(o, change) })
	}
	applied := Client{"gitlab-runner", "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", "kubectl-client-side-apply"}
	patched := Client{"jenkins", "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", "kubectl-patch"}
	cron := Client{"carol@example.com", "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", "kubectl-annotate"}
	pulumi := Client{"system:serviceaccount:ops:pulumi", "pulumi-kubernetes/v4.24.0 (linux/amd64) kubernetes/$Format", "pulumi-kubernetes-3f2a91c0"}
	secret := Target{"", "v1", "Secret", "secrets", "shop", "rotated"}
	return []Scenario{
		quiet("a program rotates a secret, and another one notes it", secret, func(s *Server, t Target) {
			r := noise(61)
			s.Create(one, t, data("password", "YQ=="))
			times(14, func(i int) {
				s.Wait(about(r, 30*time.Minute))
				edit(s, one, t, data("password", fmt.Sprint("Yg", i)))
				s.Wait(about(r, 20*time.Second))
				s.Merge(two, t, annotations("example.com/loaded", fmt.Sprint(i)))
			})
		}),
		quiet("a pipeline applies, and an operator notes it", config("noted"), func(s *Server, t Target) {
			r := noise(62)
			s.Create(applied, t, data("receivers", "0"))
			times(12, func(i int) {
				s.Wait(about(r, 70*time.Minute))
				s.Merge(applied, t, data("receivers", fmt.Sprint(i+1)))
				s.Wait(about(r, 5*time.Second))
				edit(s, one, t, annotations("example.com/checked", fmt.Sprint(i)))
			})
		}),
		quiet("a pipeline scales, and an operator notes it", deployment("load-test"), func(s *Server, t Target) {
			r := noise(63)
			s.Create(one, t, web(2, "nginx:1"))
			times(14, func(i int) {
				s.Wait(about(r, []time.Duration{45 * time.Minute, 12 * time.Minute}[i%2]))
				s.Scale(pipeline, t, []int{20, 2}[i%2])
				s.Wait(about(r, 2*time.Second))
				s.Merge(one, t, annotations("example.com/seen", fmt.Sprint(i)))
			})
		}),
		quiet("two controllers add finalizers, and remove them", widget("preview"), func(s *Server, t Target) {
			r := noise(64)
			finalizers := func(list ...any) Object { return Object{"metadata": Object{"finalizers": list}} }
			times(8, func(int) {
				s.Create(pipeline, t, Object{"spec": Object{"mode": "x"}})
				s.Wait(about(r, 3*time.Second))
				edit(s, one, t, finalizers("example.com/dns"))
				s.Wait(about(r, 2*time.Second))
				edit(s, two, t, finalizers("example.com/dns", "example.com/db"))
				s.Wait(about(r, 20*time.Minute))
				s.Delete(pipeline, t)
				s.Wait(about(r, time.Second))
				edit(s, two, t, finalizers("example.com/dns"))
				s.Wait(about(r, 12*time.Second))
				edit(s, one, t, finalizers())
				s.Wait(about(r, 80*time.Minute))
			})
		}),
		{"a job patches what an operator updates", deployment("jobbed"), fight, fight, fight, "spec.replicas", "full-update", 2, func(s *Server, t Target) {
			r := noise(66)
			s.Create(one, t, web(1, "nginx:1"))
			times(12, func(int) {
				s.Wait(about(r, 10*time.Minute))
				s.Merge(patched, t, Object{"spec": Object{"replicas": 2.0}})
				s.Wait(about(r, 5*time.Minute))
				edit(s, one, t, Object{"spec": Object{"replicas": 1.0}})
			})
		}},
		quiet("an hourly program, and Argo CD that labels its result", config("copied"), func(s *Server, t Target) {
			r := noise(69)
			s.Create(one, t, data("k", "0"))
			times(12, func(i int) {
				s.Wait(about(r, 50*time.Minute))
				edit(s, one, t, data("k", fmt.Sprint(i+1)))
				s.Wait(about(r, 5*time.Minute))
				s.Merge(argo, t, labels("release", fmt.Sprint(i)))
			})
		}),
		quiet("three controllers take a machine through its phases", widget("machine"), func(s *Server, t Target) {
			r := noise(70)
			s.Create(dev, t, Object{"spec": Object{"phase": "Running", "version": "0"}})
			times(12, func(i int) {
				s.Wait(about(r, 40*time.Minute))
				s.Merge(dev, t, Object{"spec": Object{"version": fmt.Sprint(i + 1)}})
				for j, phase := range []string{"Draining", "Upgrading", "Running"} {
					s.Wait(upToTwice(r, time.Minute))
					edit(s, []Client{one, two, sealed}[j], t, Object{"spec": Object{"phase": phase}})
				}
			})
		}),
		quiet("a worker counts up what a scheduler sets to zero", config("progress"), func(s *Server, t Target) {
			r := noise(72)
			s.Create(dev, t, data("percent", "100"))
			times(8, func(i int) {
				s.Wait(about(r, 25*time.Minute))
				s.Merge(one, t, Object{"data": Object{"percent": "0", "run": fmt.Sprint(i)}})
				for percent := 25; percent <= 100; percent += 25 {
					s.Wait(upToTwice(r, 20*time.Second))
					s.Merge(two, t, data("percent", fmt.Sprint(percent)))
				}
			})
		}),
		{"an operator restores at once what a scheduler sets to zero", config("zeroed"), fight, fight, "", "data.percent", "patches", 2, func(s *Server, t Target) {
			r := noise(73)
			s.Create(two, t, data("percent", "100"))
			times(8, func(int) {
				s.Wait(about(r, 25*time.Minute))
				s.Merge(one, t, data("percent", "0"))
				s.Wait(upToTwice(r, 20*time.Second))
				s.Merge(two, t, data("percent", "100"))
			})
		}},
		{"three operators claim a widget", widget("claimed"), fight, fight, "", "metadata.labels.owner", "patches", 3, func(s *Server, t Target) {
			r := noise(71)
			s.Create(dev, t, Object{"spec": Object{"mode": "x"}})
			times(30, func(i int) {
				s.Wait(about(r, 4*time.Minute))
				s.Merge([]Client{one, two, sealed}[i%3], t, labels("owner", fmt.Sprint("o", i%3)))
			})
		}},
		{"Pulumi and a composition", widget("composed"), fight, fight, fight, "spec.mode", "forced-apply", 2, func(s *Server, t Target) {
			r := noise(67)
			times(12, func(int) {
				s.Wait(about(r, 11*time.Minute))
				s.Apply(pulumi, t, Object{"spec": Object{"mode": "x"}}, true)
				s.Wait(about(r, 40*time.Second))
				s.Apply(two, t, Object{"spec": Object{"mode": "y"}}, true)
			})
		}},
		{"a person's job annotates what a controller removes", Target{"", "v1", "Namespace", "namespaces", "", "injected"}, fight, fight, "", "metadata.annotations.inject", "full-update", 2, func(s *Server, t Target) {
			r := noise(68)
			s.Create(one, t, annotations("team", "a"))
			times(14, func(int) {
				s.Wait(about(r, 20*time.Minute))
				s.Merge(cron, t, annotations("inject", "on"))
				s.Wait(about(r, time.Minute))
				edit(s, one, t, annotations("inject", nil))
			})
		}},
	}
}
