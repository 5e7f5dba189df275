package conversion

import "sync"

// entry has the possible conversions for objects of one API.
type entry struct {
	// to are the destinations, best first.
	to []destination
	// none is the note for an API that has no destination.
	none string
}

// destination is an API to which objects are converted.
type destination struct {
	apiVersion string
	// kind is the new kind. It is empty if the kind stays the same.
	kind string
	// convert converts the fields. It is nil if both APIs have the same fields.
	convert func(*draft, destination)
	// review is the reason why no server can confirm the conversion. It is empty
	// if servers convert between the two APIs.
	review string
}

const (
	neverTogether = "No release serves both versions, so no server's conversion confirms this one: compare the result with the new version's documentation."
	beforeRecords = "The old version is older than Kubernetes 1.16, and no covered release knows it: compare the result with the new version's documentation."
)

// same returns destinations that differ from the old API only in their version.
func same(apiVersions ...string) []destination {
	var to []destination
	for _, v := range apiVersions {
		to = append(to, destination{apiVersion: v})
	}
	return to
}

// by returns destinations that all use the same function to convert the fields.
func by(convert func(*draft, destination), apiVersions ...string) []destination {
	to := same(apiVersions...)
	for i := range to {
		to[i].convert = convert
	}
	return to
}

// unproved sets review in destinations.
func unproved(why string, to []destination) []destination {
	for i := range to {
		to[i].review = why
	}
	return to
}

// as sets the kind of destinations.
func as(kind string, to []destination) []destination {
	for i := range to {
		to[i].kind = kind
	}
	return to
}

const (
	admission     = "admissionregistration.k8s.io/"
	authz         = "authorization.k8s.io/"
	certificates  = "certificates.k8s.io/"
	flow          = "flowcontrol.apiserver.k8s.io/"
	rbac          = "rbac.authorization.k8s.io/"
	dynamic       = "resource.k8s.io/"
	storageGroup  = "storage.k8s.io/"
	networkGroup  = "networking.k8s.io/"
	coordination  = "coordination.k8s.io/"
	scheduleGroup = "scheduling.k8s.io/"
	workloads     = "apps/v1"
)

