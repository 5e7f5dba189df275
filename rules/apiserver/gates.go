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

// gate reports whether a gate is on.
func (s Server) gate(name string) bool {
	if s.Gate != nil {
		return s.Gate(name)
	}
	return gateDefault(name, s.Minor)
}

// gateDefault is a gate's default in a minor: pkg/features/kube_features.go.
func gateDefault(name string, minor lifecycle.Minor) bool {
	switch name {
	case gateSleepAction:
		return minor >= 30
	case gateSleepZero:
		return minor >= 33
	case gateSidecars:
		return minor >= 29
	case gateEphemeral:
		return minor >= 23
	case gateFieldValidation:
		return minor >= 25
	case gateMutableSuspended:
		return minor >= 36
	case gateInPlacePodScaling:
		return minor >= 33
	}
	return false
}
