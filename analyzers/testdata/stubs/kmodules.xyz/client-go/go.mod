module kmodules.xyz/client-go

go 1.24.0
