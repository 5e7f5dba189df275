package validation

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// storageClass checks a StorageClass. Source: ValidateStorageClass in
// pkg/apis/storage/validation.
func (v *validator) storageClass(obj node) {
	v.metadata(obj, false, subdomainErrors)
	provisioner, parameters := obj.get("provisioner"), obj.get("parameters")
	if provisioner.text() == "" {
		v.declaredSince(37, func() { v.required(provisioner, "") })
	} else {
		lower := strings.ToLower(provisioner.text())
		v.labelName(provisioner, lower)
	}
	v.classSettings(parameters)
	if policy := obj.get("reclaimPolicy"); policy.text() != "" {
		v.enum(policy, policy.text(), "Delete", "Retain")
	}
	if mode := obj.get("volumeBindingMode"); mode.isSet() {
		v.enum(mode, mode.text(), "Immediate", "WaitForFirstConsumer")
	}
	v.topologies(obj.get("allowedTopologies"))
	if v.req.Old != nil {
		v.immutableStorageClass(obj)
	}
}

// classSettings checks the parameters of a storage class. Source:
// validateParameters.
func (v *validator) classSettings(parameters node) {
	if parameters.length() > 512 {
		v.tooLong(parameters, 512)
		return
	}
	size := 0
	for k, value := range parameters.entries {
		if k == "" {
			v.invalid(value.withPath(parameters.p), `""`, "field can not be empty.")
		}
		size += len(k) + len(value.text())
	}
	if size > 256<<10 {
		v.tooLong(parameters, 256<<10)
	}
}

// topologies checks the allowed topologies of a StorageClass. As on the server, a
// term without requirements is always a duplicate. Source:
// validateAllowedTopologies.
func (v *validator) topologies(list node) {
	terms := newNames(list.length())
	terms.add("")
	for _, t := range list.items {
		expressions := t.get("matchLabelExpressions")
		seen := newNames(expressions.length())
		sets := map[string]string{}
		for _, r := range expressions.items {
			values, key := r.get("values"), r.get("key")
			if values.length() == 0 {
				v.required(values, "")
			}
			known := newNames(values.length())
			for _, value := range values.items {
				if !known.add(value.text()) {
					v.duplicate(value, strconv.Quote(value.text()))
				}
			}
			v.labelName(key, key.text())
			if !seen.add(key.text()) {
				v.duplicate(key, strconv.Quote(key.text()))
			}
			sets[key.text()] = strings.Join(slices.Compact(slices.Sorted(slices.Values(values.texts()))), "\x00")
		}
		var whole strings.Builder
		for _, key := range slices.Sorted(maps.Keys(sets)) {
			whole.WriteString(strconv.Quote(key) + strconv.Quote(sets[key]))
		}
		if !terms.add(whole.String()) {
			v.duplicate(expressions, `""`)
		}
	}
}

// immutableStorageClass checks that an update does not change immutable fields.
// Source: ValidateStorageClassUpdate.
func (v *validator) immutableStorageClass(obj node) {
	old := root(v.req.Old)
	parameters := obj.get("parameters")
	fields := []struct{ name, or string }{{"provisioner", ""}, {"parameters", ""}, {"reclaimPolicy", "Delete"}, {"volumeBindingMode", "Immediate"}}
	if v.minor < 37 {
		fields[0], fields[1] = fields[1], fields[0]
	}
	for _, f := range fields {
		n, value := obj.get(f.name), obj.strOr(f.name, f.or)
		changed := value != old.strOr(f.name, f.or)
		if f.name == "parameters" {
			changed = !same(parameters.v, old.v.Get("parameters"))
		}
		switch {
		case !changed:
		case v.minor < 36 && f.name != "volumeBindingMode":
			v.forbidden(n, "updates to "+f.name+" are forbidden.")
		case v.minor == 36 && f.name == "parameters":
			v.invalid(n, v.stringMap(parameters), "field is immutable")
		default:
			v.immutableString(n, value)
		}
	}
}
