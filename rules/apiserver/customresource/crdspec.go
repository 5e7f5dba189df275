package customresource

import (
	"fmt"
	"net/url"
	"strings"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// DefinitionCauses returns the errors of the validation of a
// CustomResourceDefinition. Errors about the properties of one schema have the
// order of the definition; a server's order is random. Source:
// ValidateCustomResourceDefinition and ValidateCustomResourceDefinitionUpdate in
// apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
// (1.16–1.37).
//
// CEL rules are compiled in the environment of the release (1.25–1.37). The
// texts of their errors and the estimated costs come from kubevet's version of
// CEL, except the cost of matches(a, b). Servers up to 1.30 estimate higher costs
// for some calls. A rule that is too expensive to compile here counts as valid:
// it has more than about 100 levels of brackets, or more than about 15 KB.
func DefinitionCauses(s apiserver.Server, r apiserver.Request) []apiserver.Cause {
	if r.Kind != "CustomResourceDefinition" || r.New == nil || r.New.Kind != wire.Map {
		return nil
	}
	c := definitionValidator{report: report{minor: s.Minor}, server: s, beta: r.APIVersion == "apiextensions.k8s.io/v1beta1"}
	crd := c.decode(r.New)
	var old *definitionSpec
	if r.Old != nil && r.Old.Kind == wire.Map {
		old = c.decode(r.Old)
	}
	c.options(old)
	if old == nil {
		c.causes = validation.ObjectMeta(s, r, false, func(name string) []string {
			if name != crd.spec.At("names", "plural").StringOr("")+"."+crd.group() {
				return []string{`must be spec.names.plural+"."+spec.group`}
			}
			return nil
		})
	} else {
		c.causes = validation.ObjectMeta(s, r, false, nil)
	}
	c.spec(crd)
	if old != nil {
		c.immutable(crd, old)
	}
	c.storedVersions(crd, old)
	c.approval(r)
	if now := crd.spec.Get("preserveUnknownFields"); !c.beta && now.IsTrue() && !(old != nil && old.preserve) {
		name := "x-kubernetes-preserve-unknown-fields"
		if c.minor < 25 {
			name = "x-preserve-unknown-fields"
		}
		c.invalid("spec.preserveUnknownFields", true, "cannot set to true, set "+name+" to true in spec.versions[*].schema instead", now)
	}
	return c.causes
}

// definitionValidator validates one definition and collects its errors.
type definitionValidator struct {
	report
	server apiserver.Server
	beta   bool // the request's apiVersion is apiextensions.k8s.io/v1beta1

	// Requirements. A requirement that the stored definition violates does not
	// apply to the update.
	requireReviewVersion, requireSchema, requireType, requireStructural    bool
	requirePrunedDefaults, requireAtomicSet, requireMapKeys, allowDefaults bool

	hasRules   bool       // whether the server knows CEL rules
	ruleFields ruleFields // fields of a rule that the server knows
	stored     storedExpressions
	old        *definitionSpec // stored definition; nil on create
	// defaultBudget is the remaining cost for evaluating rules about defaults.
	defaultBudget int64
	// structurals caches the structural schemas that validFieldPath uses.
	structurals map[*wire.Value]*structuralschema.Structural

	nodes    int      // number of schemas that may still be visited
	patterns patterns // nil until the first pattern is checked
}

// spec checks the spec of a definition. Source:
// validateCustomResourceDefinitionSpec.
func (c *definitionValidator) spec(d *definitionSpec) {
	group := d.spec.Get("group")
	if text := group.StringOr(""); text == "" {
		c.required("spec.group", "", d.spec)
	} else if messages := validation.DNSSubdomain(c.minor, text); len(messages) > 0 {
		c.invalid("spec.group", text, strings.Join(messages, ","), group)
	} else if !strings.Contains(text, ".") {
		c.invalid("spec.group", text, "should be a domain with at least one dot", group)
	}
	scope := d.spec.Get("scope")
	if scope.IsNull() && c.beta {
		scope = &wire.Value{Kind: wire.String, Text: "Namespaced"}
	}
	c.enum("spec.scope", scope, d.spec, "Cluster", "Namespaced")
	if !d.preserve {
		c.requireStructural = true
	}
	c.requireSchemas(d)
	if c.allowDefaults && anySchema(d, &c.nodes, hasDefault) {
		c.requireStructural = true
		if d.preserve {
			c.invalid("spec.preserveUnknownFields", true, "must be false in order to use defaults in the schema", d.spec)
		}
	}
	if anySchema(d, &c.nodes, c.hasExtension) {
		c.requireStructural = true
	}
	storage, unique := 0, true
	seen := map[string]bool{}
	perVersion := d.anyVersionHas(subresourcesPart)
	for i := range d.versions {
		v := &d.versions[i]
		if v.storage {
			storage++
		}
		unique = unique && !seen[v.name]
		seen[v.name] = true
		path := fmt.Sprintf("spec.versions[%d]", i)
		if messages := validation.DNS1035Label(c.minor, v.name); len(messages) > 0 {
			c.invalid(path+".name", v.name, strings.Join(messages, ","), orElse(v.at.Get("name"), v.at))
		}
		subresources := d.common.subresources
		if perVersion {
			subresources = v.parts.subresources
		}
		c.version(path, v, subresources)
	}
	c.exclusiveParts(d)
	if !unique {
		c.quoteVersions("spec.versions", d, "must contain unique version names")
	}
	if storage != 1 {
		c.quoteVersions("spec.versions", d, "must have exactly one version marked as storage version")
	}
	if d.version != "" {
		at := orElse(d.spec.Get("version"), d.spec)
		if messages := validation.DNS1035Label(c.minor, d.version); len(messages) > 0 {
			c.invalid("spec.version", d.version, strings.Join(messages, ","), at)
		}
		if len(d.versions) > 0 && d.versions[0].name != d.version {
			c.invalid("spec.version", d.version, "must match the first version in spec.versions", at)
		}
	}
	c.names(d)
	c.schema("spec.validation", d.common.schema, d.hasStatus(), c.sameSchema(d.version, d.common.schema))
	c.subresources("spec.subresources", d.common.subresources)
	c.columns("spec.additionalPrinterColumns", d.common.columns)
	if c.minor >= 30 && d.common.selectable != nil {
		c.selectableFields("spec.selectableFields", d.common.selectable, d.common.schema, "may only be set when validations.schema is included")
	}
	c.conversion(d)
}

func orElse(v, other *wire.Value) *wire.Value {
	if v == nil {
		return other
	}
	return v
}

// requireSchemas checks that each version has a schema.
func (c *definitionValidator) requireSchemas(d *definitionSpec) {
	if openAPI(d.common.schema) != nil || !c.requireSchema && d.preserve {
		return
	}
	for i := range d.versions {
		v := &d.versions[i]
		if openAPI(v.parts.schema) != nil || !c.requireSchema && !v.served {
			continue
		}
		detail := "because otherwise all fields are pruned"
		if c.requireSchema {
			detail = ""
			if c.minor < 34 {
				detail = "schemas are required"
			}
		}
		c.required(fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i), detail, v.at)
	}
}

