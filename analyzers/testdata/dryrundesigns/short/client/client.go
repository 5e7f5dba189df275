// Package client has the client of the program.
package client

import "k8s.io/client-go/kubernetes"

// Dry is set by a flag.
var Dry bool

// Set has the clients.
type Set struct{ Core *kubernetes.Clientset }
