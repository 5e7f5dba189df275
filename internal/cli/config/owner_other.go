//go:build !unix

package config

import "io/fs"

// owners trusts everybody: other systems have no simple owners of files.
type owners struct{}

func newOwners(string) owners { return owners{} }

func (owners) trust(fs.FileInfo) bool { return true }
