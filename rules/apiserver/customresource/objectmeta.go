package customresource

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// metaDecoder checks the types of metadata as if it decoded them into an
// ObjectMeta. The server decodes from a Go map, so fields are in the order of
// their names. Source: GetObjectMetaWithOptions in
// apiextensions-apiserver/pkg/apiserver/schema/objectmeta, which uses
// sigs.k8s.io/json.
type metaDecoder struct {
	prefix    string
	unknown   []unknownField
	typeError string // the error about the first value of a wrong type
	savedAt   *wire.Value
	ended     bool // whether decoding has ended
}

// decodeMeta returns the fields that ObjectMeta does not have. problem is the
// server's error about a value of a wrong type, or "".
func decodeMeta(meta *wire.Value, prefix string) (unknown []unknownField, problem string, at *wire.Value) {
	if meta.IsNull() {
		return nil, "", nil
	}
	d := metaDecoder{prefix: prefix}
	if meta.Kind != wire.Map {
		d.mismatch(meta, "", "", "v1.ObjectMeta")
		return nil, d.typeError, d.savedAt
	}
	for _, i := range sortedFields(meta) {
		if f := &meta.Fields[i]; !d.ended {
			d.field(f.Name, f.Value)
		}
	}
	if d.typeError != "" {
		return nil, d.typeError, d.savedAt
	}
	return d.unknown, "", nil
}

func sortedFields(v *wire.Value) []int {
	order := make([]int, len(v.Fields))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v.Fields[a].Name, v.Fields[b].Name) })
	return order
}

func (d *metaDecoder) drop(path string, at *wire.Value) {
	const maxStrictErrors = 100 // as in sigs.k8s.io/json
	if len(d.unknown) < maxStrictErrors {
		d.unknown = append(d.unknown, unknownField{d.prefix + "." + path, at})
	}
}

// mismatch records encoding/json's error about a value of a wrong type. Only the
// first is kept.
func (d *metaDecoder) mismatch(v *wire.Value, structure, field, typ string) {
	if d.typeError != "" {
		return
	}
	var kind string
	switch v.Kind {
	case wire.Bool:
		kind = "bool"
	case wire.Number:
		kind = "number"
		if typ == "int64" {
			kind += " " + jsonText(number(v.Text)) // the server encodes the number again: 1e1 becomes 10
		}
	case wire.String:
		kind = "string"
	case wire.Map:
		kind = "object"
	case wire.List:
		kind = "array"
	}
	where := "Go value"
	if structure != "" {
		where = "Go struct field " + structure + "." + field
	}
	d.typeError, d.savedAt = "json: cannot unmarshal "+kind+" into "+where+" of type "+typ, v
}

// text, integer and boolean check scalars. A null is allowed.
func (d *metaDecoder) text(v *wire.Value, structure, field, typ string) {
	if !v.IsNull() && v.Kind != wire.String {
		d.mismatch(v, structure, field, typ)
	}
}

func (d *metaDecoder) integer(v *wire.Value, structure, field string) {
	if v.IsNull() {
		return
	}
	if v.Kind == wire.Number {
		if _, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return
		}
	}
	d.mismatch(v, structure, field, "int64")
}

func (d *metaDecoder) boolean(v *wire.Value, structure, field string) {
	if !v.IsNull() && v.Kind != wire.Bool {
		d.mismatch(v, structure, field, "bool")
	}
}

// time checks a time. metav1.Time has its own decoder, whose error ends decoding
// and replaces an earlier error.
func (d *metaDecoder) time(v *wire.Value, structure, field string) {
	if v.IsNull() {
		return
	}
	if v.Kind != wire.String {
		d.typeError, d.ended = "", true
		d.mismatch(v, structure, field, "string")
		return
	}
	if _, err := time.Parse(time.RFC3339, v.Text); err != nil {
		d.typeError, d.savedAt, d.ended = err.Error(), v, true
	}
}

