module github.com/fluxcd/pkg/ssa

go 1.24.0
