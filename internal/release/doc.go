// Package release has the tests of what users install: the files of a release, the
// installer, the images, and the integrations with CI systems. `make release-check`
// also runs those that need a built release.
package release
