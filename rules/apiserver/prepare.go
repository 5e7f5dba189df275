package apiserver

import "github.com/kubevet/kubevet/rules/lifecycle"

// defaultGrace is v1.DefaultTerminationGracePeriodSeconds.
const defaultGrace = 30

// setDefaults re-states what decoding adds to a PodSpec that the verdict
// depends on.
//
//   - SetDefaults_PodSpec and SetDefaults_HTTPGetAction, pkg/apis/core/v1/defaults.go
//   - a Pod's negative grace period becomes 1, a template's does not:
//     Convert_v1_Pod_To_core_Pod, pkg/apis/core/v1/conversion.go (1.27–1.36);
//     SetDefaults_Pod (1.37)
func (p *podSpec) setDefaults(minor lifecycle.Minor, isPod bool) {
	if p.grace == nil {
		p.grace = new(int64(defaultGrace))
	}
	if isPod && minor >= 27 && *p.grace < 0 {
		p.grace = new(int64(1))
	}
	for c := range p.all {
		for h := range c.lifecycle.handlers {
			if g := h.httpGet; g != nil {
				if g.path == "" {
					g.path = "/"
				}
				if g.scheme == "" {
					g.scheme = "HTTP"
				}
			}
		}
	}
}

// dropDisabled re-states dropDisabledFields of pkg/api/pod/util.go: fields
// behind a gate that is off are dropped without a word, unless the stored
// object uses them. Every strategy with a pod spec calls it before validation.
func (p *podSpec) dropDisabled(s Server, old *podSpec) {
	if old == nil {
		old = &podSpec{}
	}
	// 1.16–1.24; later the gate is gone.
	if s.Minor < 25 && !s.Enabled(gateEphemeral) && len(old.ephemeralContainers) == 0 {
		p.ephemeralContainers = nil
	}
	// 1.28–1.36. Without it a sidecar is a plain init container.
	if s.Minor >= 28 && s.Minor <= 36 && !s.Enabled(gateSidecars) && !old.hasSidecars() {
		for i := range p.initContainers {
			p.initContainers[i].restartPolicy = ""
		}
	}
	if s.Minor >= 29 && s.Minor <= 36 && !s.Enabled(gateSleepAction) && !notEmpty(old.sleeps) {
		for c := range p.all {
			c.lifecycle = c.lifecycle.withoutSleep(s.Minor)
		}
	}
	if s.Minor >= 33 && !s.Enabled(gateStopSignals) && !old.hasStopSignals() {
		for c := range p.all {
			if l := c.lifecycle; l != nil && l.stopSignal != "" {
				if l.stopSignal = ""; l.postStart == nil && l.preStop == nil {
					c.lifecycle = nil
				}
			}
		}
	}
	if s.Minor >= 37 && !s.Enabled(gateHTTPProtocol) {
		for c := range p.all {
			for h := range c.lifecycle.handlers {
				if h.httpGet != nil {
					h.httpGet.protocol = ""
				}
			}
		}
	}
}

// withoutSleep drops the sleep actions. 1.29 leaves their handlers behind,
// empty (dropDisabledFields); later a handler and a lifecycle that held
// nothing else go as well (dropPodLifecycleSleepAction).
func (l *hooks) withoutSleep(minor lifecycle.Minor) *hooks {
	if l == nil {
		return nil
	}
	for _, one := range []**handler{&l.postStart, &l.preStop} {
		h := *one
		if h == nil || h.sleep == nil {
			continue
		}
		if h.sleep = nil; minor >= 30 && h.exec == nil && h.httpGet == nil && h.tcpSocket == nil {
			*one = nil
		}
	}
	if minor >= 30 && l.postStart == nil && l.preStop == nil && l.stopSignal == "" {
		return nil
	}
	return l
}

func (p *podSpec) hasSidecars() bool {
	for i := range p.initContainers {
		if p.initContainers[i].restartPolicy == restartAlways {
			return true
		}
	}
	return false
}

func (p *podSpec) hasStopSignals() bool {
	for c := range p.all {
		if c.lifecycle != nil && c.lifecycle.stopSignal != "" {
			return true
		}
	}
	return false
}

// notEmpty reports whether a sequence has an element.
func notEmpty[T any](seq func(func(T) bool)) bool {
	for range seq {
		return true
	}
	return false
}
