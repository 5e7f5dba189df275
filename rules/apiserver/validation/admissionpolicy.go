package validation

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/policydefinition"
)

// Source of this file: the validation of admission policies in
// pkg/apis/admissionregistration/validation/validation.go, 1.28 to 1.37, with the
// defaults of v1alpha1, v1beta1 and v1.

// policy checks one admission policy. It knows which variables the expressions
// can use.
type policy struct {
	*validator
	spec     node
	compiler *policydefinition.Compiler
	stored   storedExpressions
	params   bool // whether the policy has a paramKind
}

// newPolicy returns the policy for an object. If composed is set, expressions can
// read variables even if the policy has none. Match conditions never can.
func (v *validator) newPolicy(obj node, composed bool) *policy {
	spec := obj.get("spec")
	return &policy{
		validator: v, spec: spec, params: spec.has("paramKind"),
		compiler: policydefinition.NewCompiler(v.minor, composed || v.since(28, spec.get("variables")).length() > 0),
		stored:   v.storedPolicy(),
	}
}

// validatingPolicy checks a ValidatingAdmissionPolicy. Source:
// validateValidatingAdmissionPolicy.
func (v *validator) validatingPolicy(obj node) {
	v.commonMetadata(obj, false, subdomainErrors)
	p := v.newPolicy(obj, false)
	p.common(nil)
	validations, annotations := p.spec.get("validations"), v.since(27, p.spec.get("auditAnnotations"))
	if validations.length()+annotations.length() == 0 {
		const detail = "validations or auditAnnotations must contain at least one item"
		v.required(validations, detail)
		v.required(annotations, detail)
	}
	for _, n := range validations.items {
		p.validation(n)
	}
	p.annotations(obj, annotations)
	v.staticName(obj)
}

// mutatingPolicy checks a MutatingAdmissionPolicy. Source:
// validateMutatingAdmissionPolicy (1.32–1.37).
func (v *validator) mutatingPolicy(obj node) {
	v.commonMetadata(obj, false, subdomainErrors)
	p := v.newPolicy(obj, true)
	p.common(v.mutableOperations)
	mutations, again := p.spec.get("mutations"), p.spec.get("reinvocationPolicy")
	if mutations.length() == 0 {
		v.required(mutations, "mutations must contain at least one item")
	}
	for _, m := range mutations.items {
		p.mutation(m)
	}
	if again.text() == "" {
		v.required(again, "")
	} else {
		v.enum(again, again.text(), "IfNeeded", "Never")
	}
	v.staticName(obj)
}

// common checks the fields that validating and mutating policies share. rules
// makes further checks of matchConstraints; it may be nil.
func (p *policy) common(rules func(constraints node)) {
	if failure := p.spec.get("failurePolicy"); failure.isSet() {
		p.enum(failure, failure.text(), "Fail", "Ignore")
	}
	if kind := p.spec.get("paramKind"); kind.isSet() {
		p.paramKind(kind)
	}
	if constraints := p.spec.get("matchConstraints"); !constraints.isSet() {
		p.required(constraints, "")
	} else {
		p.matchResources(constraints)
		if list := constraints.get("resourceRules"); list.length() == 0 {
			p.required(list, "")
		}
		if rules != nil {
			rules(constraints)
		}
	}
	if p.stored.conditions == nil || p.conditionsChanged() {
		p.matchConditions(p.since(27, p.spec.get("matchConditions")), p.params, p.stored.conditions)
	}
	for _, n := range p.since(28, p.spec.get("variables")).items {
		p.variable(n)
	}
}

// paramKind checks the paramKind of a policy. Source: validateParamKind.
func (v *validator) paramKind(n node) {
	version, kind := n.get("apiVersion"), n.get("kind")
	group, name, ok := strings.Cut(version.text(), "/")
	if !ok {
		group, name = "", version.text()
	}
	switch {
	case version.text() == "":
		v.required(version, "")
	case strings.Count(version.text(), "/") > 1:
		v.invalidString(version, version.text(), []string{"unexpected GroupVersion string: " + version.text()})
	default:
		if errs := subdomainErrors(v.minor, group); group != "" && len(errs) > 0 {
			v.invalidString(version, group, []string{strings.Join(errs, ",")})
		}
		if errs := label1035Errors(v.minor, name); name == "" {
			v.invalidString(version, version.text(), []string{"version must be specified"})
		} else if len(errs) > 0 {
			v.invalidString(version, name, []string{strings.Join(errs, ",")})
		}
	}
	if errs := label1035Errors(v.minor, strings.ToLower(kind.text())); kind.text() == "" {
		v.required(kind, "")
	} else if len(errs) > 0 {
		v.invalidString(kind, kind.text(), []string{"may have mixed case, but should otherwise match: " + strings.Join(errs, ",")})
	}
}

