// Package page holds the files of the playground's page.
package page

import "embed"

// Files are the page, its styles and its scripts.
//
//go:embed *.html *.css *.js
var Files embed.FS
