package checks

import (
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// rulePodSecurity reports the answers of Pod Security Admission.
const rulePodSecurity = "podsecurity"

// podSecurityPrefix begins the labels that Pod Security Admission reads.
const podSecurityPrefix = "pod-security.kubernetes.io/"

// isPodSecurityError reports whether Pod Security Admission sent an error: it
// forbids a pod, or it refuses a label of a Namespace.
func isPodSecurityError(c *apiserver.Cause) bool {
	return c.Code == http.StatusForbidden || strings.HasPrefix(c.Field, "metadata.labels["+podSecurityPrefix)
}
