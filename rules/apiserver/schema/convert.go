package schema

import (
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// rollbackAnnotation is the annotation for rollbackTo, a field that only
// extensions/v1beta1 has.
const rollbackAnnotation = "deprecated.deployment.rollback.to"

// conversionError returns the error of converting a decoded object to the
// server's internal version, and the value with the mistake. The server then
// sends no warnings about dropped fields. Only this conversion can fail. Source:
// Convert_v1_Deployment_To_apps_Deployment and the same function for v1beta2
// (pkg/apis/apps/{v1,v1beta2}/conversion.go, 1.16–1.37).
func conversionError(r apiserver.Request) (text string, at *wire.Value) {
	if r.Kind != "Deployment" || r.APIVersion != "apps/v1" && r.APIVersion != "apps/v1beta2" {
		return "", nil
	}
	at = r.New.At("metadata", "annotations", rollbackAnnotation)
	revision := at.StringOr("")
	if revision == "" {
		return "", nil
	}
	if _, err := strconv.ParseInt(revision, 10, 64); err != nil {
		return "failed to parse annotation[" + rollbackAnnotation + "]=" + revision + " as int64: " + err.Error(), at
	}
	return "", nil
}
