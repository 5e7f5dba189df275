package checks

import (
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// rulePodSecurity is the rule for the messages of Pod Security Admission.
const rulePodSecurity = "podsecurity"

// podSecurityPrefix begins the labels that Pod Security Admission reads.
const podSecurityPrefix = "pod-security.kubernetes.io/"

// isPodSecurityError reports whether an error comes from Pod Security
// Admission, which can forbid a pod or refuse a label of a Namespace.
func isPodSecurityError(c *apiserver.Cause) bool {
	return c.Code == http.StatusForbidden || strings.HasPrefix(c.Field, "metadata.labels["+podSecurityPrefix)
}
