package expression

import (
	"fmt"

	"github.com/google/cel-go/cel"
)

// wrongType returns the server's error for an expression whose type is not
// allowed. got is the type of the expression. Source: CompileCELExpression in
// k8s.io/apiserver/pkg/admission/plugin/cel/compile.go (1.26–1.37).
func wrongType(got *cel.Type, allowed []*cel.Type) string {
	if len(allowed) == 1 {
		return fmt.Sprintf("must evaluate to %v but got %v", allowed[0], got)
	}
	return fmt.Sprintf("must evaluate to one of %v but got %v", allowed, got)
}
