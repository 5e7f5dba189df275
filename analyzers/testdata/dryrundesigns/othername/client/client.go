// Package client has the client of the program.
package client

import "k8s.io/client-go/kubernetes"

// Simulate is set by a flag.
var Simulate bool

// Set has the clients.
type Set struct{ Core *kubernetes.Clientset }