// table returns the conversions by API, for every API that is deprecated or
// removed up to the newest known minor. A test checks that the table is complete.
var table = sync.OnceValue(func() map[string]entry {
	return map[string]entry{
		admission + "v1alpha1 ExternalAdmissionHookConfiguration": {none: "It became the ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1, whose webhooks get another request (AdmissionReview): change the webhook itself, and write a new configuration."},
		admission + "v1alpha1 InitializerConfiguration":           {none: "Initializers were removed in 1.14 and nothing takes their place; a mutating webhook can do most of what they did."},
		admission + "v1alpha1 MutatingAdmissionPolicy":            {to: same(admission+"v1", admission+"v1beta1")},
		admission + "v1alpha1 MutatingAdmissionPolicyBinding":     {to: by(policyBinding, admission+"v1", admission+"v1beta1")},
		admission + "v1alpha1 ValidatingAdmissionPolicy":          {to: same(admission+"v1", admission+"v1beta1")},
		admission + "v1alpha1 ValidatingAdmissionPolicyBinding":   {to: by(policyBinding, admission+"v1", admission+"v1beta1")},
		admission + "v1beta1 MutatingAdmissionPolicy":             {to: same(admission + "v1")},
		admission + "v1beta1 MutatingAdmissionPolicyBinding":      {to: same(admission + "v1")},
		admission + "v1beta1 ValidatingAdmissionPolicy":           {to: same(admission + "v1")},
		admission + "v1beta1 ValidatingAdmissionPolicyBinding":    {to: same(admission + "v1")},
		admission + "v1beta1 MutatingWebhookConfiguration":        {to: by(webhooks, admission+"v1")},
		admission + "v1beta1 ValidatingWebhookConfiguration":      {to: by(webhooks, admission+"v1")},

		"apiextensions.k8s.io/v1beta1 CustomResourceDefinition": {to: by(customResourceDefinition, "apiextensions.k8s.io/v1")},
		"apiregistration.k8s.io/v1beta1 APIService":             {to: same("apiregistration.k8s.io/v1")},

		"apps/v1alpha1 PetSet":            {to: unproved(beforeRecords, as("StatefulSet", by(statefulSet, workloads)))},
		"apps/v1beta1 ControllerRevision": {to: same(workloads)},
		"apps/v1beta1 Deployment":         {to: by(appsDeployment, workloads)},
		"apps/v1beta1 DeploymentRollback": {none: "Rollbacks by the server are gone: kubectl rollout undo changes the Deployment itself."},
		"apps/v1beta1 Scale":              {to: as("Scale", by(scale, "autoscaling/v1"))},
		"apps/v1beta1 StatefulSet":        {to: by(statefulSet, workloads)},
		"apps/v1beta2 ControllerRevision": {to: same(workloads)},
		"apps/v1beta2 DaemonSet":          {to: same(workloads)},
		"apps/v1beta2 Deployment":         {to: same(workloads)},
		"apps/v1beta2 ReplicaSet":         {to: same(workloads)},
		"apps/v1beta2 Scale":              {to: as("Scale", by(scale, "autoscaling/v1"))},
		"apps/v1beta2 StatefulSet":        {to: same(workloads)},

		"auditregistration.k8s.io/v1alpha1 AuditSink": {none: "Dynamic audit configuration was removed in 1.19: the kube-apiserver's flags --audit-webhook-config-file and --audit-policy-file configure a webhook."},

		"authentication.k8s.io/v1alpha1 SelfSubjectReview": {to: same("authentication.k8s.io/v1", "authentication.k8s.io/v1beta1")},
		"authentication.k8s.io/v1beta1 SelfSubjectReview":  {to: same("authentication.k8s.io/v1")},
		"authentication.k8s.io/v1beta1 TokenReview":        {to: same("authentication.k8s.io/v1")},
		authz + "v1beta1 LocalSubjectAccessReview":         {to: by(accessReview, authz+"v1")},
		authz + "v1beta1 SelfSubjectAccessReview":          {to: same(authz + "v1")},
		authz + "v1beta1 SelfSubjectRulesReview":           {to: same(authz + "v1")},
		authz + "v1beta1 SubjectAccessReview":              {to: by(accessReview, authz+"v1")},

		"autoscaling/v2alpha1 HorizontalPodAutoscaler": {to: unproved(beforeRecords, by(autoscaler, "autoscaling/v2", "autoscaling/v2beta2"))},
		"autoscaling/v2beta1 HorizontalPodAutoscaler":  {to: by(autoscaler, "autoscaling/v2", "autoscaling/v2beta2")},
		"autoscaling/v2beta2 HorizontalPodAutoscaler":  {to: by(autoscalerAnnotations, "autoscaling/v2")},

		"batch/v1beta1 CronJob":       {to: same("batch/v1")},
		"batch/v2alpha1 CronJob":      {to: same("batch/v1", "batch/v1beta1")},
		"batch/v2alpha1 Job":          {to: unproved(beforeRecords, same("batch/v1"))},
		"batch/v2alpha1 ScheduledJob": {to: unproved(beforeRecords, as("CronJob", same("batch/v1", "batch/v1beta1")))},

		certificates + "v1alpha1 CertificateSigningRequest": {to: unproved(beforeRecords, by(signingRequest, certificates+"v1"))},
		certificates + "v1alpha1 ClusterTrustBundle":        {to: same(certificates+"v1", certificates+"v1beta1")},
		certificates + "v1alpha1 PodCertificateRequest":     {to: by(podCertificateRequest, certificates+"v1", certificates+"v1beta1")},
		certificates + "v1beta1 CertificateSigningRequest":  {to: by(signingRequest, certificates+"v1")},
		certificates + "v1beta1 ClusterTrustBundle":         {to: same(certificates + "v1")},
		certificates + "v1beta1 PodCertificateRequest":      {to: by(podCertificateRequest, certificates+"v1")},

		coordination + "v1alpha1 LeaseCandidate": {to: unproved(neverTogether, by(leaseCandidate, coordination+"v1beta1", coordination+"v1alpha2"))},
		coordination + "v1alpha2 LeaseCandidate": {to: same(coordination + "v1beta1")},
		coordination + "v1beta1 Lease":           {to: same(coordination + "v1")},
		coordination + "v1beta1 LeaseCandidate":  {none: "It is deprecated by the calendar, and no other version is there yet: keep it."},

		"discovery.k8s.io/v1alpha1 EndpointSlice": {to: append(by(endpointSlice, "discovery.k8s.io/v1"), by(addressType, "discovery.k8s.io/v1beta1")...)},
		"discovery.k8s.io/v1beta1 EndpointSlice":  {to: by(endpointSlice, "discovery.k8s.io/v1")},
		"events.k8s.io/v1beta1 Event":             {to: by(event, "events.k8s.io/v1")},

		"extensions/v1beta1 DaemonSet":               {to: by(daemonSet, workloads)},
		"extensions/v1beta1 Deployment":              {to: by(extensionsDeployment, workloads)},
		"extensions/v1beta1 DeploymentRollback":      {none: "Rollbacks by the server are gone: kubectl rollout undo changes the Deployment itself."},
		"extensions/v1beta1 HorizontalPodAutoscaler": {to: unproved(beforeRecords, by(firstAutoscaler, "autoscaling/v1"))},
		"extensions/v1beta1 Ingress":                 {to: append(by(ingress, networkGroup+"v1"), same(networkGroup+"v1beta1")...)},
		"extensions/v1beta1 Job":                     {to: unproved(beforeRecords, by(firstJob, "batch/v1"))},
		"extensions/v1beta1 NetworkPolicy":           {to: same(networkGroup + "v1")},
		"extensions/v1beta1 PodSecurityPolicy":       {none: podSecurityPolicy},
		"extensions/v1beta1 ReplicaSet":              {to: by(replicaSet, workloads)},
		"extensions/v1beta1 Scale":                   {to: as("Scale", by(scale, "autoscaling/v1"))},
		"extensions/v1beta1 ThirdPartyResource":      {none: "Its place took CustomResourceDefinition, which has another form and must name plural, scope and versions; objects had to be carried over before 1.8."},

		flow + "v1alpha1 FlowSchema":                 {to: same(flow+"v1", flow+"v1beta3", flow+"v1beta2", flow+"v1beta1")},
		flow + "v1beta1 FlowSchema":                  {to: same(flow+"v1", flow+"v1beta3", flow+"v1beta2")},
		flow + "v1beta2 FlowSchema":                  {to: same(flow+"v1", flow+"v1beta3")},
		flow + "v1beta3 FlowSchema":                  {to: same(flow + "v1")},
		flow + "v1alpha1 PriorityLevelConfiguration": {to: append(by(assuredShares, flow+"v1", flow+"v1beta3"), same(flow+"v1beta2", flow+"v1beta1")...)},
		flow + "v1beta1 PriorityLevelConfiguration":  {to: append(by(assuredShares, flow+"v1", flow+"v1beta3"), same(flow+"v1beta2")...)},
		flow + "v1beta2 PriorityLevelConfiguration":  {to: by(assuredShares, flow+"v1", flow+"v1beta3")},
		flow + "v1beta3 PriorityLevelConfiguration":  {to: by(nominalShares, flow+"v1")},

		networkGroup + "v1alpha1 ClusterCIDR": {none: "It was removed in 1.29 and nothing takes its place: the node IPAM controller takes its ranges from flags, or a network plugin does this."},
		networkGroup + "v1alpha1 IPAddress":   {to: same(networkGroup+"v1", networkGroup+"v1beta1")},
		networkGroup + "v1alpha1 ServiceCIDR": {to: same(networkGroup+"v1", networkGroup+"v1beta1")},
		networkGroup + "v1beta1 IPAddress":    {to: same(networkGroup + "v1")},
		networkGroup + "v1beta1 Ingress":      {to: by(ingress, networkGroup+"v1")},
		networkGroup + "v1beta1 IngressClass": {to: same(networkGroup + "v1")},
		networkGroup + "v1beta1 ServiceCIDR":  {to: same(networkGroup + "v1")},

		"node.k8s.io/v1alpha1 RuntimeClass": {to: by(runtimeClass, "node.k8s.io/v1", "node.k8s.io/v1beta1")},
		"node.k8s.io/v1beta1 RuntimeClass":  {to: same("node.k8s.io/v1")},

		"policy/v1alpha1 PodDisruptionBudget": {to: append(unproved(beforeRecords, by(disruptionBudget, "policy/v1")), unproved(beforeRecords, same("policy/v1beta1"))...)},
		"policy/v1beta1 Eviction":             {to: same("policy/v1")},
		"policy/v1beta1 PodDisruptionBudget":  {to: by(disruptionBudget, "policy/v1")},
		"policy/v1beta1 PodSecurityPolicy":    {none: podSecurityPolicy},

		rbac + "v1alpha1 ClusterRole":        {to: same(rbac + "v1")},
		rbac + "v1alpha1 ClusterRoleBinding": {to: by(roleBinding, rbac+"v1")},
		rbac + "v1alpha1 Role":               {to: same(rbac + "v1")},
		rbac + "v1alpha1 RoleBinding":        {to: by(roleBinding, rbac+"v1")},
		rbac + "v1beta1 ClusterRole":         {to: same(rbac + "v1")},
		rbac + "v1beta1 ClusterRoleBinding":  {to: same(rbac + "v1")},
		rbac + "v1beta1 Role":                {to: same(rbac + "v1")},
		rbac + "v1beta1 RoleBinding":         {to: same(rbac + "v1")},

		dynamic + "v1alpha1 PodScheduling":           {none: classicResources},
		dynamic + "v1alpha1 ResourceClaim":           {none: classicClaim},
		dynamic + "v1alpha1 ResourceClaimTemplate":   {none: classicClaim},
		dynamic + "v1alpha1 ResourceClass":           {none: classicClass},
		dynamic + "v1alpha2 PodSchedulingContext":    {none: classicResources},
		dynamic + "v1alpha2 ResourceClaim":           {none: classicClaim},
		dynamic + "v1alpha2 ResourceClaimParameters": {none: "The parameters of a claim became CEL selectors and opaque configuration in the requests of a ResourceClaim: the driver's documentation says how to write them."},
		dynamic + "v1alpha2 ResourceClaimTemplate":   {none: classicClaim},
		dynamic + "v1alpha2 ResourceClass":           {none: classicClass},
		dynamic + "v1alpha2 ResourceClassParameters": {none: "The parameters of a class became CEL selectors and opaque configuration of a DeviceClass: the driver's documentation says how to write them."},
		dynamic + "v1alpha2 ResourceSlice":           {none: "Resource slices are written by drivers and had another model: delete it from the files, and install a driver for the new version."},
		dynamic + "v1alpha3 DeviceClass":             {to: by(deviceClass, dynamic+"v1", dynamic+"v1beta2", dynamic+"v1beta1")},
		dynamic + "v1alpha3 DeviceTaintRule":         {to: by(taintRule, dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1alpha3 PodSchedulingContext":    {none: classicResources},
		dynamic + "v1alpha3 ResourceClaim":           {to: append(by(claim, dynamic+"v1", dynamic+"v1beta2"), same(dynamic+"v1beta1")...)},
		dynamic + "v1alpha3 ResourceClaimTemplate":   {to: append(by(claimTemplate, dynamic+"v1", dynamic+"v1beta2"), same(dynamic+"v1beta1")...)},
		dynamic + "v1alpha3 ResourceSlice":           {to: by(alphaSlice, dynamic+"v1", dynamic+"v1beta2", dynamic+"v1beta1")},
		dynamic + "v1beta1 DeviceClass":              {to: same(dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1beta1 ResourceClaim":            {to: by(claim, dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1beta1 ResourceClaimTemplate":    {to: by(claimTemplate, dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1beta1 ResourceSlice":            {to: by(slice, dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1beta2 DeviceClass":              {to: same(dynamic + "v1")},
		dynamic + "v1beta2 DeviceTaintRule":          {to: same(dynamic + "v1")},
		dynamic + "v1beta2 ResourceClaim":            {to: same(dynamic + "v1")},
		dynamic + "v1beta2 ResourceClaimTemplate":    {to: same(dynamic + "v1")},
		dynamic + "v1beta2 ResourceSlice":            {to: same(dynamic + "v1")},

		scheduleGroup + "v1alpha1 PriorityClass": {to: same(scheduleGroup + "v1")},
		scheduleGroup + "v1alpha1 Workload":      {to: unproved(neverTogether, by(firstWorkload, scheduleGroup+"v1beta1"))},
		scheduleGroup + "v1alpha2 PodGroup":      {to: unproved(neverTogether, by(podGroup, scheduleGroup+"v1beta1"))},
		scheduleGroup + "v1alpha2 Workload":      {to: unproved(neverTogether, by(workload, scheduleGroup+"v1beta1"))},
		scheduleGroup + "v1beta1 PriorityClass":  {to: same(scheduleGroup + "v1")},

		"settings.k8s.io/v1alpha1 PodPreset": {none: "Pod presets were removed in 1.20 and nothing takes their place: write the settings into the pod templates, or have a mutating admission policy or webhook add them."},

		storageGroup + "v1alpha1 CSIStorageCapacity":               {to: same(storageGroup+"v1", storageGroup+"v1beta1")},
		storageGroup + "v1alpha1 VolumeAttachment":                 {to: same(storageGroup + "v1")},
		storageGroup + "v1alpha1 VolumeAttributesClass":            {to: same(storageGroup+"v1", storageGroup+"v1beta1")},
		storageGroup + "v1beta1 CSIDriver":                         {to: same(storageGroup + "v1")},
		storageGroup + "v1beta1 CSINode":                           {to: same(storageGroup + "v1")},
		storageGroup + "v1beta1 CSIStorageCapacity":                {to: same(storageGroup + "v1")},
		storageGroup + "v1beta1 StorageClass":                      {to: same(storageGroup + "v1")},
		storageGroup + "v1beta1 VolumeAttachment":                  {to: same(storageGroup + "v1")},
		storageGroup + "v1beta1 VolumeAttributesClass":             {to: same(storageGroup + "v1")},
		"storagemigration.k8s.io/v1alpha1 StorageVersionMigration": {to: unproved(neverTogether, by(storageMigration, "storagemigration.k8s.io/v1", "storagemigration.k8s.io/v1beta1"))},
		"storagemigration.k8s.io/v1beta1 StorageVersionMigration":  {to: same("storagemigration.k8s.io/v1")},

		"v1 EphemeralContainers": {none: "It was the body of the subresource pods/ephemeralcontainers up to 1.21; now that takes the Pod itself, and kubectl debug makes it."},
		"v1 ComponentStatus":     {none: "It is only read, and nothing takes its place: ask the components' own health endpoints."},
		"v1 Endpoints":           {none: "EndpointSlices of discovery.k8s.io/v1 take its place, with another model: one slice for each address family and set of ports, tied to its Service by the label kubernetes.io/service-name. Servers mirror Endpoints of a Service without selector into slices, so it goes on working; to replace it, write the slices and delete it."},
	}
})

const (
	podSecurityPolicy = "Pod security policies were removed in 1.25 without a successor. Pod Security Admission, by labels of namespaces such as pod-security.kubernetes.io/enforce, holds pods to one of three standards and changes nothing in them; what a policy allowed or set beyond that needs an admission policy or webhook. Decide on a level for each namespace, write into the pods what the policy used to set, and delete the policy with the roles that grant it."
	classicResources  = "It belongs to the allocation of resources by a control plane controller, which is gone: delete it, and use a driver that publishes resource slices."
	classicClaim      = "A claim named a class and parameters that a control plane controller understood; now it lists requests for devices, chosen by device classes and CEL expressions. The driver's documentation says what to ask for."
	classicClass      = "A resource class named a control plane controller; a DeviceClass of resource.k8s.io/v1 selects devices by CEL expressions. The driver's documentation says which."
)
