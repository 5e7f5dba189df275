// Package writeoptions says what a kube-apiserver answers to the options of a
// write: the dry-run list, the field manager, the field validation and force.
//
// The functions re-state ValidateCreateOptions, ValidateUpdateOptions,
// ValidatePatchOptions and ValidateDeleteOptions of
// k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go, as of 0.37.
// The texts are the server's own, without the name of the options in front
// (`PatchOptions.meta.k8s.io "" is invalid: `).
package writeoptions

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// The server's answers to options that do not fit the kind of patch.
const (
	// ApplyWithoutManager is the answer to an apply patch, YAML or CBOR,
	// whose field manager is empty.
	ApplyWithoutManager = "fieldManager: Required value: is required for apply patch"
	// ForceWithoutApply is the answer to any other patch with force, even
	// where force is false.
	ForceWithoutApply = "force: Forbidden: may not be specified for non-apply patch"
)

// All is the only value of a dry-run list that servers support.
const All = "All"

// ManagerLimit is the maximum length of a field manager, in bytes.
const ManagerLimit = 128

// DryRun returns the server's text about a dry-run list as it is sent; empty if the
// list is accepted. Duplicates are accepted.
func DryRun(elements []string) string {
	for _, e := range elements {
		if e != All {
			list, err := json.Marshal(elements)
			if err != nil { // a list of strings has no error
				list = fmt.Append(nil, elements)
			}
			return fmt.Sprintf("dryRun: Unsupported value: %s: supported values: %q", list, All)
		}
	}
	return ""
}

// FieldManager returns the server's texts about the name of a field manager.
// The empty name is accepted: the server takes the user agent's.
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

// validations are the values of field validation, in the order of the
// server's text.
var validations = [...]string{"", "Ignore", "Strict", "Warn"}

// FieldValidation returns the server's text about a field validation; empty if it is
// accepted.
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

// Validation returns the field validation that a wrong spelling such as "strict" means;
// empty if there is none.
func Validation(value string) string {
	for _, v := range validations {
		if v != "" && strings.EqualFold(v, value) {
			return v
		}
	}
	return ""
}
