module k8s.io/kubectl

go 1.24.0
