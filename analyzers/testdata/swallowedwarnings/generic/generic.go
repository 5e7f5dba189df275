// Package generic reads all kinds of objects on a server.
package generic

import (
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

func client(cfg *rest.Config) (dynamic.Interface, error) {
	cfg.WarningHandler = rest.NoWarnings{}
	return dynamic.NewForConfig(cfg)
}
