package validation

import "strconv"

// podOptions are the facts on which the checks of a pod spec depend: fields of
// the spec, and of upstream's PodValidationOptions.
type podOptions struct {
	isPod bool
	spec  node
	meta  node
	// restartPolicy is the restart policy of the pod with its default.
	restartPolicy string
	hostNetwork   bool
	// hostUsers is false if the pod has user namespaces.
	hostUsers bool
	// defaultHostPorts is set if the host ports of containers default to the
	// container ports.
	defaultHostPorts bool
	relaxedEnv       bool
	restartRules     bool
	volumes          map[string]node
	// extraVolumes are volumes that the server adds to a template before
	// validation.
	extraVolumes []node
	claims       map[string]bool
	// lifecycle caches the result of lifecycleOptions. It is nil before the first
	// call.
	lifecycle *lifecycleOptions
}

// podSpec sets defaults, drops fields, and then checks the spec of a pod or
// template. Source: ValidatePodSpec, SetDefaults_PodSpec and SetDefaults_Pod
// (pkg/apis/core/v1/defaults.go), and dropDisabledFields (pkg/api/pod/util.go).
func (v *validator) podSpec(spec, meta node, isPod bool, extraVolumes []node) {
	v.pod = podOptions{
		isPod: isPod, spec: spec, meta: meta,
		restartPolicy: spec.strOr("restartPolicy", "Always"),
		hostNetwork:   spec.isTrue("hostNetwork"),
		hostUsers:     true,
	}
	if u := v.since(25, spec.get("hostUsers")); u.isSet() {
		name := "UserNamespacesSupport"
		if v.minor < 28 {
			name = "UserNamespacesStatelessPodsSupport"
		}
		v.pod.hostUsers = u.boolean() || !v.server.Enabled(name)
	}
	if v.minor >= 31 && !v.server.Enabled("ImageVolume") {
		spec = withoutImages(spec)
		v.pod.spec = spec
	}
	v.pod.defaultHostPorts = v.pod.hostNetwork && (isPod || v.minor <= 27 || v.minor <= 30 && v.server.Enabled("DefaultHostNetworkHostPortsInPodTemplates"))
	v.pod.relaxedEnv = v.minor >= 30 && (v.minor >= 34 || v.server.Enabled("RelaxedEnvironmentVariableValidation"))
	v.pod.restartRules = v.minor >= 34 && v.server.Enabled("ContainerRestartRules")

	v.pod.extraVolumes = extraVolumes
	v.volumes(spec.get("volumes"), extraVolumes)
	v.resourceClaims(v.since(26, spec.get("resourceClaims")))
	v.containers(spec.get("containers"))
	v.initContainers(spec.get("initContainers"), spec.get("containers"))
	v.ephemeralContainers(spec)
	v.podResources(spec)
	if v.minor >= 28 {
		v.hostPortsMatch(spec)
	}
	v.enum(spec.get("restartPolicy"), v.pod.restartPolicy, "Always", "OnFailure", "Never")
	v.enum(spec.get("dnsPolicy"), spec.strOr("dnsPolicy", "ClusterFirst"), "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
	v.labels(spec.get("nodeSelector"))
	v.podSecurityContext(spec)
	v.affinity(spec.get("affinity"))
	v.dnsConfig(spec)
	for _, g := range spec.get("readinessGates").items {
		v.qualifiedName(g.get("conditionType"), g.str("conditionType"), g.str("conditionType"))
	}
	v.schedulingGates(v.gated("PodSchedulingReadiness", spec.get("schedulingGates")))
	v.topologySpread(spec.get("topologySpreadConstraints"))
	v.windowsHostProcess(spec)
	v.hostUsersDeps(spec)
	v.hostnameOverride(spec)
	v.podNames(spec)
	v.lastPodFields(spec)
}

// podNames checks the fields of the spec that are names.
func (v *validator) podNames(spec node) {
	account := spec.get("serviceAccountName")
	if account.text() == "" {
		account = spec.field("serviceAccount", "serviceAccountName")
	}
	names := func(n node, rule nameRule) {
		if n.text() != "" {
			v.invalidString(n, n.text(), rule(v.minor, n.text()))
		}
	}
	names(account, subdomainErrors)
	names(spec.get("nodeName"), subdomainErrors)
	v.inRange(spec.get("activeDeadlineSeconds"), 1, 1<<31-1)
	names(spec.get("hostname"), labelErrors)
	names(spec.get("subdomain"), labelErrors)
	v.tolerations(spec.get("tolerations"))
	v.hostAliases(spec.get("hostAliases"))
	names(spec.get("priorityClassName"), subdomainErrors)
	if class := spec.get("runtimeClassName"); class.isSet() {
		v.invalidString(class, class.text(), subdomainErrors(v.minor, class.text()))
	}
}

// lastPodFields checks the last fields of a pod spec. Source: the end of
// ValidatePodSpec.
func (v *validator) lastPodFields(spec node) {
	if policy := v.gated("NonPreemptingPriority", spec.get("preemptionPolicy")); policy.isSet() {
		if policy.text() == "" {
			v.required(policy, "")
		} else {
			v.enum(policy, policy.text(), "PreemptLowerPriority", "Never")
		}
	}
	if overhead := v.gated("PodOverhead", spec.get("overhead")); overhead.isSet() {
		v.resourceLists(overhead.p, overhead.withPath(overhead.p.child("limits")), overhead.absent(), v.containerResource)
	}
	v.podOS(spec)
	if group := v.gated("GenericWorkload", v.since(36, spec.get("schedulingGroup"))); group.isSet() {
		name := group.get("podGroupName")
		if !name.isSet() {
			v.invalid(name, "null", "must specify one of: `podGroupName`")
		} else {
			v.invalidString(name, name.text(), subdomainErrors(v.minor, name.text()))
		}
	}
	v.fileKeyVolumes(spec)
}

// qualifiedName adds the messages about a qualified name. The errors quote s.
// checked is the name to check, which may be s in lower case.
func (v *validator) qualifiedName(n node, s, checked string) {
	for _, m := range qualifiedErrors(v.minor, checked) {
		v.invalid(n, strconv.Quote(s), m)
	}
}

// dnsLabel adds the messages about a DNS label. Source: ValidateDNS1123Label.
func (v *validator) dnsLabel(n node, s string) { v.invalidString(n, s, labelErrors(v.minor, s)) }

// dnsSubdomain adds the messages about a DNS subdomain. Source:
// ValidateDNS1123Subdomain.
func (v *validator) dnsSubdomain(n node, s string) {
	v.invalidString(n, s, subdomainErrors(v.minor, s))
}
