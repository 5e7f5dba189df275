// Package probed answers probes with a part of the library of API servers, but is
// not an API server.
package probed

import (
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/client-go/rest"
)

var probe = healthz.PingHealthz

func main() {
	rest.SetDefaultWarningHandler(rest.NoWarnings{}) // want `every client of the program throws away the warnings`
}
