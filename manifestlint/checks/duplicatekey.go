package checks

import (
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ruleDuplicateKey is reported by the linter when it parses a document. The
// checks only add the server's warning to its findings.
const ruleDuplicateKey = "duplicatekey"

// duplicateOf returns the repeated key that a warning is about, or nil.
func duplicateOf(o *manifestlint.Object, m *serverMessage) *wire.Duplicate {
	if !strings.HasPrefix(m.Text, "duplicate field ") {
		return nil
	}
	return o.Duplicate(m.Field)
}
