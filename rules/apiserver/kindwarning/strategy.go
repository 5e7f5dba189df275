package kindwarning

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/podwarning"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Strategy returns the warnings of the server's strategy for the object's kind,
// in the server's order and with repetitions. The server sends them after
// validation. If the request has an old object, the warnings are those of
// WarningsOnUpdate, otherwise those of WarningsOnCreate. The result is nil for
// kinds with pod templates, see package podwarning, and for kinds without
// warnings.
//
// The minor must serve the object's version and accept the object. The status is
// ignored, because the server drops it from requests that are not for the status
// subresource.
//
// The package comment lists the files and releases.
func Strategy(s apiserver.Server, r apiserver.Request) []apiserver.Warning {
	if s.Minor < 22 || r.New == nil || r.New.Kind != wire.Map {
		return nil
	}
	w := writer{Server: s}
	group, _, found := strings.Cut(r.APIVersion, "/")
	if !found {
		group = ""
	}
	switch group {
	case "":
		w.core(r)
	case "networking.k8s.io", "extensions":
		switch r.Kind {
		case "Ingress":
			w.ingress(r)
		case "NetworkPolicy":
			w.networkPolicy(r.New)
		}
	case "discovery.k8s.io":
		if r.Kind == "EndpointSlice" {
			w.endpointSlice(r)
		}
	case "storage.k8s.io":
		switch r.Kind {
		case "StorageClass":
			w.storageClass(r.New)
		case "CSIStorageCapacity":
			w.csiStorageCapacity(r.New)
		case "CSIDriver":
			w.csiDriver(r)
		}
	case "node.k8s.io":
		if r.Kind == "RuntimeClass" {
			w.runtimeClass(r.New)
		}
	case "resource.k8s.io":
		if r.Kind == "ResourceSlice" {
			w.resourceSlice(r.New)
		}
	case "admissionregistration.k8s.io":
		w.admission(r)
	case "apiextensions.k8s.io":
		if r.Kind == "CustomResourceDefinition" {
			w.customResourceDefinition(r)
		}
	}
	return w.warnings
}

func (w *writer) core(r apiserver.Request) {
	switch r.Kind {
	case "Service":
		w.service(r)
	case "Node":
		w.node(r.New)
	case "PersistentVolume":
		w.persistentVolume(r.New)
	case "PersistentVolumeClaim":
		if w.Minor >= 28 {
			w.warnAnnotation(r.New, storageClassAnnotation, `deprecated since v1.8; use "storageClassName" attribute instead`)
		}
		w.warnings = append(w.warnings, podwarning.ClaimSpec(w.Minor, r.New.Get("spec"), "spec")...)
	case "Endpoints":
		w.endpoints(r.New)
	case "Secret":
		w.secret(r.New)
	case "ServiceAccount":
		const mountable = "kubernetes.io/enforce-mountable-secrets"
		if w.Minor >= 32 && annotation(r.Old, mountable) == nil {
			w.warnAnnotation(r.New, mountable, "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets")
		}
	case "ResourceQuota":
		w.resourceQuota(r)
	}
}

// warnAnnotation warns about an annotation if the object has it.
func (w *writer) warnAnnotation(obj *wire.Value, name, text string) {
	if f := annotation(obj, name); f != nil {
		w.warnField(apiserver.DeprecatedField, "metadata.annotations["+name+"]", text, f.Key())
	}
}

// resourceSlice warns about a driver name with upper-case letters. Source: the
// strategy in pkg/registry/resource/resourceslice (1.35–1.37).
func (w *writer) resourceSlice(obj *wire.Value) {
	if driver := obj.At("spec", "driver"); w.Minor >= 35 && driver.StringOr("") != strings.ToLower(driver.StringOr("")) {
		w.warnField(apiserver.Advice, "spec.driver", "driver names should be lowercase; "+quote(driver.Text)+" contains uppercase characters", driver)
	}
}
