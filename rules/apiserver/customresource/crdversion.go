package customresource

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// version checks one version of a definition. Source:
// validateCustomResourceDefinitionVersion.
func (c *definitionValidator) version(path string, v *definitionVersion, subresources *wire.Value) {
	if c.minor >= 19 && v.warning != nil {
		for _, message := range DeprecationWarningErrors(v.deprecated, v.warning.StringOr("")) {
			text := "Invalid value: " + c.stringPointer(v.warning.StringOr("")) + ": " + message
			c.add(path+".deprecationWarning", text, v.warning)
		}
	}
	c.schema(path+".schema", v.parts.schema, !subresources.Get("status").IsNull(), c.sameSchema(v.name, v.parts.schema))
	c.subresources(path+".subresources", v.parts.subresources)
	c.columns(path+".additionalPrinterColumns", v.parts.columns)
	if c.minor >= 30 && v.parts.selectable != nil {
		detail := "may only be set when `version.schema.openAPIV3Schema` is not included"
		if c.minor < 34 {
			detail = "may only be set when version.schema.openAPIV3Schema is not included"
		}
		c.selectableFields(path+".selectableFields", v.parts.selectable, v.parts.schema, detail)
	}
}

// stringPointer formats a *string as the server's error does.
func (c *definitionValidator) stringPointer(text string) string {
	if c.minor >= 34 {
		return jsonText(text)
	}
	return strconv.Quote(text)
}

// DeprecationWarningErrors returns the server's errors about a version's
// deprecationWarning. The server counts bytes, although its text says characters.
// Source: validateDeprecationWarning (1.19–1.37).
func DeprecationWarningErrors(deprecated bool, text string) []string {
	if !deprecated {
		return []string{"can only be set for deprecated versions"}
	}
	var messages []string
	if len(text) > 256 {
		messages = append(messages, "must be <= 256 characters long")
	}
	if text == "" {
		messages = append(messages, "must not be an empty string")
	}
	for i, r := range text {
		if !unicode.IsPrint(r) {
			messages = append(messages, fmt.Sprintf("must only contain printable UTF-8 characters; non-printable character found at index %d", i))
			break
		}
	}
	if !utf8.ValidString(text) {
		messages = append(messages, "must only contain printable UTF-8 characters")
	}
	return messages
}

// hasStatus reports whether any version has a status subresource.
func (d *definitionSpec) hasStatus() bool {
	if !d.common.subresources.Get("status").IsNull() {
		return true
	}
	return slices.ContainsFunc(d.versions, func(v definitionVersion) bool { return !v.parts.subresources.Get("status").IsNull() })
}

// storedVersions checks status.storedVersions, which lists the versions that were
// ever stored. The server first adds the storage version (PrepareForCreate and
// PrepareForUpdate). Source: ValidateCustomResourceDefinitionStoredVersions.
func (c *definitionValidator) storedVersions(d, old *definitionSpec) {
	var stored []string
	if old != nil {
		stored = stringsOf(orElse(old.obj.At("status", "storedVersions"), &wire.Value{}))
		if len(stored) == 0 {
			stored = old.withStorageVersion(nil)
		}
	}
	stored = d.withStorageVersion(stored)
	const path = "status.storedVersions"
	at := orElse(d.spec.Get("versions"), d.spec)
	if len(stored) == 0 {
		text := "[]string(nil)"
		if c.minor >= 34 {
			text = "null"
		}
		c.add(path, "Invalid value: "+text+": must have at least one stored version", at)
		return
	}
	storedIndex := map[string]int{}
	for i, name := range stored {
		storedIndex[name] = i
	}
	for i := range d.versions {
		v := &d.versions[i]
		_, ok := storedIndex[v.name]
		if v.storage && !ok {
			if detail := "must have the storage version " + v.name; c.minor >= 28 {
				c.addWithValue(errInvalid, path, stored, detail, v.at)
			} else {
				text, exact := c.dumpVersion(v)
				c.add(path, "Invalid value: "+text+": "+detail, v.at)
				c.causes[len(c.causes)-1].Inexact = !exact
			}
		}
		delete(storedIndex, v.name)
	}
	for i, name := range stored {
		if n, ok := storedIndex[name]; !ok || n != i {
			continue
		}
		detail := "must appear in spec.versions"
		if c.minor >= 33 {
			detail = fmt.Sprintf("missing from spec.versions; %[1]s was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in %[1]s and removes %[1]s from status.storedVersions", name)
		}
		c.invalid(fmt.Sprintf("%s[%d]", path, i), name, detail, at)
	}
}

