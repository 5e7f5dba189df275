package customresource

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// names checks spec.names. A missing name gets its default from the kind.
func (c *definitionValidator) names(d *definitionSpec) {
	const path = "spec.names"
	names := d.spec.Get("names")
	owner := orElse(names, d.spec)
	kind := names.Get("kind").StringOr("")
	plural, singular, listKind := names.Get("plural").StringOr(""), names.Get("singular").StringOr(""), names.Get("listKind").StringOr("")
	if singular == "" {
		singular = strings.ToLower(kind)
	}
	if listKind == "" && kind != "" {
		listKind = kind + "List"
	}
	for _, n := range [...][2]string{{"plural", plural}, {"singular", singular}, {"kind", kind}, {"listKind", listKind}} {
		if n[1] == "" {
			c.required(path+"."+n[0], "", owner)
		}
	}
	at := func(name string) *wire.Value { return orElse(names.Get(name), owner) }
	label := func(field, text, prefix string, at *wire.Value) {
		compared := text
		if prefix != "" {
			compared = strings.ToLower(text)
		}
		if messages := validation.DNS1035Label(c.minor, compared); text != "" && len(messages) > 0 {
			c.invalid(path+"."+field, text, prefix+strings.Join(messages, ","), at)
		}
	}
	const mixed = "may have mixed case, but should otherwise match: "
	label("plural", plural, "", at("plural"))
	label("singular", singular, "", at("singular"))
	label("kind", kind, mixed, at("kind"))
	label("listKind", listKind, mixed, at("listKind"))
	c.nameList(path+".shortNames", names.Get("shortNames"))
	if kind != "" && kind == listKind {
		c.invalid(path+".listKind", listKind, "kind and listKind may not be the same", at("listKind"))
	}
	c.nameList(path+".categories", names.Get("categories"))
}

func (c *definitionValidator) nameList(path string, list *wire.Value) {
	for i, item := range list.Elements() {
		if messages := validation.DNS1035Label(c.minor, item.StringOr("")); len(messages) > 0 {
			c.invalid(fmt.Sprintf("%s[%d]", path, i), item.StringOr(""), strings.Join(messages, ","), item)
		}
	}
}

// columns checks additionalPrinterColumns. Source:
// ValidateCustomResourceColumnDefinition.
func (c *definitionValidator) columns(path string, columns *wire.Value) {
	types := []string{"boolean", "date", "integer", "number", "string"}
	formats := []string{"byte", "date", "date-time", "double", "float", "int32", "int64", "password"}
	for i, column := range columns.Elements() {
		path := fmt.Sprintf("%s[%d]", path, i)
		if column.Get("name").StringOr("") == "" {
			c.required(path+".name", "", column)
		}
		if typ := column.Get("type"); typ.StringOr("") == "" {
			c.required(path+".type", "must be one of "+strings.Join(types, ","), column)
		} else if !slices.Contains(types, typ.Text) {
			c.invalid(path+".type", typ.Text, "must be one of "+strings.Join(types, ","), typ)
		}
		if format := column.Get("format"); format.StringOr("") != "" && !slices.Contains(formats, format.Text) {
			c.invalid(path+".format", format.Text, "must be one of "+strings.Join(formats, ","), format)
		}
		name := "jsonPath"
		if c.beta {
			name = "JSONPath"
		}
		if jsonPath := column.Get(name); jsonPath.StringOr("") == "" {
			c.required(path+".JSONPath", "", column)
		} else {
			c.simplePath(path+".JSONPath", jsonPath)
		}
	}
}

// simplePath checks that a JSON path begins with a dot. Source:
// validateSimpleJSONPath.
func (c *definitionValidator) simplePath(path string, v *wire.Value) (ok bool) {
	if v.Text[0] != '.' {
		c.invalid(path, v.Text, "must be a simple json path starting with .", v)
		return false
	}
	return true
}

// subresources checks the subresources status and scale. Source:
// ValidateCustomResourceDefinitionSubresources.
func (c *definitionValidator) subresources(path string, v *wire.Value) {
	scale := v.Get("scale")
	if scale.IsNull() {
		return
	}
	for _, p := range [...]struct {
		name, parent string
	}{{"specReplicasPath", ".spec"}, {"statusReplicasPath", ".status"}} {
		path := path + ".scale." + p.name
		if v := scale.Get(p.name); v.StringOr("") == "" {
			c.required(path, "", scale)
		} else if c.simplePath(path, v) && !strings.HasPrefix(v.Text, p.parent+".") {
			c.invalid(path, v.Text, "should be a json path under "+p.parent, v)
		}
	}
	path += ".scale.labelSelectorPath"
	if v := scale.Get("labelSelectorPath"); v.StringOr("") != "" && c.simplePath(path, v) &&
		!strings.HasPrefix(v.Text, ".spec.") && !strings.HasPrefix(v.Text, ".status.") {
		c.add(path, "Invalid value: "+c.stringPointer(v.Text)+": should be a json path under either .spec or .status", v)
	}
}

// selectableFields checks selectableFields. Source: the part of
// ValidateCustomResourceSelectableFields that does not resolve field paths.
func (c *definitionValidator) selectableFields(path string, list, schema *wire.Value, detail string) {
	if schema == nil || openAPI(schema) == nil && strings.HasPrefix(path, "spec.versions") {
		if c.minor < 34 {
			detail = "selectableFields " + detail
		}
		c.invalid(path, "", detail, list)
		return
	}
	for i, item := range list.Elements() {
		if item.Get("jsonPath").StringOr("") == "" {
			c.required(path+"["+strconv.Itoa(i)+"].jsonPath", "", item)
		}
	}
}

