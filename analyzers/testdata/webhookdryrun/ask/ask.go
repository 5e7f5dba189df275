// Package ask has functions that handlers of other packages call.
package ask

import admissionv1 "k8s.io/api/admission/v1"

// Skip reports whether nothing may be written for a request.
func Skip(req *admissionv1.AdmissionRequest) bool { // want Skip:"asksDryRun"
	return req.Namespace == "kube-system" || req.DryRun != nil && *req.DryRun
}

// Known reports whether a request is for a known kind.
func Known(req *admissionv1.AdmissionRequest) bool { return req.Kind.Kind == "Pod" }
