// Package writeoptions returns the answers of a kube-apiserver to the options of a write:
// the dry-run list, the field manager, the field validation and force.
//
// The functions follow ValidateCreateOptions, ValidateUpdateOptions, ValidatePatchOptions
// and ValidateDeleteOptions in
// k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go of version 0.37. They
// return the server's text without its beginning, which names the options:
// `PatchOptions.meta.k8s.io "" is invalid: `.
package writeoptions

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// The server's answers to options that do not fit the kind of patch.
const (
	// ApplyWithoutManager is the answer to an apply patch (YAML or CBOR) without a field
	// manager.
	ApplyWithoutManager = "fieldManager: Required value: is required for apply patch"
	// ForceWithoutApply is the answer to any other patch that sets force, even to false.
	ForceWithoutApply = "force: Forbidden: may not be specified for non-apply patch"
)

// All is the only value that servers support in a dry-run list.
const All = "All"

// ManagerLimit is the maximum length of a field manager, in bytes.
const ManagerLimit = 128

// DryRun returns the server's text about a dry-run list. It is empty if the server accepts
// the list. Servers accept duplicates.
func DryRun(elements []string) string {
	for _, e := range elements {
		if e != All {
			list, err := json.Marshal(elements)
			if err != nil { // marshaling a list of strings does not fail
				list = fmt.Append(nil, elements)
			}
			return fmt.Sprintf("dryRun: Unsupported value: %s: supported values: %q", list, All)
		}
	}
	return ""
}

// FieldManager returns the server's texts about a field manager. It returns nil if the
// server accepts the name. For the empty name, servers use the name from the user agent.
func FieldManager(name string) []string {
	var texts []string
	if len(name) > ManagerLimit {
		texts = append(texts, fmt.Sprintf("fieldManager: Too long: may not be more than %d bytes", ManagerLimit))
	}
	for i, r := range name {
		if !unicode.IsPrint(r) {
			texts = append(texts, fmt.Sprintf("fieldManager: Invalid value: %q: invalid character %#U (at position %d)", name, r, i))
		}
	}
	return texts
}

// validations has the values of field validation, in the order of the server's text.
var validations = [...]string{"", "Ignore", "Strict", "Warn"}

// FieldValidation returns the server's text about a field validation. It is empty if the
// server accepts the value.
func FieldValidation(value string) string {
	var list []string
	for _, v := range validations {
		if v == value {
			return ""
		}
		list = append(list, fmt.Sprintf("%q", v))
	}
	return fmt.Sprintf("fieldValidation: Unsupported value: %q: supported values: %s", value, strings.Join(list, ", "))
}

// Validation returns the field validation that value is if case is ignored: "Strict" for
// "strict". It is empty for other values.
func Validation(value string) string {
	for _, v := range validations {
		if v != "" && strings.EqualFold(v, value) {
			return v
		}
	}
	return ""
}
