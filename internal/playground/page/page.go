// Package page has the files of the playground's page.
package page

import "embed"

// Files has the page, its styles and its scripts.
//
//go:embed *.html *.css *.js
var Files embed.FS
