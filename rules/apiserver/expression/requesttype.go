package expression

import apiservercel "k8s.io/apiserver/pkg/cel"

// The names of variables in expressions about a request. They and the types below
// are copied from k8s.io/apiserver/pkg/admission/plugin/cel/compile.go
// (1.26–1.37), because that package would link a whole server into the program.
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

// fields has the fields of a type by name.
type fields map[string]*apiservercel.DeclField

// with adds fields of type t.
func (f fields) with(required bool, t *apiservercel.DeclType, names ...string) fields {
	for _, name := range names {
		f[name] = apiservercel.NewDeclField(name, t, required, nil, nil)
	}
	return f
}

func object(name string, f fields) *apiservercel.DeclType { return apiservercel.NewObjectType(name, f) }

// listOfStrings is the type of a list of strings of any length.
func listOfStrings() *apiservercel.DeclType {
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
	user := object("kubernetes.UserInfo", fields{}.with(false, text, "username", "uid").with(false, listOfStrings(), "groups").with(false, mapOf(listOfStrings()), "extra"))
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
		with(true, listOfStrings(), "finalizers"))
	spec := object("kubernetes.NamespaceSpec", fields{}.with(true, listOfStrings(), "finalizers"))
	status := object("kubernetes.NamespaceStatus", fields{}.with(true, apiservercel.NewListType(condition, -1), "conditions").with(true, text, "phase"))
	return object("kubernetes.Namespace", fields{}.with(true, metadata, "metadata").with(true, spec, "spec").with(true, status, "status"))
}
