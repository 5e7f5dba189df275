module github.com/fluxcd/cli-utils

go 1.24.0
