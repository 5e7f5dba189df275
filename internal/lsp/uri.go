package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// pathOf returns the absolute path of a file URI. It returns false for other URIs, such
// as the URI of a document that was never saved. It also returns false for network shares
// on Windows.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
		if len(path) > 1 && path[1] == ':' {
			path = strings.ToUpper(path[:1]) + path[1:] // VS Code writes the drive as c%3A
		}
	}
	path = filepath.Clean(filepath.FromSlash(path))
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", false
	}
	return path, true
}

// uriOf returns the file URI of an absolute path.
func uriOf(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows path with a drive
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
