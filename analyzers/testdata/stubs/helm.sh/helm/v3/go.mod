module helm.sh/helm/v3

go 1.24.0