// matchResources checks the matchConstraints of a policy or the matchResources of
// a binding. All fields have defaults. Errors of 1.28 call the object selector
// labelSelector. Source: validateMatchResources.
func (v *validator) matchResources(n node) {
	if how := n.get("matchPolicy"); how.isSet() {
		v.enum(how, how.text(), "Equivalent", "Exact")
	}
	v.labelSelector(n.get("namespaceSelector"))
	if v.minor >= 29 {
		v.labelSelector(n.get("objectSelector"))
	} else {
		v.labelSelector(n.field("objectSelector", "labelSelector"))
	}
	for _, field := range []string{"resourceRules", "excludeResourceRules"} {
		for _, r := range n.get(field).items {
			v.namedRule(r)
		}
	}
}

// namedRule checks a resource rule of matchResources. Source:
// validateNamedRuleWithOperations.
func (v *validator) namedRule(r node) {
	names := r.get("resourceNames")
	seen := newNames(names.length())
	for _, n := range names.items {
		v.invalidString(n, n.text(), pathSegmentErrors(v.minor, n.text()))
		if !seen.add(n.text()) {
			v.duplicate(n, strconv.Quote(n.text()))
		}
	}
	v.hookRule(r)
}

// mutableOperations adds errors for operations whose objects a mutating policy
// cannot change. The paths of the server's errors do not name the rule.
func (v *validator) mutableOperations(constraints node) {
	list := constraints.p.child("resourceRules").child("operations")
	for _, r := range constraints.get("resourceRules").items {
		for _, o := range r.get("operations").items {
			v.enum(o.withPath(list), o.text(), "*", "CONNECT", "CREATE", "UPDATE")
		}
	}
}

// identifier and reservedIdentifiers are copied from isCELIdentifier.
var identifier = regexp.MustCompile("^[_a-zA-Z][_a-zA-Z0-9]*$")

var reservedIdentifiers = []string{
	"true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
	"let", "loop", "package", "namespace", "return", "var", "void", "while",
}

// variable checks a variable of a policy. Like the server, it treats the expression
// as stored if a validation of the stored policy has the same text. Source:
// validateVariable.
func (p *policy) variable(n node) {
	name, expression := n.get("name"), n.get("expression")
	if strings.TrimSpace(name.text()) == "" {
		p.required(name, "name is not specified")
	} else if !identifier.MatchString(name.text()) || slices.Contains(reservedIdentifiers, name.text()) {
		detail := "must be a valid CEL identifier"
		if p.minor < 34 {
			detail = "name is not a valid CEL identifier"
		}
		p.invalidString(name, name.text(), []string{detail})
	}
	text := expression.text()
	if strings.TrimSpace(text) == "" {
		p.required(expression, "expression is not specified")
		return
	}
	problem := p.compiler.Declare(name.text(), policydefinition.Expression{
		Text: text, Role: policydefinition.Value, Params: p.params, Stored: p.stored.validations[text],
	})
	p.compiled(expression, text, problem)
}

// compiled adds the error that the compiler reports for an expression.
func (v *validator) compiled(n node, text string, p policydefinition.Problem) {
	switch {
	case p.Detail == "":
		return
	case p.Internal:
		v.add(n, "Internal error: "+p.Detail)
	default:
		v.invalidString(n, text, []string{p.Detail})
	}
	if p.Inexact {
		v.inexact()
	}
}

// validation checks an expression in a policy's validations. Source:
// validateValidation.
func (p *policy) validation(n node) {
	expression, message, words := n.get("expression"), n.get("message"), p.since(27, n.get("messageExpression"))
	if text := expression.text(); strings.TrimSpace(text) == "" {
		p.required(expression, "expression is not specified")
	} else {
		p.compiled(expression, text, p.compiler.Check(policydefinition.Expression{
			Text: text, Role: policydefinition.Condition, Params: p.params, Stored: p.stored.validations[text],
		}))
	}
	if text := words.text(); text != "" && strings.TrimSpace(text) == "" {
		p.invalidString(words, text, []string{"must be non-empty if specified"})
	} else if text != "" {
		p.compiled(words, text, p.compiler.Check(policydefinition.Expression{
			Text: text, Role: policydefinition.Message, Params: p.params, Stored: p.stored.messages[text],
		}))
	}
	subject := ""
	if p.minor < 34 {
		subject = "message "
	}
	if text := strings.TrimSpace(message.text()); text == "" && message.text() != "" {
		p.invalidString(message, message.text(), []string{subject + "must be non-empty if specified"})
	} else if strings.ContainsAny(text, "\n\r") {
		p.invalidString(message, message.text(), []string{subject + "must not contain line breaks"})
	}
	if reason := n.get("reason"); reason.isSet() {
		p.enum(reason, reason.text(), "Forbidden", "Invalid", "RequestEntityTooLarge")
	}
}

