package contention

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// ownedFields returns the paths in a set of managed fields (the key fieldsV1),
// sorted. It returns nil if raw is not such a set.
func ownedFields(raw []byte) []string {
	var set fieldpath.Set
	if set.FromJSON(bytes.NewReader(raw)) != nil {
		return nil
	}
	var out []string
	set.Leaves().Iterate(func(p fieldpath.Path) {
		out = append(out, ownedPath(p))
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// ownedPath returns the text of a path.
func ownedPath(p fieldpath.Path) string {
	var b strings.Builder
	for _, e := range p {
		switch {
		case e.FieldName != nil:
			writeKey(&b, *e.FieldName)
		case e.Key != nil:
			b.WriteString("[" + clip(keyText(*e.Key)) + "]")
		case e.Value != nil:
			text, _ := json.Marshal((*e.Value).Unstructured())
			b.WriteString("[" + clip(string(text)) + "]")
		case e.Index != nil:
			b.WriteString("[" + strconv.Itoa(*e.Index) + "]")
		}
	}
	return b.String()
}

// keyText returns the text of the key of a list element, such as
// "containerPort=80,protocol=TCP".
func keyText(key value.FieldList) string {
	parts := make([]string, len(key))
	for i, f := range key {
		text, _ := json.Marshal(f.Value.Unstructured())
		parts[i] = f.Name + "=" + strings.Trim(string(text), `"`)
	}
	return strings.Join(parts, ",")
}
