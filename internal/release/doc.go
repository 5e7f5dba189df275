// Package release has tests of everything that users install: the files of a release, the
// installer, the images, and the integrations with CI systems. `make release-check` also
// runs the tests that need a built release.
package release
