module gomodules.xyz/jsonpatch/v2

go 1.24.0
