module github.com/operator-framework/operator-lib

go 1.24.0
