module github.com/kubevet/kubevet/internal/gobench

go 1.26.0

require (
	github.com/kubevet/kubevet v0.0.0-00010101000000-000000000000
	golang.org/x/tools v0.52.0
)

require (
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

replace github.com/kubevet/kubevet => ../..