// exclusiveParts checks the parts that may be set in the spec or in each version, but
// not in both: the schema, the subresources and the printer columns. A part that is
// equal in all versions must be in the spec.
func (c *definitionValidator) exclusiveParts(d *definitionSpec) {
	for _, p := range []struct {
		name, in string
		part     func(*definitionParts) *wire.Value
	}{
		{"validation", "schemas", schemaPart},
		{"subresources", "subresources", subresourcesPart},
		{"additionalPrinterColumns", "additionalPrinterColumns", columnsPart},
	} {
		if p.part(&d.common) != nil && d.anyVersionHas(p.part) {
			c.forbidden("spec."+p.name, "top-level and per-version "+p.in+" are mutually exclusive", d.spec)
		}
	}
	for _, p := range []struct {
		text, once string
		part       func(*definitionParts) *wire.Value
	}{
		{"schemas", "validation", schemaPart},
		{"subresources", "subresources", subresourcesPart},
		{"additionalPrinterColumns", "additionalPrinterColumns", columnsPart},
	} {
		if d.sameInAllVersions(p.part) {
			c.quoteVersions("spec.versions", d, "per-version "+p.text+" may not all be set to identical values (top-level "+p.once+" should be used instead)")
		}
	}
}

// enum checks that a required string is one of the accepted values. Source:
// validateEnumStrings.
func (c *definitionValidator) enum(path string, v, owner *wire.Value, accepted ...string) {
	text := v.StringOr("")
	if text == "" {
		c.required(path, "", owner)
		return
	}
	for _, a := range accepted {
		if a == text {
			return
		}
	}
	c.notSupported(path, text, accepted, v)
}

// immutable checks that an update does not change immutable fields. Source:
// validateCustomResourceDefinitionSpecUpdate.
func (c *definitionValidator) immutable(d, old *definitionSpec) {
	check := func(path string, names ...string) {
		now, before := d.spec.At(names...).StringOr(""), old.spec.At(names...).StringOr("")
		if now != before {
			c.invalid(path, now, "field is immutable", orElse(d.spec.At(names...), d.spec))
		}
	}
	if established(old.obj) {
		check("spec.scope", "scope")
		check("spec.names.kind", "names", "kind")
	}
	check("spec.group", "group")
	check("spec.names.plural", "names", "plural")
}

// established reports whether the server serves a stored definition.
func established(obj *wire.Value) bool {
	for _, condition := range obj.At("status", "conditions").Elements() {
		if condition.Get("type").StringOr("") == "Established" {
			return condition.Get("status").StringOr("") == "True"
		}
	}
	return false
}

// approval checks the annotation that definitions in Kubernetes' own API groups
// must have. Source: validateAPIApproval.
func (c *definitionValidator) approval(r apiserver.Request) {
	const annotation = "api-approved.kubernetes.io"
	group := r.New.At("spec", "group").StringOr("")
	if c.beta || !protectedGroup(group) {
		return
	}
	state := func(obj *wire.Value) (missing, bad bool) {
		text := obj.At("metadata", "annotations", annotation).StringOr("")
		u, err := url.ParseRequestURI(text)
		switch {
		case text == "":
			return true, false
		case strings.HasPrefix(text, "unapproved"), err == nil && u.Host != "" && u.Scheme != "":
			return false, false
		}
		return false, true
	}
	missing, bad := state(r.New)
	if r.Old != nil {
		if wasMissing, wasBad := state(r.Old); missing == wasMissing && bad == wasBad {
			return
		}
	}
	const (
		path = "metadata.annotations[" + annotation + "]"
		see  = ", see https://github.com/kubernetes/enhancements/pull/1111"
		must = `protected groups must have approval annotation "` + annotation + `"`
	)
	at := r.New.At("metadata", "annotations", annotation)
	switch {
	case missing:
		c.required(path, must+see, orElse(at, r.New.Get("metadata")))
	case bad:
		c.invalid(path, at.StringOr(""), must+` with either a URL or a reason starting with "unapproved"`+see, at)
	}
}

func protectedGroup(group string) bool {
	for _, domain := range [...]string{"k8s.io", "kubernetes.io"} {
		if group == domain || strings.HasSuffix(group, "."+domain) {
			return true
		}
	}
	return false
}
