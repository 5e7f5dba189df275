module k8s.io/helm

go 1.24.0
