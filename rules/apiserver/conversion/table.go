package conversion

import "sync"

// entry has the possible conversions for objects of one API.
type entry struct {
	// destinations has the best destination first.
	destinations []destination
	// noDestination is the note for an API without a destination.
	noDestination string
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

// sameFields returns destinations that differ from the old API only in their
// version.
func sameFields(apiVersions ...string) []destination {
	var to []destination
	for _, v := range apiVersions {
		to = append(to, destination{apiVersion: v})
	}
	return to
}

// convertedBy returns destinations that all use convert for the fields.
func convertedBy(convert func(*draft, destination), apiVersions ...string) []destination {
	to := sameFields(apiVersions...)
	for i := range to {
		to[i].convert = convert
	}
	return to
}

// needsReview sets review in destinations.
func needsReview(reason string, to []destination) []destination {
	for i := range to {
		to[i].review = reason
	}
	return to
}

func withKind(kind string, to []destination) []destination {
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
// removed up to the newest known minor.
var table = sync.OnceValue(func() map[string]entry {
	return map[string]entry{
		admission + "v1alpha1 ExternalAdmissionHookConfiguration": {noDestination: "It became the ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1, whose webhooks get another request (AdmissionReview): change the webhook itself, and write a new configuration."},
		admission + "v1alpha1 InitializerConfiguration":           {noDestination: "Initializers were removed in 1.14 and nothing takes their place; a mutating webhook can do most of what they did."},
		admission + "v1alpha1 MutatingAdmissionPolicy":            {destinations: sameFields(admission+"v1", admission+"v1beta1")},
		admission + "v1alpha1 MutatingAdmissionPolicyBinding":     {destinations: convertedBy(policyBinding, admission+"v1", admission+"v1beta1")},
		admission + "v1alpha1 ValidatingAdmissionPolicy":          {destinations: sameFields(admission+"v1", admission+"v1beta1")},
		admission + "v1alpha1 ValidatingAdmissionPolicyBinding":   {destinations: convertedBy(policyBinding, admission+"v1", admission+"v1beta1")},
		admission + "v1beta1 MutatingAdmissionPolicy":             {destinations: sameFields(admission + "v1")},
		admission + "v1beta1 MutatingAdmissionPolicyBinding":      {destinations: sameFields(admission + "v1")},
		admission + "v1beta1 ValidatingAdmissionPolicy":           {destinations: sameFields(admission + "v1")},
		admission + "v1beta1 ValidatingAdmissionPolicyBinding":    {destinations: sameFields(admission + "v1")},
		admission + "v1beta1 MutatingWebhookConfiguration":        {destinations: convertedBy(webhooks, admission+"v1")},
		admission + "v1beta1 ValidatingWebhookConfiguration":      {destinations: convertedBy(webhooks, admission+"v1")},

		"apiextensions.k8s.io/v1beta1 CustomResourceDefinition": {destinations: convertedBy(customResourceDefinition, "apiextensions.k8s.io/v1")},
		"apiregistration.k8s.io/v1beta1 APIService":             {destinations: sameFields("apiregistration.k8s.io/v1")},

		"apps/v1alpha1 PetSet":            {destinations: needsReview(beforeRecords, withKind("StatefulSet", convertedBy(statefulSet, workloads)))},
		"apps/v1beta1 ControllerRevision": {destinations: sameFields(workloads)},
		"apps/v1beta1 Deployment":         {destinations: convertedBy(appsDeployment, workloads)},
		"apps/v1beta1 DeploymentRollback": {noDestination: "Rollbacks by the server are gone: kubectl rollout undo changes the Deployment itself."},
		"apps/v1beta1 Scale":              {destinations: withKind("Scale", convertedBy(scale, "autoscaling/v1"))},
		"apps/v1beta1 StatefulSet":        {destinations: convertedBy(statefulSet, workloads)},
		"apps/v1beta2 ControllerRevision": {destinations: sameFields(workloads)},
		"apps/v1beta2 DaemonSet":          {destinations: sameFields(workloads)},
		"apps/v1beta2 Deployment":         {destinations: sameFields(workloads)},
		"apps/v1beta2 ReplicaSet":         {destinations: sameFields(workloads)},
		"apps/v1beta2 Scale":              {destinations: withKind("Scale", convertedBy(scale, "autoscaling/v1"))},
		"apps/v1beta2 StatefulSet":        {destinations: sameFields(workloads)},

		"auditregistration.k8s.io/v1alpha1 AuditSink": {noDestination: "Dynamic audit configuration was removed in 1.19: the kube-apiserver's flags --audit-webhook-config-file and --audit-policy-file configure a webhook."},

		"authentication.k8s.io/v1alpha1 SelfSubjectReview": {destinations: sameFields("authentication.k8s.io/v1", "authentication.k8s.io/v1beta1")},
		"authentication.k8s.io/v1beta1 SelfSubjectReview":  {destinations: sameFields("authentication.k8s.io/v1")},
		"authentication.k8s.io/v1beta1 TokenReview":        {destinations: sameFields("authentication.k8s.io/v1")},
		authz + "v1beta1 LocalSubjectAccessReview":         {destinations: convertedBy(accessReview, authz+"v1")},
		authz + "v1beta1 SelfSubjectAccessReview":          {destinations: sameFields(authz + "v1")},
		authz + "v1beta1 SelfSubjectRulesReview":           {destinations: sameFields(authz + "v1")},
		authz + "v1beta1 SubjectAccessReview":              {destinations: convertedBy(accessReview, authz+"v1")},

		"autoscaling/v2alpha1 HorizontalPodAutoscaler": {destinations: needsReview(beforeRecords, convertedBy(autoscaler, "autoscaling/v2", "autoscaling/v2beta2"))},
		"autoscaling/v2beta1 HorizontalPodAutoscaler":  {destinations: convertedBy(autoscaler, "autoscaling/v2", "autoscaling/v2beta2")},
		"autoscaling/v2beta2 HorizontalPodAutoscaler":  {destinations: convertedBy(autoscalerAnnotations, "autoscaling/v2")},

		"batch/v1beta1 CronJob":       {destinations: sameFields("batch/v1")},
		"batch/v2alpha1 CronJob":      {destinations: sameFields("batch/v1", "batch/v1beta1")},
		"batch/v2alpha1 Job":          {destinations: needsReview(beforeRecords, sameFields("batch/v1"))},
		"batch/v2alpha1 ScheduledJob": {destinations: needsReview(beforeRecords, withKind("CronJob", sameFields("batch/v1", "batch/v1beta1")))},

		certificates + "v1alpha1 CertificateSigningRequest": {destinations: needsReview(beforeRecords, convertedBy(signingRequest, certificates+"v1"))},
		certificates + "v1alpha1 ClusterTrustBundle":        {destinations: sameFields(certificates+"v1", certificates+"v1beta1")},
		certificates + "v1alpha1 PodCertificateRequest":     {destinations: convertedBy(podCertificateRequest, certificates+"v1", certificates+"v1beta1")},
		certificates + "v1beta1 CertificateSigningRequest":  {destinations: convertedBy(signingRequest, certificates+"v1")},
		certificates + "v1beta1 ClusterTrustBundle":         {destinations: sameFields(certificates + "v1")},
		certificates + "v1beta1 PodCertificateRequest":      {destinations: convertedBy(podCertificateRequest, certificates+"v1")},

		coordination + "v1alpha1 LeaseCandidate": {destinations: needsReview(neverTogether, convertedBy(leaseCandidate, coordination+"v1beta1", coordination+"v1alpha2"))},
		coordination + "v1alpha2 LeaseCandidate": {destinations: sameFields(coordination + "v1beta1")},
		coordination + "v1beta1 Lease":           {destinations: sameFields(coordination + "v1")},
		coordination + "v1beta1 LeaseCandidate":  {noDestination: "It is deprecated by the calendar, and no other version is there yet: keep it."},

		"discovery.k8s.io/v1alpha1 EndpointSlice": {destinations: append(convertedBy(endpointSlice, "discovery.k8s.io/v1"), convertedBy(addressType, "discovery.k8s.io/v1beta1")...)},
		"discovery.k8s.io/v1beta1 EndpointSlice":  {destinations: convertedBy(endpointSlice, "discovery.k8s.io/v1")},
		"events.k8s.io/v1beta1 Event":             {destinations: convertedBy(event, "events.k8s.io/v1")},

		"extensions/v1beta1 DaemonSet":               {destinations: convertedBy(daemonSet, workloads)},
		"extensions/v1beta1 Deployment":              {destinations: convertedBy(extensionsDeployment, workloads)},
		"extensions/v1beta1 DeploymentRollback":      {noDestination: "Rollbacks by the server are gone: kubectl rollout undo changes the Deployment itself."},
		"extensions/v1beta1 HorizontalPodAutoscaler": {destinations: needsReview(beforeRecords, convertedBy(firstAutoscaler, "autoscaling/v1"))},
		"extensions/v1beta1 Ingress":                 {destinations: append(convertedBy(ingress, networkGroup+"v1"), sameFields(networkGroup+"v1beta1")...)},
		"extensions/v1beta1 Job":                     {destinations: needsReview(beforeRecords, convertedBy(firstJob, "batch/v1"))},
		"extensions/v1beta1 NetworkPolicy":           {destinations: sameFields(networkGroup + "v1")},
		"extensions/v1beta1 PodSecurityPolicy":       {noDestination: podSecurityPolicy},
		"extensions/v1beta1 ReplicaSet":              {destinations: convertedBy(replicaSet, workloads)},
		"extensions/v1beta1 Scale":                   {destinations: withKind("Scale", convertedBy(scale, "autoscaling/v1"))},
		"extensions/v1beta1 ThirdPartyResource":      {noDestination: "Its place took CustomResourceDefinition, which has another form and must name plural, scope and versions; objects had to be carried over before 1.8."},

		flow + "v1alpha1 FlowSchema":                 {destinations: sameFields(flow+"v1", flow+"v1beta3", flow+"v1beta2", flow+"v1beta1")},
		flow + "v1beta1 FlowSchema":                  {destinations: sameFields(flow+"v1", flow+"v1beta3", flow+"v1beta2")},
		flow + "v1beta2 FlowSchema":                  {destinations: sameFields(flow+"v1", flow+"v1beta3")},
		flow + "v1beta3 FlowSchema":                  {destinations: sameFields(flow + "v1")},
		flow + "v1alpha1 PriorityLevelConfiguration": {destinations: append(convertedBy(assuredShares, flow+"v1", flow+"v1beta3"), sameFields(flow+"v1beta2", flow+"v1beta1")...)},
		flow + "v1beta1 PriorityLevelConfiguration":  {destinations: append(convertedBy(assuredShares, flow+"v1", flow+"v1beta3"), sameFields(flow+"v1beta2")...)},
		flow + "v1beta2 PriorityLevelConfiguration":  {destinations: convertedBy(assuredShares, flow+"v1", flow+"v1beta3")},
		flow + "v1beta3 PriorityLevelConfiguration":  {destinations: convertedBy(nominalShares, flow+"v1")},

		networkGroup + "v1alpha1 ClusterCIDR": {noDestination: "It was removed in 1.29 and nothing takes its place: the node IPAM controller takes its ranges from flags, or a network plugin does this."},
		networkGroup + "v1alpha1 IPAddress":   {destinations: sameFields(networkGroup+"v1", networkGroup+"v1beta1")},
		networkGroup + "v1alpha1 ServiceCIDR": {destinations: sameFields(networkGroup+"v1", networkGroup+"v1beta1")},
		networkGroup + "v1beta1 IPAddress":    {destinations: sameFields(networkGroup + "v1")},
		networkGroup + "v1beta1 Ingress":      {destinations: convertedBy(ingress, networkGroup+"v1")},
		networkGroup + "v1beta1 IngressClass": {destinations: sameFields(networkGroup + "v1")},
		networkGroup + "v1beta1 ServiceCIDR":  {destinations: sameFields(networkGroup + "v1")},

		"node.k8s.io/v1alpha1 RuntimeClass": {destinations: convertedBy(runtimeClass, "node.k8s.io/v1", "node.k8s.io/v1beta1")},
		"node.k8s.io/v1beta1 RuntimeClass":  {destinations: sameFields("node.k8s.io/v1")},

		"policy/v1alpha1 PodDisruptionBudget": {destinations: append(needsReview(beforeRecords, convertedBy(disruptionBudget, "policy/v1")), needsReview(beforeRecords, sameFields("policy/v1beta1"))...)},
		"policy/v1beta1 Eviction":             {destinations: sameFields("policy/v1")},
		"policy/v1beta1 PodDisruptionBudget":  {destinations: convertedBy(disruptionBudget, "policy/v1")},
		"policy/v1beta1 PodSecurityPolicy":    {noDestination: podSecurityPolicy},

		rbac + "v1alpha1 ClusterRole":        {destinations: sameFields(rbac + "v1")},
		rbac + "v1alpha1 ClusterRoleBinding": {destinations: convertedBy(roleBinding, rbac+"v1")},
		rbac + "v1alpha1 Role":               {destinations: sameFields(rbac + "v1")},
		rbac + "v1alpha1 RoleBinding":        {destinations: convertedBy(roleBinding, rbac+"v1")},
		rbac + "v1beta1 ClusterRole":         {destinations: sameFields(rbac + "v1")},
		rbac + "v1beta1 ClusterRoleBinding":  {destinations: sameFields(rbac + "v1")},
		rbac + "v1beta1 Role":                {destinations: sameFields(rbac + "v1")},
		rbac + "v1beta1 RoleBinding":         {destinations: sameFields(rbac + "v1")},

		dynamic + "v1alpha1 PodScheduling":           {noDestination: classicResources},
		dynamic + "v1alpha1 ResourceClaim":           {noDestination: classicClaim},
		dynamic + "v1alpha1 ResourceClaimTemplate":   {noDestination: classicClaim},
		dynamic + "v1alpha1 ResourceClass":           {noDestination: classicClass},
		dynamic + "v1alpha2 PodSchedulingContext":    {noDestination: classicResources},
		dynamic + "v1alpha2 ResourceClaim":           {noDestination: classicClaim},
		dynamic + "v1alpha2 ResourceClaimParameters": {noDestination: "The parameters of a claim became CEL selectors and opaque configuration in the requests of a ResourceClaim: the driver's documentation says how to write them."},
		dynamic + "v1alpha2 ResourceClaimTemplate":   {noDestination: classicClaim},
		dynamic + "v1alpha2 ResourceClass":           {noDestination: classicClass},
		dynamic + "v1alpha2 ResourceClassParameters": {noDestination: "The parameters of a class became CEL selectors and opaque configuration of a DeviceClass: the driver's documentation says how to write them."},
		dynamic + "v1alpha2 ResourceSlice":           {noDestination: "Resource slices are written by drivers and had another model: delete it from the files, and install a driver for the new version."},
		dynamic + "v1alpha3 DeviceClass":             {destinations: convertedBy(deviceClass, dynamic+"v1", dynamic+"v1beta2", dynamic+"v1beta1")},
		dynamic + "v1alpha3 DeviceTaintRule":         {destinations: convertedBy(taintRule, dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1alpha3 PodSchedulingContext":    {noDestination: classicResources},
		dynamic + "v1alpha3 ResourceClaim":           {destinations: append(convertedBy(resourceClaim, dynamic+"v1", dynamic+"v1beta2"), sameFields(dynamic+"v1beta1")...)},
		dynamic + "v1alpha3 ResourceClaimTemplate":   {destinations: append(convertedBy(claimTemplate, dynamic+"v1", dynamic+"v1beta2"), sameFields(dynamic+"v1beta1")...)},
		dynamic + "v1alpha3 ResourceSlice":           {destinations: convertedBy(alphaResourceSlice, dynamic+"v1", dynamic+"v1beta2", dynamic+"v1beta1")},
		dynamic + "v1beta1 DeviceClass":              {destinations: sameFields(dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1beta1 ResourceClaim":            {destinations: convertedBy(resourceClaim, dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1beta1 ResourceClaimTemplate":    {destinations: convertedBy(claimTemplate, dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1beta1 ResourceSlice":            {destinations: convertedBy(resourceSlice, dynamic+"v1", dynamic+"v1beta2")},
		dynamic + "v1beta2 DeviceClass":              {destinations: sameFields(dynamic + "v1")},
		dynamic + "v1beta2 DeviceTaintRule":          {destinations: sameFields(dynamic + "v1")},
		dynamic + "v1beta2 ResourceClaim":            {destinations: sameFields(dynamic + "v1")},
		dynamic + "v1beta2 ResourceClaimTemplate":    {destinations: sameFields(dynamic + "v1")},
		dynamic + "v1beta2 ResourceSlice":            {destinations: sameFields(dynamic + "v1")},

		scheduleGroup + "v1alpha1 PriorityClass": {destinations: sameFields(scheduleGroup + "v1")},
		scheduleGroup + "v1alpha1 Workload":      {destinations: needsReview(neverTogether, convertedBy(firstWorkload, scheduleGroup+"v1beta1"))},
		scheduleGroup + "v1alpha2 PodGroup":      {destinations: needsReview(neverTogether, convertedBy(podGroup, scheduleGroup+"v1beta1"))},
		scheduleGroup + "v1alpha2 Workload":      {destinations: needsReview(neverTogether, convertedBy(workload, scheduleGroup+"v1beta1"))},
		scheduleGroup + "v1beta1 PriorityClass":  {destinations: sameFields(scheduleGroup + "v1")},

		"settings.k8s.io/v1alpha1 PodPreset": {noDestination: "Pod presets were removed in 1.20 and nothing takes their place: write the settings into the pod templates, or have a mutating admission policy or webhook add them."},

		storageGroup + "v1alpha1 CSIStorageCapacity":               {destinations: sameFields(storageGroup+"v1", storageGroup+"v1beta1")},
		storageGroup + "v1alpha1 VolumeAttachment":                 {destinations: sameFields(storageGroup + "v1")},
		storageGroup + "v1alpha1 VolumeAttributesClass":            {destinations: sameFields(storageGroup+"v1", storageGroup+"v1beta1")},
		storageGroup + "v1beta1 CSIDriver":                         {destinations: sameFields(storageGroup + "v1")},
		storageGroup + "v1beta1 CSINode":                           {destinations: sameFields(storageGroup + "v1")},
		storageGroup + "v1beta1 CSIStorageCapacity":                {destinations: sameFields(storageGroup + "v1")},
		storageGroup + "v1beta1 StorageClass":                      {destinations: sameFields(storageGroup + "v1")},
		storageGroup + "v1beta1 VolumeAttachment":                  {destinations: sameFields(storageGroup + "v1")},
		storageGroup + "v1beta1 VolumeAttributesClass":             {destinations: sameFields(storageGroup + "v1")},
		"storagemigration.k8s.io/v1alpha1 StorageVersionMigration": {destinations: needsReview(neverTogether, convertedBy(storageMigration, "storagemigration.k8s.io/v1", "storagemigration.k8s.io/v1beta1"))},
		"storagemigration.k8s.io/v1beta1 StorageVersionMigration":  {destinations: sameFields("storagemigration.k8s.io/v1")},

		"v1 EphemeralContainers": {noDestination: "It was the body of the subresource pods/ephemeralcontainers up to 1.21; now that takes the Pod itself, and kubectl debug makes it."},
		"v1 ComponentStatus":     {noDestination: "It is only read, and nothing takes its place: ask the components' own health endpoints."},
		"v1 Endpoints":           {noDestination: "EndpointSlices of discovery.k8s.io/v1 take its place, with another model: one slice for each address family and set of ports, tied to its Service by the label kubernetes.io/service-name. Servers mirror Endpoints of a Service without selector into slices, so it goes on working; to replace it, write the slices and delete it."},
	}
})

const (
	podSecurityPolicy = "Pod security policies were removed in 1.25 without a successor. Pod Security Admission, by labels of namespaces such as pod-security.kubernetes.io/enforce, holds pods to one of three standards and changes nothing in them; what a policy allowed or set beyond that needs an admission policy or webhook. Decide on a level for each namespace, write into the pods what the policy used to set, and delete the policy with the roles that grant it."
	classicResources  = "It belongs to the allocation of resources by a control plane controller, which is gone: delete it, and use a driver that publishes resource slices."
	classicClaim      = "A claim named a class and parameters that a control plane controller understood; now it lists requests for devices, chosen by device classes and CEL expressions. The driver's documentation says what to ask for."
	classicClass      = "A resource class named a control plane controller; a DeviceClass of resource.k8s.io/v1 selects devices by CEL expressions. The driver's documentation says which."
)
