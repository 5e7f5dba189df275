module github.com/slok/kubewebhook/v2

go 1.24.0
