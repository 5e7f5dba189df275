// Package asks makes questions for the server, which it does not store.
package asks

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// Kind is the kind of the question.
var Kind = "SubjectAccessReview"

// New returns a question about a user.
func New(user string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetKind(Kind)
	return u
}
