package validation

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/policydefinition"
)

// Source of the functions below: pkg/apis/admissionregistration/validation, for
// webhook configurations.

// acceptedReviews are the versions of AdmissionReview that servers can send.
var acceptedReviews = []string{"v1", "v1beta1"}

func (v *validator) mutatingWebhooks(obj node)   { v.webhooksOf(obj, true) }
func (v *validator) validatingWebhooks(obj node) { v.webhooksOf(obj, false) }

// webhooksOf checks a webhook configuration. v1beta1, up to 1.21, requires less.
// An update may violate a requirement that the stored configuration already
// violates.
func (v *validator) webhooksOf(obj node, mutating bool) {
	v.commonMetadata(obj, false, subdomainErrors)
	beta := strings.HasSuffix(v.req.APIVersion, "/v1beta1")
	requireDryRun, known, unique, conditions := !beta, true, !beta, true
	stored := v.storedConditions()
	if v.req.Old != nil {
		old := root(v.req.Old).get("webhooks")
		conditions = v.conditionsChanged(obj.get("webhooks"), old)
		seen := newNames(old.length())
		for _, h := range old.items {
			side := h.str("sideEffects")
			requireDryRun = requireDryRun && (side == "None" || side == "NoneOnDryRun")
			known = known && slices.ContainsFunc(h.get("admissionReviewVersions").texts(), isReview)
			unique = unique && seen.add(h.str("name"))
		}
	}
	seen := newNames(obj.get("webhooks").length())
	for _, h := range obj.get("webhooks").items {
		v.webhook(h, mutating, requireDryRun, beta)
		if conditions {
			v.matchConditions(v.hookConditions(h), false, stored)
		}
		v.reviewVersions(h.get("admissionReviewVersions"), known, beta)
		if name := h.get("name"); unique && name.text() != "" && !seen.add(name.text()) {
			v.duplicate(name, strconv.Quote(name.text()))
		}
	}
	v.staticName(obj)
}

func isReview(version string) bool { return slices.Contains(acceptedReviews, version) }

// staticName checks that a name does not have the reserved suffix. Source:
// ValidateStaticSuffix.
func (v *validator) staticName(obj node) {
	const suffix = ".static.k8s.io"
	name := obj.at("metadata", "name")
	if v.minor >= 36 && v.req.Old == nil && strings.HasSuffix(name.text(), suffix) && v.server.Enabled("ManifestBasedAdmissionControlConfig") {
		v.invalidString(name, name.text(), []string{`names ending with "` + suffix + `" are reserved for static manifest-based configurations and cannot be managed via the API`})
	}
}

// webhook checks a webhook of a configuration. Source: validateMutatingWebhook
// and validateValidatingWebhook.
func (v *validator) webhook(h node, mutating, requireDryRun, beta bool) {
	name := h.get("name")
	switch errs := subdomainErrors(v.minor, name.text()); {
	case name.text() == "":
		v.required(name, "")
	case len(errs) > 0:
		v.invalidString(name, name.text(), []string{strings.Join(errs, ",")})
	case strings.Count(name.text(), ".") < 2:
		v.invalidString(name, name.text(), []string{"should be a domain with at least three segments separated by dots"})
	}
	for _, r := range h.get("rules").items {
		v.hookRule(r)
	}
	optional := func(field string, values ...string) {
		if n := h.get(field); n.isSet() {
			v.enum(n, n.text(), values...)
		}
	}
	optional("failurePolicy", "Fail", "Ignore")
	optional("matchPolicy", "Equivalent", "Exact")
	v.sideEffects(h.get("sideEffects"), requireDryRun, beta)
	timeout := h.get("timeoutSeconds")
	if n, ok := timeout.number(); ok && (n < 1 || n > 30) {
		v.invalid(timeout, itoa(n), "the timeout value must be between 1 and 30 seconds")
	}
	v.labelSelector(h.get("namespaceSelector"))
	v.labelSelector(h.get("objectSelector"))
	if mutating {
		optional("reinvocationPolicy", "IfNeeded", "Never")
	}
	v.clientConfig(h.get("clientConfig"))
}