// list checks a list and calls item for each item. typ is the Go type of the
// list.
func (d *metaDecoder) list(v *wire.Value, field, typ string, item func(i int, v *wire.Value)) {
	if v.IsNull() {
		return
	}
	if v.Kind != wire.List {
		d.mismatch(v, "ObjectMeta", field, typ)
		return
	}
	for i, it := range v.Items {
		if !it.IsNull() && !d.ended {
			item(i, it)
		}
	}
}

func (d *metaDecoder) field(name string, v *wire.Value) {
	const owner = "ObjectMeta"
	switch name {
	case "name", "generateName", "namespace", "selfLink", "resourceVersion":
		d.text(v, owner, name, "string")
	case "uid":
		d.text(v, owner, name, "types.UID")
	case "generation", "deletionGracePeriodSeconds":
		d.integer(v, owner, name)
	case "creationTimestamp", "deletionTimestamp":
		d.time(v, owner, name)
	case "labels", "annotations":
		if v.IsNull() {
			return
		}
		if v.Kind != wire.Map {
			d.mismatch(v, owner, name, "map[string]string")
			return
		}
		for _, i := range sortedFields(v) {
			d.text(v.Fields[i].Value, owner, name, "string")
		}
	case "finalizers":
		d.list(v, name, "[]string", func(_ int, v *wire.Value) { d.text(v, owner, name, "string") })
	case "ownerReferences":
		d.list(v, name, "[]v1.OwnerReference", d.ownerReference)
	case "managedFields":
		d.list(v, name, "[]v1.ManagedFieldsEntry", d.managedFields)
	default:
		d.drop(name, v)
	}
}

func (d *metaDecoder) ownerReference(i int, v *wire.Value) {
	const structure, path = "OwnerReference", "ownerReferences"
	if v.Kind != wire.Map {
		d.mismatch(v, "ObjectMeta", path, "v1.OwnerReference")
		return
	}
	for _, j := range sortedFields(v) {
		f := &v.Fields[j]
		field := path + "." + f.Name
		switch f.Name {
		case "apiVersion", "kind", "name":
			d.text(f.Value, structure, field, "string")
		case "uid":
			d.text(f.Value, structure, field, "types.UID")
		case "controller", "blockOwnerDeletion":
			d.boolean(f.Value, structure, field)
		default:
			d.drop(path+"["+strconv.Itoa(i)+"]."+f.Name, f.Value)
		}
	}
}

func (d *metaDecoder) managedFields(i int, v *wire.Value) {
	const structure, path = "ManagedFieldsEntry", "managedFields"
	if v.Kind != wire.Map {
		d.mismatch(v, "ObjectMeta", path, "v1.ManagedFieldsEntry")
		return
	}
	for _, j := range sortedFields(v) {
		f := &v.Fields[j]
		field := path + "." + f.Name
		switch f.Name {
		case "manager", "apiVersion", "fieldsType", "subresource":
			d.text(f.Value, structure, field, "string")
		case "operation":
			d.text(f.Value, structure, field, "v1.ManagedFieldsOperationType")
		case "time":
			if d.time(f.Value, structure, field); d.ended {
				return
			}
		case "fieldsV1":
		default:
			d.drop(path+"["+strconv.Itoa(i)+"]."+f.Name, f.Value)
		}
	}
}

// duplicatePath returns the path of a repeated field in the form of
// sigs.k8s.io/json, where map keys look like field names.
func duplicatePath(path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	var b strings.Builder
	for path != "" {
		i := strings.IndexByte(path, '[')
		if i < 0 {
			b.WriteString(path)
			break
		}
		b.WriteString(path[:i])
		path = path[i:]
		end := strings.IndexByte(path, ']')
		if end < 0 {
			b.WriteString(path)
			break
		}
		key := path[1:end]
		if _, err := strconv.Atoi(key); err == nil {
			b.WriteString(path[:end+1])
		} else {
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(key)
		}
		path = path[end+1:]
	}
	return b.String()
}

// strictText returns the text of a strict decoding error of sigs.k8s.io/json.
func strictText(problem, path string) string { return problem + ` ` + strconv.Quote(path) }