// conversion checks spec.conversion. Source: validateCustomResourceConversion.
func (c *definitionValidator) conversion(d *definitionSpec) {
	const path = "spec.conversion"
	v := d.spec.Get("conversion")
	if v.IsNull() {
		return // the strategy defaults to None
	}
	strategy := v.Get("strategy")
	if strategy.StringOr("") != "None" && d.preserve {
		c.invalid(path+".strategy", strategy.StringOr(""), "must be None if spec.preserveUnknownFields is true", orElse(strategy, v))
	}
	c.enum(path+".strategy", strategy, v, "None", "Webhook")
	client, versions := v.At("webhook", "clientConfig"), v.At("webhook", "conversionReviewVersions")
	if c.beta {
		client, versions = v.Get("webhookClientConfig"), v.Get("conversionReviewVersions")
		if versions.IsNull() && strategy.StringOr("") == "Webhook" {
			versions = &wire.Value{Kind: wire.List, Items: []*wire.Value{{Kind: wire.String, Text: "v1beta1"}}, Pos: v.Pos, End: v.End}
		}
	}
	if strategy.StringOr("") != "Webhook" {
		if !client.IsNull() {
			c.forbidden(path+".webhookClientConfig", "should not be set when strategy is not set to Webhook", client)
		}
		if len(versions.Elements()) > 0 {
			c.forbidden(path+".conversionReviewVersions", "should not be set when strategy is not set to Webhook", versions)
		}
		return
	}
	if client.IsNull() {
		c.required(path+".webhookClientConfig", "required when strategy is set to Webhook", v)
	} else {
		c.webhookClient(path+".webhookClientConfig", client)
	}
	c.reviewVersions(path+".conversionReviewVersions", versions, v)
}

func (c *definitionValidator) reviewVersions(path string, versions, owner *wire.Value) {
	list := stringsOf(orElse(versions, &wire.Value{}))
	if len(list) == 0 {
		c.required(path, "", owner)
		return
	}
	seen := map[string]bool{}
	accepted := false
	for i, name := range list {
		path := fmt.Sprintf("%s[%d]", path, i)
		if seen[name] {
			c.invalid(path, name, "duplicate version", versions)
			continue
		}
		seen[name] = true
		for _, message := range validation.DNS1035Label(c.minor, name) {
			c.invalid(path, name, message, versions)
		}
		accepted = accepted || name == "v1beta1" || name == "v1" && c.minor >= 17
	}
	if c.requireReviewVersion && !accepted {
		known := "v1, v1beta1"
		if c.minor < 17 {
			known = "v1beta1"
		}
		c.addWithValue(errInvalid, path, list, "must include at least one of "+known, versions)
	}
}

// webhookClient checks the client of a conversion webhook. The text about a
// missing namespace says name, because upstream swaps two arguments. Source:
// ValidateWebhookURL and ValidateWebhookService in
// apiserver/pkg/util/webhook/validation.go.
func (c *definitionValidator) webhookClient(path string, client *wire.Value) {
	address, service := client.Get("url"), client.Get("service")
	switch {
	case address.IsNull() == service.IsNull():
		c.required(path, "exactly one of url or service is required", client)
	case !address.IsNull():
		c.webhookURL(path+".url", address)
	default:
		c.webhookService(path+".service", service)
	}
}

func (c *definitionValidator) webhookURL(path string, v *wire.Value) {
	const form = "; desired format: https://host[/path]"
	u, err := url.Parse(v.StringOr(""))
	if err != nil {
		c.required(path, "url must be a valid URL: "+err.Error()+form, v)
		return
	}
	if u.Scheme != "https" {
		c.invalid(path, u.Scheme, "'https' is the only allowed URL scheme"+form, v)
	}
	if u.Host == "" {
		detail := "host must be specified"
		if c.minor < hostSpecified {
			detail = "host must be provided"
		}
		c.invalid(path, u.Host, detail+form, v)
	}
	if u.User != nil {
		c.invalid(path, u.User.String(), "user information is not permitted in the URL", v)
	}
	if u.Fragment != "" {
		c.invalid(path, u.Fragment, "fragments are not permitted in the URL", v)
	}
	if u.RawQuery != "" {
		c.invalid(path, u.RawQuery, "query parameters are not permitted in the URL", v)
	}
}

// hostSpecified is the first minor whose error about a missing host ends with
// "specified" instead of "provided".
const hostSpecified = 26

func (c *definitionValidator) webhookService(path string, v *wire.Value) {
	required := func(field, detail string) {
		if c.minor >= 34 {
			detail = ""
		}
		c.required(path+"."+field, detail, v)
	}
	if v.Get("namespace").StringOr("") == "" {
		required("name", "service name is required")
	}
	if v.Get("name").StringOr("") == "" {
		required("namespace", "service namespace is required")
	}
	if port := v.Get("port"); !port.IsNull() {
		if n, ok := number(port.Text).(int64); ok && (n < 1 || n > 65535) {
			c.invalid(path+".port", n, "port is not valid: must be between 1 and 65535, inclusive", port)
		}
	}
	p := v.Get("path")
	text := p.StringOr("")
	if text == "" || text == "/" {
		return
	}
	path += ".path"
	if text == "//" {
		c.invalid(path, text, "segment[0] may not be empty", p)
		return
	}
	if text[0] != '/' {
		c.invalid(path, text, "must start with a '/'", p)
	}
	for i, step := range strings.Split(strings.TrimSuffix(text[1:], "/"), "/") {
		if step == "" {
			c.invalid(path, text, fmt.Sprintf("segment[%d] may not be empty", i), p)
			continue
		}
		for _, message := range validation.DNSSubdomain(c.minor, step) {
			c.invalid(path, text, fmt.Sprintf("segment[%d]: %s", i, message), p)
		}
	}
}
