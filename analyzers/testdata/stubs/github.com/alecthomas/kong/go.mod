module github.com/alecthomas/kong

go 1.24.0
