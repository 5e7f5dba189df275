package expression

import (
	"maps"
	"slices"
	"testing"

	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// TestRequestTypes compares types and names with the types and names of the
// server's library.
func TestRequestTypes(t *testing.T) {
	same(t, "request", RequestType(), plugincel.BuildRequestType())
	same(t, "namespaceObject", NamespaceType(), plugincel.BuildNamespaceType())
	names := []string{ObjectName, OldObjectName, ParamsName, RequestName, NamespaceName, AuthorizerName, RequestResourceName, VariablesName}
	want := []string{plugincel.ObjectVarName, plugincel.OldObjectVarName, plugincel.ParamsVarName, plugincel.RequestVarName, plugincel.NamespaceVarName,
		plugincel.AuthorizerVarName, plugincel.RequestResourceAuthorizerVarName, plugincel.VariableVarName}
	if !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
}

// same compares two types recursively.
func same(t *testing.T, path string, got, want *apiservercel.DeclType) {
	t.Helper()
	if got.TypeName() != want.TypeName() || got.MaxElements != want.MaxElements || (got.ElemType == nil) != (want.ElemType == nil) || (got.KeyType == nil) != (want.KeyType == nil) {
		t.Errorf("%s is %s, want %s", path, got.TypeName(), want.TypeName())
		return
	}
	if got.ElemType != nil {
		same(t, path+"[]", got.ElemType, want.ElemType)
	}
	if got.KeyType != nil {
		same(t, path+"{}", got.KeyType, want.KeyType)
	}
	if names, others := slices.Sorted(maps.Keys(got.Fields)), slices.Sorted(maps.Keys(want.Fields)); !slices.Equal(names, others) {
		t.Errorf("%s has %q, want %q", path, names, others)
		return
	}
	for name, field := range got.Fields {
		if field.Required != want.Fields[name].Required || field.Name != name {
			t.Errorf("%s.%s: required is %t", path, name, field.Required)
		}
		same(t, path+"."+name, field.Type, want.Fields[name].Type)
	}
}
