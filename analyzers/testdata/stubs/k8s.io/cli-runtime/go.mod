module k8s.io/cli-runtime

go 1.24.0
