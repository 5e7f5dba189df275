package conversion

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// customResourceDefinition converts a CustomResourceDefinition of v1beta1 to v1.
// Source: k8s.io/apiextensions-apiserver
// pkg/apis/apiextensions/{v1beta1/defaults.go, v1/conversion.go} and
// validation/validation.go (0.16–0.37).
func customResourceDefinition(d *draft, _ destination) {
	spec := Fields("spec")
	if !isMap(d.value(spec)) {
		d.manual("The definition has no spec.")
		return
	}
	columns(d, spec.Field("additionalPrinterColumns"))
	versions := spec.Field("versions")
	for i := range d.length(versions) {
		columns(d, versions.Item(i).Field("additionalPrinterColumns"))
	}
	if d.length(versions) == 0 {
		d.remove(versions)
		if isEmpty(d.value(spec.Field("version"))) {
			d.manual("Write spec.versions: the definition has no version.")
			return
		}
		v := object("name", text(d.value(spec.Field("version")).Text), "served", boolean(true), "storage", boolean(true))
		d.step(Step{Op: Move, Path: spec.Field("version"), To: versions, Value: list(v)})
	}
	d.remove(spec.Field("version"))
	perVersion(d, spec.Field("subresources"), "subresources")
	perVersion(d, spec.Field("additionalPrinterColumns"), "additionalPrinterColumns")
	perVersion(d, spec.Field("validation"), "schema")
	perVersion(d, spec.Field("selectableFields"), "selectableFields")
	if isEmpty(d.value(spec.Field("scope"))) {
		d.set(spec.Field("scope"), text("Namespaced"), "")
	}
	conversionWebhook(d, spec.Field("conversion"))
	keepUnknownFields(d, spec)
}

// columns renames JSONPath of each column to jsonPath.
func columns(d *draft, p Path) {
	for i := range d.length(p) {
		d.rename(p.Item(i).Field("JSONPath"), "jsonPath")
	}
}

// perVersion moves a field that applies to all versions into each version.
func perVersion(d *draft, p Path, name string) {
	v := d.value(p)
	versions := Fields("spec", "versions")
	n := d.length(versions)
	if v.IsNull() || n == 0 {
		d.remove(p)
		return
	}
	for i := range n {
		to := versions.Item(i).Field(name)
		// Servers prefer the field that applies to all versions.
		d.remove(to)
		if i < n-1 {
			d.step(Step{Op: Copy, Path: p, To: to})
		} else {
			d.step(Step{Op: Move, Path: p, To: to})
		}
	}
}

// conversionWebhook moves the fields about the webhook into
// spec.conversion.webhook.
func conversionWebhook(d *draft, p Path) {
	if !isMap(d.value(p)) {
		return
	}
	client, reviews := p.Field("webhookClientConfig"), p.Field("conversionReviewVersions")
	d.move(client, p.Field("webhook", "clientConfig"))
	switch {
	case d.length(reviews) > 0:
		d.move(reviews, p.Field("webhook", "conversionReviewVersions"))
		return
	case d.value(p.Field("strategy")).StringOr("") == "Webhook":
		d.set(p.Field("webhook", "conversionReviewVersions"), list(text("v1beta1")), "")
	}
	d.remove(reviews)
}

const preserve = "x-kubernetes-preserve-unknown-fields"

// keepUnknownFields replaces preserveUnknownFields: true by markers in the
// schemas. In v1beta1 true is the default, and v1 refuses true.
func keepUnknownFields(d *draft, spec Path) {
	kept := d.value(spec.Field("preserveUnknownFields"))
	keeps := kept.IsNull() || kept.Text != "false"
	versions := spec.Field("versions")
	var bare []string
	for _, at := range d.objects(versions) {
		schema := at.Field("schema", "openAPIV3Schema")
		if !isMap(d.value(schema)) {
			if !keeps {
				d.manual("Write a schema for version %s: v1 wants one for each, and with preserveUnknownFields false an empty one keeps nothing.", d.value(at.Field("name")).StringOr(""))
				continue
			}
			bare = append(bare, d.value(at.Field("name")).StringOr(""))
			d.remove(schema)
			d.set(schema, object("type", text("object"), preserve, boolean(true)), "")
			continue
		}
		if d.value(schema.Field("type")) == nil {
			d.review("v1 wants each schema to say its type: %s gets type object.", schema)
			d.set(schema.Field("type"), text("object"), "properties")
		}
		if keeps {
			preserveUnknown(d, schema)
		}
	}
	if !keeps {
		return
	}
	// false must be written: the stored definition has true, and servers refuse a
	// v1 patch that does not change the field.
	d.set(spec.Field("preserveUnknownFields"), boolean(false), "")
	if len(bare) > 0 {
		d.review("Version %s has no schema and v1 wants one: what is written takes every field, as before.", strings.Join(bare, ", "))
	}
	d.review("With v1beta1 servers kept fields that the schema does not name (preserveUnknownFields true, the default); v1 refuses that, and servers drop such fields from all objects. Where the schema names no fields of an object, %s is written; see that it names all others.", preserve)
}

// preserveUnknown adds x-kubernetes-preserve-unknown-fields to the objects of a
// schema that specify no fields. Otherwise servers would drop all of their
// fields.
func preserveUnknown(d *draft, root Path) {
	var open []Path
	p := root.Field() // path of the current schema
	var walk func(v *wire.Value, depth int, names ...string)
	walk = func(v *wire.Value, depth int, names ...string) {
		if !isMap(v) || depth > 200 || len(open) > 1000 {
			return
		}
		above := len(p)
		for _, name := range names {
			p = append(p, Segment{Name: name})
		}
		properties, additional := v.Get("properties"), v.Get("additionalProperties")
		if v.Get("type").StringOr("") == "object" && v.Get(preserve) == nil && v.Get("x-kubernetes-embedded-resource") == nil &&
			(properties.IsNull() || len(properties.Fields) == 0) && additional.IsNull() {
			// Servers know the fields of an object's metadata without a schema.
			if len(p) != len(root)+2 || p.Last().Name != "metadata" {
				open = append(open, p.Field())
			}
		}
		if isMap(properties) {
			for i := range properties.Fields {
				walk(properties.Fields[i].Value, depth+1, "properties", properties.Fields[i].Name)
			}
		}
		walk(v.Get("items"), depth+1, "items")
		walk(additional, depth+1, "additionalProperties")
		p = p[:above]
	}
	walk(d.value(root), 0)
	for _, p := range open {
		d.set(p.Field(preserve), boolean(true), "")
	}
	if len(open) > 1000 {
		d.manual("The schema says nothing of more than a thousand objects; write %s where fields are to be kept.", preserve)
	}
}
