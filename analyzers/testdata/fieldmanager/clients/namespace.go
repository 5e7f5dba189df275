package clients

// DefaultNamespace is the namespace of the pods.
const DefaultNamespace = "default"
