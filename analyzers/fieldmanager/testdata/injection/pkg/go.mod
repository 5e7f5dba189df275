module knative.dev/pkg

go 1.24.0

require k8s.io/client-go v0.37.2
