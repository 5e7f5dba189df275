package apiserver

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
