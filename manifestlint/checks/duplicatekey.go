package checks

import (
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ruleDuplicateKey is the rule for repeated keys. The linter reports it when it
// parses a document. The checks only add the server's warning to these
// findings.
const ruleDuplicateKey = "duplicatekey"

// duplicateOf returns the repeated key that a warning is about; nil for other
// warnings.
func duplicateOf(o *manifestlint.Object, m *serverMessage) *wire.Duplicate {
	if !strings.HasPrefix(m.Text, "duplicate field ") {
		return nil
	}
	return o.Duplicate(m.Field)
}
