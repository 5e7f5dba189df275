//go:build js

package admitted

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// WebAssembly programs get neither the structs of k8s.io/api nor the admission
// plugins, because these would double the size of the program. kubevet reports
// policies that need the structs or the plugins as not evaluated.

// errNotLinked is the error of Decoded in a browser. The word "they" in its text
// means admission policies.
var errNotLinked = errors.New("they are not evaluated in a browser")

// Around is empty in a browser.
type Around struct{}

// NewAround returns nil.
func NewAround(apiserver.Server, []*wire.Value) *Around { return nil }

// Decoded always returns an error in a browser.
func Decoded(apiserver.Server, apiserver.Request) (obj, old runtime.Object, err error) {
	return nil, nil, errNotLinked
}

// Default does nothing in a browser.
func Default(apiserver.Server, runtime.Object) {}

// Plugins does nothing in a browser.
func Plugins(_ apiserver.Server, _ *Around, _, _ runtime.Object) (unknown []string) { return nil }

// Prepared does nothing in a browser.
func Prepared(_ apiserver.Server, _, _ runtime.Object) (unknown []string) { return nil }

// Stored does nothing in a browser.
func Stored(_ apiserver.Server, _ *Around, _ runtime.Object) (unknown []string) { return nil }
