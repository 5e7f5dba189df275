// Package server is part of an API server.
package server

import (
	_ "k8s.io/apiserver/pkg/warning"
	"k8s.io/client-go/rest"
)

func start() { rest.SetDefaultWarningHandler(rest.NoWarnings{}) }
