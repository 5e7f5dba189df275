package kustomize

import (
	"regexp"
	"strings"
	"sync"
)

var userAt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]*@`) })

// remoteFile reports whether kustomize would fetch a path over HTTP. kustomize
// fetches a path for which url.Parse returns the scheme http or https
// (api/internal/loader, IsRemoteFile, 0.21). remoteFile also returns true for a
// few other paths.
func remoteFile(path string) bool {
	path = strings.ToLower(strings.TrimSpace(path))
	return strings.HasPrefix(path, "http:") || strings.HasPrefix(path, "https:")
}

// remote reports whether kustomize would fetch a resource: a file over HTTP, or
// a directory with git (api/internal/git/repospec.go, NewRepoSpecFromURL,
// 0.21). It also returns true for a path such as github.com/x/y that exists as
// a file. kustomize fetches this path if the file does not parse.
func remote(path string) bool {
	if remoteFile(path) {
		return true
	}
	lower := strings.ToLower(strings.TrimSpace(path))
	for strings.HasPrefix(lower, "git::") {
		lower = strings.TrimPrefix(lower, "git::")
	}
	for _, prefix := range [...]string{"ssh:", "file:", "http:", "https:", "github.com/", "github.com:"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return userAt().MatchString(lower)
}

// remoteData reports whether kustomize would fetch an entry of a generator,
// which is PATH or KEY=PATH.
func remoteData(entry string) bool {
	_, path, ok := strings.Cut(entry, "=")
	return remoteFile(entry) || ok && remoteFile(path)
}
