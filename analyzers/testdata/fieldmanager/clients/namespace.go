package clients

// DefaultNamespace is where pods are.
const DefaultNamespace = "default"
