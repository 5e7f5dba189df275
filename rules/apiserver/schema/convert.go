package schema

import (
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// rollbackAnnotation is where apps/v1 and apps/v1beta2 keep a field that
// extensions/v1beta1 had.
const rollbackAnnotation = "deprecated.deployment.rollback.to"

// conversionError is the error of making an internal object of a decoded one,
// which hides what the decoder says of dropped fields:
// Convert_v1_Deployment_To_apps_Deployment and its v1beta2 fellow
// (pkg/apis/apps/{v1,v1beta2}/conversion.go, 1.16–1.37). The other kinds'
// conversions have none that a decoded object can meet.
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