// conditionsChanged reports whether an update changes the match conditions of
// webhooks. The server does not check unchanged match conditions again.
func (v *validator) conditionsChanged(now, before node) bool {
	if now.length() != before.length() {
		return true
	}
	for i, h := range now.items {
		if !same(h.v.Get("matchConditions"), before.item(i).v.Get("matchConditions")) {
			return true
		}
	}
	return false
}

func (v *validator) sideEffects(n node, requireDryRun, beta bool) {
	allowed := []string{"None", "NoneOnDryRun"}
	if !requireDryRun {
		allowed = []string{"None", "NoneOnDryRun", "Some", "Unknown"}
	}
	switch {
	case n.isSet():
		v.enum(n, n.text(), allowed...)
	case !beta:
		v.required(n, "must specify one of "+strings.Join(allowed, ", "))
	}
}

// hookRule checks a rule of a webhook. Source: validateRuleWithOperations.
func (v *validator) hookRule(r node) {
	operations, groups, versions, scope := r.get("operations"), r.get("apiGroups"), r.get("apiVersions"), r.get("scope")
	several := func(n node) bool { return n.length() > 1 && slices.Contains(n.texts(), "*") }
	if operations.length() == 0 {
		v.required(operations, "")
	}
	if several(operations) {
		list := strings.Replace(v.stringList(operations.texts()), "[]string", "[]admissionregistration.OperationType", 1)
		v.invalid(operations, list, "if '*' is present, must not specify other operations")
	}
	for _, o := range operations.items {
		v.enum(o, o.text(), "*", "CONNECT", "CREATE", "DELETE", "UPDATE")
	}
	if groups.length() == 0 {
		v.required(groups, "")
	}
	if several(groups) {
		v.invalid(groups, v.stringList(groups.texts()), "if '*' is present, must not specify other API groups")
	}
	if versions.length() == 0 {
		v.required(versions, "")
	}
	if several(versions) {
		v.invalid(versions, v.stringList(versions.texts()), "if '*' is present, must not specify other API versions")
	}
	for _, n := range versions.items {
		if n.text() == "" {
			v.required(n, "")
		}
	}
	v.hookResources(r.get("resources"))
	if scope.isSet() {
		v.enum(scope, scope.text(), "*", "Cluster", "Namespaced")
	}
}

// hookResources checks the resources of a webhook's rule. Source:
// validateResources.
func (v *validator) hookResources(list node) {
	if list.length() == 0 {
		v.required(list, "")
	}
	wholes, subs := newNames(list.length()), newNames(list.length())
	double, single, plain := false, false, false
	for _, n := range list.items {
		text := n.text()
		if text == "" {
			v.required(n, "")
			continue
		}
		double = double || text == "*/*"
		single = single || text == "*"
		res, sub, ok := strings.Cut(text, "/")
		if !ok {
			plain = text != "*"
			continue
		}
		if wholes.has(res) {
			v.invalidString(n, text, []string{"if '" + res + "/*' is present, must not specify " + text})
		}
		if subs.has(sub) {
			v.invalidString(n, text, []string{"if '*/" + sub + "' is present, must not specify " + text})
		}
		if sub == "*" {
			wholes.add(res)
		}
		if res == "*" {
			subs.add(sub)
		}
	}
	if list.length() > 1 && double {
		v.invalid(list, v.stringList(list.texts()), "if '*/*' is present, must not specify other resources")
	}
	if single && plain {
		v.invalid(list, v.stringList(list.texts()), "if '*' is present, must not specify other resources without subresources")
	}
}

// reviewVersions checks the admissionReviewVersions of a webhook. In v1beta1 the
// list has a default. If known is set, the list must contain a version that the
// server can send. Source: validateAdmissionReviewVersions.
func (v *validator) reviewVersions(list node, known, beta bool) {
	if list.length() == 0 {
		if !beta {
			v.required(list, "must specify one of "+strings.Join(acceptedReviews, ", "))
		}
		return
	}
	seen := newNames(list.length())
	accepted := false
	for _, n := range list.items {
		if !seen.add(n.text()) {
			v.invalidString(n, n.text(), []string{"duplicate version"})
			continue
		}
		v.invalidString(n, n.text(), label1035Errors(v.minor, n.text()))
		accepted = accepted || isReview(n.text())
	}
	if known && !accepted {
		v.invalid(list, v.stringList(list.texts()), "must include at least one of "+strings.Join(acceptedReviews, ", "))
	}
}

