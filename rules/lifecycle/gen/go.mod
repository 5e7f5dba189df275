module github.com/kubevet/kubevet/rules/lifecycle/gen

go 1.26.0
