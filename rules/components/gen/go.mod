module github.com/kubevet/kubevet/rules/components/gen

go 1.26.0
