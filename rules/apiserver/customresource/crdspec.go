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
// order of the properties in the definition; a server's order is random. Source:
// ValidateCustomResourceDefinition and ValidateCustomResourceDefinitionUpdate of
// apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
// (1.16–1.37).
//
// CEL rules are compiled in the environment of the release (1.25–1.37). The
// texts of their errors and the estimated costs come from kubevet's version of
// CEL; only the cost of matches(a, b) is that of the release. Servers up to 1.30
// estimate higher costs for some calls. Rules that are too expensive to compile
// here count as valid. These have more than about 100 levels of brackets, or more
// than about 15 KB.
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

	// Requirements. On update, a requirement does not apply if the stored
	// definition violates it.
	requireReviewVersion, requireSchema, requireType, requireStructural    bool
	requirePrunedDefaults, requireAtomicSet, requireMapKeys, allowDefaults bool

	hasRules bool       // the server knows CEL rules
	known    ruleFields // the fields of a rule that the server knows
	stored   storedExpressions
	old      *definitionSpec // nil on create
	// defaultBudget is the remaining cost for evaluating rules about defaults.
	defaultBudget int64
	// structurals caches the structural schemas in which paths of rules were
	// looked up.
	structurals map[*wire.Value]*structuralschema.Structural

	nodes    int      // schemas that may still be visited
	patterns patterns // nil until the first pattern is checked
}

// definitionSpec is a definition in the server's internal version. Parts that are
// equal in all versions are in common.
type definitionSpec struct {
	obj, spec *wire.Value
	// version is spec.version, which v1 does not have.
	version  string
	versions []definitionVersion
	common   definitionParts
	preserve bool
}

type definitionVersion struct {
	name            string
	served, storage bool
	deprecated      bool
	warning         *wire.Value
	parts           definitionParts
	at              *wire.Value
}

// definitionParts are the parts that a definition has either once or in each
// version.
type definitionParts struct {
	schema, subresources, columns, selectable *wire.Value
}

func (d *definitionSpec) group() string { return d.spec.Get("group").StringOr("") }

// openAPI returns the schema inside a CustomResourceValidation, or nil.
func openAPI(schema *wire.Value) *wire.Value {
	if s := schema.Get("openAPIV3Schema"); !s.IsNull() {
		return s
	}
	return nil
}

// decode decodes a definition, sets its defaults, and moves equal parts of all
// versions to common. Source:
// Convert_v1_CustomResourceDefinitionSpec_To_apiextensions….
func (c *definitionValidator) decode(obj *wire.Value) *definitionSpec {
	spec := obj.Get("spec")
	d := &definitionSpec{obj: obj, spec: spec, version: "", preserve: spec.Get("preserveUnknownFields").IsTrue()}
	for _, at := range spec.Get("versions").Elements() {
		d.versions = append(d.versions, definitionVersion{
			name: at.Get("name").StringOr(""), served: at.Get("served").IsTrue(), storage: at.Get("storage").IsTrue(),
			deprecated: at.Get("deprecated").IsTrue(), warning: present(at.Get("deprecationWarning")), at: at,
			parts: definitionParts{
				present(at.Get("schema")), present(at.Get("subresources")),
				filled(at.Get("additionalPrinterColumns")), filled(at.Get("selectableFields")),
			},
		})
	}
	if c.beta {
		d.preserve = d.preserve || spec.Get("preserveUnknownFields").IsNull()
		d.common = definitionParts{
			present(spec.Get("validation")), present(spec.Get("subresources")), filled(spec.Get("additionalPrinterColumns")), nil,
		}
		d.version = spec.Get("version").StringOr("")
		if len(d.versions) == 0 && d.version != "" {
			d.versions = []definitionVersion{{name: d.version, served: true, storage: true, at: spec}}
		}
		if d.version == "" && len(d.versions) > 0 {
			d.version = d.versions[0].name
		}
		return d
	}
	if len(d.versions) == 0 {
		return d
	}
	d.version = d.versions[0].name
	for _, part := range []func(*definitionParts) **wire.Value{
		func(p *definitionParts) **wire.Value { return &p.schema },
		func(p *definitionParts) **wire.Value { return &p.subresources },
		func(p *definitionParts) **wire.Value { return &p.columns },
		func(p *definitionParts) **wire.Value { return &p.selectable },
	} {
		first, same := *part(&d.versions[0].parts), true
		for i := range d.versions {
			same = same && samePart(*part(&d.versions[i].parts), first)
		}
		if !same {
			continue
		}
		*part(&d.common) = first
		for i := range d.versions {
			*part(&d.versions[i].parts) = nil
		}
	}
	return d
}

// samePart reports whether two parts of versions are equal after decoding. Null,
// empty and false equal an absent value.
func samePart(a, b *wire.Value) bool {
	if a == nil || b == nil || a.Kind != wire.Map || b.Kind != wire.Map {
		return equal(a, b)
	}
	return equal(a, b) || equal(withoutZeros(a), withoutZeros(b))
}

