package main

import (
	"fmt"
	"net/http"
)

// scenePrefix is the beginning of the User-Agent header in all recorded requests.
const scenePrefix = "scene-"

// setup returns the requests that create namespaces, policies and webhooks.
func setup() []request {
	var all []request
	create := func(path, body string) { all = append(all, request{method: http.MethodPost, path: path, body: body}) }
	for _, ns := range []struct{ name, labels string }{
		{"shop", `{"pod-security.kubernetes.io/enforce":"baseline","pod-security.kubernetes.io/audit":"restricted","pod-security.kubernetes.io/warn":"restricted"}`},
		{"strict", `{}`}, {"open", `{}`},
	} {
		create("/api/v1/namespaces", fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q,"labels":%s}}`, ns.name, ns.labels))
		create("/api/v1/namespaces/"+ns.name+"/serviceaccounts", `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}}`)
	}
	const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
	policy := func(name, group, resource, validations string) {
		create(policies, fmt.Sprintf(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":%q},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[%q],"apiVersions":["v1"],"operations":["CREATE","UPDATE"],"resources":[%q]}]},"validations":%s}}`, name, group, resource, validations))
	}
	bind := func(name, policy, namespace, actions string) {
		create("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", fmt.Sprintf(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":%q},"spec":{"policyName":%q,"validationActions":%s,"matchResources":{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":%q}}}}}`, name, policy, actions, namespace))
	}
	policy("replicas.example.com", "apps", "deployments", `[{"expression":"object.spec.replicas <= 5","messageExpression":"'at most 5 replicas, not ' + string(object.spec.replicas)"}]`)
	bind("replicas-shop", "replicas.example.com", "shop", `["Audit"]`)
	policy("labels.example.com", "apps", "deployments", `[{"expression":"has(object.metadata.labels)","message":"labels are required"},{"expression":"has(object.metadata.labels) && 'team' in object.metadata.labels","message":"label team is required"}]`)
	bind("labels-shop", "labels.example.com", "shop", `["Audit","Warn"]`)
	bind("labels-strict", "labels.example.com", "strict", `["Deny","Audit"]`)
	policy("warned.example.com", "apps", "deployments", `[{"expression":"false","message":"leaves no trace"}]`)
	bind("warned-shop", "warned.example.com", "shop", `["Warn"]`)
	policy("owner.example.com", "", "configmaps", `[{"expression":"has(object.metadata.annotations)","reason":"Forbidden","message":"an owner is required"},{"expression":"has(object.data)"}]`)
	policy("data.example.com", "", "configmaps", `[{"expression":"has(object.data)","message":"data is required"}]`)
	bind("data-strict", "data.example.com", "strict", `["Deny"]`)
	bind("owner-open", "owner.example.com", "open", `["Audit"]`)

	// Releases that do not serve mutating policies return 404.
	create("/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies", `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicy","metadata":{"name":"stamp.example.com"},"spec":{"reinvocationPolicy":"Never","matchConstraints":{"resourceRules":[{"apiGroups":["apps"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["deployments"]}]},"mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":"Object{metadata: Object.metadata{annotations: {'stamped': 'yes'}}}"}}]}}`)
	create("/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings", `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicyBinding","metadata":{"name":"stamp"},"spec":{"policyName":"stamp.example.com"}}`)

	hook := func(kind, path, name, namespace, resource, url, failure string) {
		create("/apis/admissionregistration.k8s.io/v1/"+path, fmt.Sprintf(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":%q,"metadata":{"name":%q},"webhooks":[{"name":"%s.example.com","clientConfig":{"url":%q,"caBundle":"$CABUNDLE"},"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":[%q]}],"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":%q}},"failurePolicy":%q,"sideEffects":"None","timeoutSeconds":2,"admissionReviewVersions":["v1"]}]}`,
			kind, name, name, url, resource, namespace, failure))
	}
	const nobody = "https://127.0.0.1:1/"
	hook("MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "inject", "open", "configmaps", "$WEBHOOK/allow", "Fail")
	hook("MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "sidecar", "open", "configmaps", nobody, "Ignore")
	hook("ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "images", "open", "configmaps", nobody, "Ignore")
	hook("ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "secrets", "strict", "secrets", "$WEBHOOK/denymsg", "Fail")
	return all
}

// act is a request of the scene, with the expected HTTP status.
type act struct {
	request
	want int
}

// scene returns the recorded requests in their order.
func scene() []act {
	const (
		ci      = "system:serviceaccount:shop:ci"
		ciAgent = scenePrefix + "ci/v1.2.0 (linux/amd64)"
		kubectl = scenePrefix + "kubectl/v1.37.0 (linux/amd64) kubernetes/abc"
		apps    = "/apis/apps/v1/namespaces/"
	)
	deployment := func(name string, replicas int, labels string) string {
		return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":%q%s},"spec":{"replicas":%d,"selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"web","image":"web:1"}]}}}}`, name, labels, replicas)
	}
	pod := func(name, security string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{%s},"spec":{"containers":[{"name":"web","image":"web:1"%s}]}}`, name, security)
	}
	const team, plain = `,"labels":{"team":"web"}`, `,"labels":{"app":"web"}`
	const restricted = `,"securityContext":{"allowPrivilegeEscalation":false,"runAsNonRoot":true,"capabilities":{"drop":["ALL"]},"seccompProfile":{"type":"RuntimeDefault"}}`
	const merge = "application/merge-patch+json"
	send := func(want int, method, path, body, contentType, user, agent string) act {
		return act{request{method: method, path: path, body: body, contentType: contentType, user: user, agent: agent}, want}
	}
	post := func(want int, path, body, user, agent string) act {
		return send(want, http.MethodPost, path, body, "", user, agent)
	}
	guessed := post(http.StatusForbidden, apps+"strict/deployments?fieldManager=viewer", deployment("web", 1, ""), "", scenePrefix+"viewer/1")
	guessed.token = "viewer"
	return []act{
		// Policies that write audit annotations: two of them fail, then one, then none.
		post(http.StatusCreated, apps+"shop/deployments?fieldManager=ci", deployment("web", 7, ""), ci, ciAgent),
		send(http.StatusOK, http.MethodPatch, apps+"shop/deployments/web?fieldManager=ci", `{"metadata":{"labels":{"team":"web"}}}`, merge, ci, ciAgent),
		send(http.StatusOK, http.MethodPatch, apps+"shop/deployments/web?fieldManager=ci", `{"spec":{"replicas":8}}`, merge, ci, scenePrefix+"ci/v1.3.0 (linux/amd64)"),
		post(http.StatusCreated, apps+"shop/deployments?dryRun=All&fieldManager=kubectl", deployment("api", 9, team), "", kubectl),
		post(http.StatusCreated, apps+"shop/deployments?fieldManager=kubectl", deployment("api", 2, plain), "", kubectl),
		send(http.StatusOK, http.MethodPatch, apps+"shop/deployments/web?fieldManager=ci", `{"spec":{"replicas":2}}`, merge, ci, ciAgent),
		// Pod Security: a violation of the audited level, one of the enforced level, and
		// none.
		post(http.StatusCreated, "/api/v1/namespaces/shop/pods?fieldManager=kubectl", pod(`"name":"debug"`, ""), "", kubectl),
		post(http.StatusCreated, "/api/v1/namespaces/shop/pods?fieldManager=ci", pod(`"generateName":"job-"`, ""), ci, ciAgent),
		post(http.StatusForbidden, "/api/v1/namespaces/shop/pods?fieldManager=kubectl", pod(`"name":"root"`, `,"securityContext":{"privileged":true}`), "", kubectl),
		post(http.StatusCreated, "/api/v1/namespaces/shop/pods?fieldManager=kubectl", pod(`"name":"good"`, restricted), "", kubectl),
		post(http.StatusCreated, "/api/v1/namespaces/open/pods?fieldManager=kubectl", pod(`"name":"any"`, ""), "", kubectl),
		// Denied by a binding that also audits, and by one that only denies.
		post(http.StatusUnprocessableEntity, apps+"strict/deployments?fieldManager=ci", deployment("web", 1, ""), ci, ciAgent),
		post(http.StatusUnprocessableEntity, "/api/v1/namespaces/strict/configmaps?fieldManager=ci", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"empty"}}`, ci, ciAgent),
		// Webhooks that fail and are ignored, and a webhook that denies.
		post(http.StatusCreated, "/api/v1/namespaces/open/configmaps?fieldManager=ci", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"app"}}`, ci, ciAgent),
		post(http.StatusForbidden, "/api/v1/namespaces/strict/secrets?fieldManager=ci", `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"key"}}`, ci, ciAgent),
		guessed,
	}
}