// annotations checks audit annotations. Source: validateAuditAnnotation.
func (p *policy) annotations(obj, list node) {
	const maxAuditAnnotations, maxExpression = 20, 5 * 1024
	if list.length() > maxAuditAnnotations {
		p.invalid(list, p.annotationList(list), "must not have more than 20 auditAnnotations")
	}
	policyName := obj.at("metadata", "name").text()
	generated := policyName == "" && obj.at("metadata", "generateName").text() != ""
	seen := newNames(list.length())
	for _, n := range list.items {
		key, expression := n.get("key"), n.get("valueExpression")
		switch {
		case generated: // the server already added random characters to the name
			before := len(p.causes)
			p.labelName(key, obj.at("metadata", "generateName").text()+"xxxxx/"+key.text())
			if len(p.causes) > before {
				p.inexact()
			}
		case policyName == "":
			p.invalidString(key, key.text(), []string{"requires metadata.name be non-empty"})
		default:
			p.labelName(key, policyName+"/"+key.text())
		}
		text := strings.TrimSpace(expression.text())
		switch {
		case text == "":
			p.required(expression, "valueExpression is not specified")
		case len(text) > maxExpression:
			p.required(expression, "must not exceed "+strconv.Itoa(maxExpression)+" bytes in length")
		default:
			p.compiled(expression, expression.text(), p.compiler.Check(policydefinition.Expression{
				Text: text, Role: policydefinition.Annotation, Params: p.params, Stored: p.stored.annotations[expression.text()],
			}))
		}
		if !seen.add(key.text()) {
			p.duplicate(key, strconv.Quote(key.text()))
		}
	}
}

// annotationList formats audit annotations as the server's error does.
func (v *validator) annotationList(list node) string {
	quote, before, between, after, comma := jsonString, `{"Key":`, `,"ValueExpression":`, "}", ","
	if v.minor < 34 {
		quote, before, between, comma = strconv.Quote, "admissionregistration.AuditAnnotation{Key:", ", ValueExpression:", ", "
	}
	texts := make([]string, list.length())
	for i, n := range list.items {
		texts[i] = before + quote(n.str("key")) + between + quote(n.str("valueExpression")) + after
	}
	if v.minor < 34 {
		return "[]admissionregistration.AuditAnnotation{" + strings.Join(texts, comma) + "}"
	}
	return "[" + strings.Join(texts, comma) + "]"
}

// mutation checks an item of a policy's mutations. Like the server, it treats an
// expression as stored if an apply configuration of the stored policy has the same
// text. The server does this also for the expressions of JSON patches. Source:
// validateMutation.
func (p *policy) mutation(n node) {
	how, apply, patch := n.get("patchType"), n.get("applyConfiguration"), n.get("jsonPatch")
	switch how.text() {
	case "":
		p.required(how, "")
	case "JSONPatch":
		p.mutate(patch, "JSONPatch", policydefinition.JSONPatch)
		if apply.isSet() {
			p.invalidString(apply, "{applyConfiguration}", []string{"must not be specified when patchType is JSONPatch"})
		}
	case "ApplyConfiguration":
		p.mutate(apply, "ApplyConfiguration", policydefinition.ApplyConfiguration)
		if patch.isSet() {
			p.invalidString(patch, "{jsonPatch}", []string{"must not be specified when patchType is ApplyConfiguration"})
		}
	default:
		p.enum(how, how.text(), "ApplyConfiguration", "JSONPatch")
	}
}

// mutate checks the expression of a mutation.
func (p *policy) mutate(n node, patchType string, role policydefinition.Role) {
	expression := n.get("expression")
	text := strings.TrimSpace(expression.text())
	switch {
	case !n.isSet():
		p.required(n, "must be specified when patchType is "+patchType)
	case text == "":
		p.required(expression, "")
	default:
		p.compiled(expression, text, p.compiler.Check(policydefinition.Expression{
			Text: text, Role: role, Params: p.params, Stored: p.stored.applied[expression.text()],
		}))
	}
}
