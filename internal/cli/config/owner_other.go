//go:build !unix

package config

import "io/fs"

// owners trusts all users, because the owner of a file is not simple to find on other
// systems.
type owners struct{}

func newOwners(string) owners { return owners{} }

func (owners) trust(fs.FileInfo) bool { return true }