// withStorageVersion returns stored followed by the name of the first storage
// version of d, unless stored already has the name.
func (d *definitionSpec) withStorageVersion(stored []string) []string {
	for i := range d.versions {
		if v := &d.versions[i]; v.storage {
			if !slices.Contains(stored, v.name) {
				stored = append(stored, v.name)
			}
			break
		}
	}
	return stored
}

// quoteVersions adds an error that quotes the whole list of versions. The text is
// exact only if no version has parts of its own, such as a schema. The server
// prints parts with memory addresses or as Go values.
func (c *definitionValidator) quoteVersions(path string, d *definitionSpec, detail string) {
	exact := true
	texts := make([]string, len(d.versions))
	for i := range d.versions {
		text, ok := c.dumpVersion(&d.versions[i])
		texts[i], exact = text, exact && ok
	}
	text := "[" + strings.Join(texts, ",") + "]"
	if c.minor < 34 {
		text = "[]apiextensions.CustomResourceDefinitionVersion{" + strings.Join(texts, ", ") + "}"
	}
	if len(d.versions) == 0 {
		text = "null"
		if c.minor < 34 {
			text = "[]apiextensions.CustomResourceDefinitionVersion(nil)"
			if d.spec.Get("versions") != nil {
				text = "[]apiextensions.CustomResourceDefinitionVersion{}"
			}
		} else if d.spec.Get("versions") != nil {
			text = "[]"
		}
	}
	c.add(path, "Invalid value: "+text+": "+detail, orElse(d.spec.Get("versions"), d.spec))
	c.causes[len(c.causes)-1].Inexact = !exact
}

// dumpVersion formats a version as the server's error does. exact is set if the
// text is the server's.
func (c *definitionValidator) dumpVersion(v *definitionVersion) (text string, exact bool) {
	p := &v.parts
	exact = p.schema == nil && p.subresources == nil && p.columns == nil && p.selectable == nil
	var b strings.Builder
	if c.minor >= 34 {
		warning := "null"
		if v.warning != nil {
			warning = jsonText(v.warning.StringOr(""))
		}
		part := func(p *wire.Value) string {
			if p == nil {
				return "null"
			}
			return `"…"`
		}
		fmt.Fprintf(&b, `{"Name":%s,"Served":%t,"Storage":%t,"Deprecated":%t,"DeprecationWarning":%s,"Schema":%s,"Subresources":%s,"AdditionalPrinterColumns":%s,"SelectableFields":%s}`,
			jsonText(v.name), v.served, v.storage, v.deprecated, warning, part(p.schema), part(p.subresources), part(p.columns), part(p.selectable))
		return b.String(), exact
	}
	pointer := func(typ string, v *wire.Value) string {
		if v == nil {
			return "(*" + typ + ")(nil)"
		}
		return "(*" + typ + ")(0x0)"
	}
	slice := func(typ string, v *wire.Value) string {
		if v == nil {
			return "[]" + typ + "(nil)"
		}
		return "[]" + typ + "{…}"
	}
	fmt.Fprintf(&b, "apiextensions.CustomResourceDefinitionVersion{Name:%q, Served:%t, Storage:%t, ", v.name, v.served, v.storage)
	if c.minor >= 19 {
		fmt.Fprintf(&b, "Deprecated:%t, DeprecationWarning:%s, ", v.deprecated, pointer("string", v.warning))
		exact = exact && v.warning == nil
	}
	fmt.Fprintf(&b, "Schema:%s, Subresources:%s, AdditionalPrinterColumns:%s", pointer("apiextensions.CustomResourceValidation", p.schema),
		pointer("apiextensions.CustomResourceSubresources", p.subresources), slice("apiextensions.CustomResourceColumnDefinition", p.columns))
	if c.minor >= 30 {
		b.WriteString(", SelectableFields:" + slice("apiextensions.SelectableField", p.selectable))
	}
	b.WriteByte('}')
	return b.String(), exact
}
