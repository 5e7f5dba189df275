module sigs.k8s.io/cluster-api

go 1.24.0