// clientConfig checks the address of a webhook. Source:
// k8s.io/apiserver/pkg/util/webhook/validation.go.
func (v *validator) clientConfig(c node) {
	address, service := c.get("url"), c.get("service")
	switch {
	case address.isSet() == service.isSet():
		detail := "exactly one of url or service is required"
		v.required(c, detail)
	case address.isSet():
		v.hookURL(address)
	default:
		v.hookService(service)
	}
}

func (v *validator) hookURL(n node) {
	const form = "; desired format: https://host[/path]"
	u, err := url.Parse(n.text())
	if err != nil {
		v.required(n, "url must be a valid URL: "+err.Error()+form)
		return
	}
	if u.Scheme != "https" {
		v.invalidString(n, u.Scheme, []string{"'https' is the only allowed URL scheme" + form})
	}
	if u.Host == "" {
		verb := "specified"
		if v.minor < 26 {
			verb = "provided"
		}
		v.invalidString(n, u.Host, []string{"host must be " + verb + form})
	}
	if u.User != nil {
		v.invalidString(n, u.User.String(), []string{"user information is not permitted in the URL"})
	}
	if u.Fragment != "" {
		v.invalidString(n, u.Fragment, []string{"fragments are not permitted in the URL"})
	}
	if u.RawQuery != "" {
		v.invalidString(n, u.RawQuery, []string{"query parameters are not permitted in the URL"})
	}
}

// shortWebhookTexts is the first minor whose errors about webhooks are shorter.
const shortWebhookTexts = 34

func (v *validator) hookService(s node) {
	// Upstream swaps name and namespace.
	name, namespace, port, path := s.get("name"), s.get("namespace"), s.get("port"), s.get("path")
	detail := func(what string) string {
		if v.minor >= shortWebhookTexts {
			return ""
		}
		return "service " + what + " is required"
	}
	if namespace.text() == "" {
		v.required(name.withPath(s.p.child("name")), detail("name"))
	}
	if name.text() == "" {
		v.required(namespace.withPath(s.p.child("namespace")), detail("namespace"))
	}
	if n, ok := port.number(); ok && (n < 1 || n > 65535) {
		v.invalid(port, itoa(n), "port is not valid: "+rangeText(1, 65535))
	}
	text := path.text()
	addError := func(m string) { v.invalidString(path, text, []string{m}) }
	if text == "" || text == "/" {
		return
	}
	if text == "//" {
		addError("segment[0] may not be empty")
		return
	}
	if !strings.HasPrefix(text, "/") {
		addError("must start with a '/'")
	}
	for i, step := range strings.Split(strings.TrimSuffix(text[1:], "/"), "/") {
		segment := "segment[" + strconv.Itoa(i) + "]"
		if step == "" {
			addError(segment + " may not be empty")
			continue
		}
		for _, m := range subdomainErrors(v.minor, step) {
			addError(segment + ": " + m)
		}
	}
}

// hookConditions returns the match conditions of a webhook. 1.27 drops them if
// their gate is off.
func (v *validator) hookConditions(h node) node {
	list := v.since(27, h.get("matchConditions"))
	if v.minor == 27 && v.req.Old == nil {
		return v.gated("AdmissionWebhookMatchConditions", list)
	}
	return list
}

// matchConditions checks match conditions. params is set if they can read the
// variable params. stored are the conditions of the stored object. Source:
// validateMatchConditions.
func (v *validator) matchConditions(list node, params bool, stored map[string]bool) {
	if list.length() > 64 {
		v.tooMany(list, list.length(), 64)
	}
	compiler := policydefinition.NewCompiler(v.minor, false)
	seen := newNames(list.length())
	for _, c := range list.items {
		name, expression := c.get("name"), c.get("expression")
		if text := strings.TrimSpace(expression.text()); text == "" {
			v.required(expression, "")
		} else {
			v.compiled(expression, text, compiler.Check(policydefinition.Expression{
				Text: text, Role: policydefinition.Condition, Params: params, Stored: stored[text],
			}))
		}
		if name.text() == "" {
			v.required(name, "")
			continue
		}
		v.labelName(name, name.text())
		if !seen.add(name.text()) {
			v.duplicate(name, strconv.Quote(name.text()))
		}
	}
}
