package expression

import apiservercel "k8s.io/apiserver/pkg/cel"

// The names of variables in expressions about a request:
// k8s.io/apiserver/pkg/admission/plugin/cel/compile.go (1.26–1.37). Constants and
// types are copied here. The package would link a whole server into the program.
const (
	ObjectName          = "object"
	OldObjectName       = "oldObject"
	ParamsName          = "params"
	RequestName         = "request"
	NamespaceName       = "namespaceObject"
	AuthorizerName      = "authorizer"
	RequestResourceName = "authorizer.requestResource"
	VariablesName       = "variables"
)

// fields are the fields of a type, by their names.
type fields map[string]*apiservercel.DeclField

// with adds fields of type t.
func (f fields) with(required bool, t *apiservercel.DeclType, names ...string) fields {
	for _, name := range names {
		f[name] = apiservercel.NewDeclField(name, t, required, nil, nil)
	}
	return f
}

func object(name string, f fields) *apiservercel.DeclType { return apiservercel.NewObjectType(name, f) }

// texts is the type of a list of strings of any length.
func texts() *apiservercel.DeclType {
	return apiservercel.NewListType(apiservercel.StringType, -1)
}

func mapOf(values *apiservercel.DeclType) *apiservercel.DeclType {
	return apiservercel.NewMapType(apiservercel.StringType, values, -1)
}

// RequestType returns the type of the variable request. It has neither the
// objects nor the UID. Source: BuildRequestType (1.26–1.37).
func RequestType() *apiservercel.DeclType {
	text := apiservercel.StringType
	kind := object("kubernetes.GroupVersionKind", fields{}.with(true, text, "group", "version", "kind"))
	resource := object("kubernetes.GroupVersionResource", fields{}.with(true, text, "group", "version", "resource"))
	user := object("kubernetes.UserInfo", fields{}.with(false, text, "username", "uid").with(false, texts(), "groups").with(false, mapOf(texts()), "extra"))
	return object("kubernetes.AdmissionRequest", fields{}.
		with(true, kind, "kind", "requestKind").
		with(true, resource, "resource", "requestResource").
		with(true, text, "name", "operation").
		with(false, text, "subResource", "requestSubResource", "namespace").
		with(true, user, "userInfo").
		with(false, apiservercel.BoolType, "dryRun").
		with(false, apiservercel.DynType, "options"))
}

// NamespaceType returns the type of the variable namespaceObject. All of its
// fields are required. Source: BuildNamespaceType (1.26–1.37).
func NamespaceType() *apiservercel.DeclType {
	text, time, number := apiservercel.StringType, apiservercel.TimestampType, apiservercel.IntType
	condition := object("kubernetes.NamespaceCondition", fields{}.with(true, text, "status", "type", "message", "reason").with(true, time, "lastTransitionTime"))
	metadata := object("kubernetes.NamespaceMetadata", fields{}.
		with(true, text, "name", "generateName", "namespace", "UID", "resourceVersion").
		with(true, mapOf(text), "labels", "annotations").
		with(true, time, "creationTimestamp", "deletionTimestamp").
		with(true, number, "deletionGracePeriodSeconds", "generation").
		with(true, texts(), "finalizers"))
	spec := object("kubernetes.NamespaceSpec", fields{}.with(true, texts(), "finalizers"))
	status := object("kubernetes.NamespaceStatus", fields{}.with(true, apiservercel.NewListType(condition, -1), "conditions").with(true, text, "phase"))
	return object("kubernetes.Namespace", fields{}.with(true, metadata, "metadata").with(true, spec, "spec").with(true, status, "status"))
}
