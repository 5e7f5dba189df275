module github.com/kubevet/kubevet/analyzers/internal/signatures

go 1.26.0
