package kustomize

import (
	"regexp"
	"strings"
	"sync"
)

var userAt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]*@`) })

// isRemoteFile reports whether kustomize would fetch a path over HTTP, because
// url.Parse returns the scheme http or https (api/internal/loader,
// IsRemoteFile, 0.21). It also returns true for a few other paths.
func isRemoteFile(path string) bool {
	path = strings.ToLower(strings.TrimSpace(path))
	return strings.HasPrefix(path, "http:") || strings.HasPrefix(path, "https:")
}

// isRemote reports whether kustomize would fetch a resource: a file over HTTP,
// or a directory with git (api/internal/git/repospec.go, NewRepoSpecFromURL,
// 0.21). It also returns true for a file github.com/x/y, which kustomize
// fetches if it does not parse.
func isRemote(path string) bool {
	if isRemoteFile(path) {
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

// isRemoteData reports whether kustomize would fetch an entry of a generator,
// which is PATH or KEY=PATH.
func isRemoteData(entry string) bool {
	_, path, ok := strings.Cut(entry, "=")
	return isRemoteFile(entry) || ok && isRemoteFile(path)
}
