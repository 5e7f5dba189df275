package apiserver

import "github.com/kubevet/kubevet/rules/lifecycle"

// The feature gates that the verdicts ask for.
const (
	gateSleepAction       = "PodLifecycleSleepAction"
	gateSleepZero         = "PodLifecycleSleepActionAllowZero"
	gateSidecars          = "SidecarContainers"
	gateEphemeral         = "EphemeralContainers"
	gateStopSignals       = "ContainerStopSignals"
	gateHTTPProtocol      = "H2CContainerProbe"
	gateFieldValidation   = "ServerSideFieldValidation"
	gateMutableSuspended  = "MutablePodResourcesForSuspendedJobs"
	gateInPlacePodScaling = "InPlacePodVerticalScaling"
)

// gate reports whether a gate is on. Callers ask only minors that have the
// gate: one that is gone is neither on nor off here.
func (s Server) gate(name string) bool {
	if s.Gate != nil {
		return s.Gate(name)
	}
	g, ok := lifecycle.GateDefault(name, s.Minor)
	return ok && g.Default
}