// withoutZeros returns v without fields that have zero values. It keeps fields
// with arbitrary values, such as default, and fields in which false differs from
// absent.
func withoutZeros(v *wire.Value) *wire.Value {
	if v == nil || v.Kind != wire.Map && v.Kind != wire.List {
		return v
	}
	clone := &wire.Value{Kind: v.Kind}
	for i := range v.Fields {
		f := v.Fields[i]
		switch f.Name {
		case "default", "example", "enum":
		case "properties":
			if f.Value != nil && len(f.Value.Fields) == 0 {
				continue
			}
			named := &wire.Value{Kind: wire.Map}
			for _, p := range f.Value.Fields {
				named.Fields = append(named.Fields, wire.Field{Name: p.Name, Value: withoutZeros(p.Value)})
			}
			f.Value = named
		case "additionalProperties", "x-kubernetes-preserve-unknown-fields", "status", "scale", "not", "items", "openAPIV3Schema":
			f.Value = withoutZeros(f.Value)
		default:
			if !isSet(f.Value) || (f.Value.Kind == wire.Map || f.Value.Kind == wire.List) && len(f.Value.Fields)+len(f.Value.Items) == 0 {
				continue
			}
			f.Value = withoutZeros(f.Value)
		}
		if !f.Value.IsNull() {
			clone.Fields = append(clone.Fields, f)
		}
	}
	for _, item := range v.Items {
		clone.Items = append(clone.Items, withoutZeros(item))
	}
	return clone
}

// present returns v, or nil if v is null.
func present(v *wire.Value) *wire.Value {
	if v.IsNull() {
		return nil
	}
	return v
}

func filled(v *wire.Value) *wire.Value {
	if len(v.Elements()) == 0 {
		return nil
	}
	return v
}

// schemas returns all root schemas of a definition. Items are nil for versions
// without a schema.
func (d *definitionSpec) schemas() []*wire.Value {
	list := []*wire.Value{openAPI(d.common.schema)}
	for i := range d.versions {
		list = append(list, openAPI(d.versions[i].parts.schema))
	}
	return list
}

// perVersion reports whether any version has the part that the function part
// returns.
func (d *definitionSpec) perVersion(part func(*definitionParts) *wire.Value) bool {
	for i := range d.versions {
		if part(&d.versions[i].parts) != nil {
			return true
		}
	}
	return false
}

// identical reports whether all versions have the same value for the part that
// the function part returns. An absent part counts as different.
func (d *definitionSpec) identical(part func(*definitionParts) *wire.Value) bool {
	for i := range d.versions {
		if p := part(&d.versions[i].parts); p == nil || !equal(p, part(&d.versions[0].parts)) {
			return false
		}
	}
	return len(d.versions) > 0
}

func schemaPart(p *definitionParts) *wire.Value       { return p.schema }
func subresourcesPart(p *definitionParts) *wire.Value { return p.subresources }
func columnsPart(p *definitionParts) *wire.Value      { return p.columns }

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
	c.schemasThere(d)
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
	perVersion := d.perVersion(subresourcesPart)
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
	c.exclusive(d)
	if !unique {
		c.dumped("spec.versions", d, "must contain unique version names")
	}
	if storage != 1 {
		c.dumped("spec.versions", d, "must have exactly one version marked as storage version")
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
	c.schema("spec.validation", d.common.schema, d.anyStatus(), c.sameSchema(d.version, d.common.schema))
	c.subresources("spec.subresources", d.common.subresources)
	c.columns("spec.additionalPrinterColumns", d.common.columns)
	if c.minor >= 30 && d.common.selectable != nil {
		c.selectable("spec.selectableFields", d.common.selectable, d.common.schema, "may only be set when validations.schema is included")
	}
	c.conversion(d)
}

func orElse(v, other *wire.Value) *wire.Value {
	if v == nil {
		return other
	}
	return v
}

// schemasThere checks that each version has a schema.
func (c *definitionValidator) schemasThere(d *definitionSpec) {
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

// exclusive checks the parts that may be set once or in each version, but not
// both.
func (c *definitionValidator) exclusive(d *definitionSpec) {
	for _, p := range []struct {
		name, in string
		part     func(*definitionParts) *wire.Value
	}{
		{"validation", "schemas", schemaPart},
		{"subresources", "subresources", subresourcesPart},
		{"additionalPrinterColumns", "additionalPrinterColumns", columnsPart},
	} {
		if p.part(&d.common) != nil && d.perVersion(p.part) {
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
		if d.identical(p.part) {
			c.dumped("spec.versions", d, "per-version "+p.text+" may not all be set to identical values (top-level "+p.once+" should be used instead)")
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

// immutable checks that an update does not change immutable fields. Source: the
// additional checks of validateCustomResourceDefinitionSpecUpdate.
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
