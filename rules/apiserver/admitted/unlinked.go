//go:build js

package admitted

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// A browser gets neither the structs of k8s.io/api nor the admission plugins, which would
// double the size of the program. What depends on them is unknown there.

// errNotLinked is why an object has no struct.
var errNotLinked = errors.New("they are not evaluated in a browser")

// Around is what the built-in plugins know of the cluster: nothing.
type Around struct{}

// NewAround returns nil.
func NewAround(apiserver.Server, []*wire.Value) *Around { return nil }

// Decoded fails.
func Decoded(apiserver.Server, apiserver.Request) (obj, old runtime.Object, err error) {
	return nil, nil, errNotLinked
}

// Default does nothing: there is no object.
func Default(apiserver.Server, runtime.Object) {}

// Plugins does nothing: there is no object.
func Plugins(_ apiserver.Server, _ *Around, _, _ runtime.Object) (unknown []string) { return nil }

// Prepared does nothing: there is no object.
func Prepared(_ apiserver.Server, _, _ runtime.Object) (unknown []string) { return nil }

// Stored does nothing: there is no object.
func Stored(_ apiserver.Server, _ *Around, _ runtime.Object) (unknown []string) { return nil }
