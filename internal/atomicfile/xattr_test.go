//go:build darwin || linux

package atomicfile

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAttributes checks that a replaced file has exactly the extended attributes that it
// had before.
func TestAttributes(t *testing.T) {
	path := newFile(t, "x.yaml", "old")
	if err := unix.Setxattr(path, "user.note", []byte("kept"), 0); err != nil {
		t.Skip("no extended attributes here:", err)
	}
	if runtime.GOOS == "linux" {
		// This is the access control list user::rw-, user:7:r--, group::r--, mask::r--,
		// other::r--.
		acl := binary.LittleEndian.AppendUint32(nil, 2)
		for _, e := range [][3]uint32{{1, 6, ^uint32(0)}, {2, 4, 7}, {4, 4, ^uint32(0)}, {16, 4, ^uint32(0)}, {32, 4, ^uint32(0)}} {
			acl = binary.LittleEndian.AppendUint16(acl, uint16(e[0]))
			acl = binary.LittleEndian.AppendUint16(acl, uint16(e[1]))
			acl = binary.LittleEndian.AppendUint32(acl, e[2])
		}
		if err := unix.Setxattr(path, "system.posix_acl_access", acl, 0); err != nil {
			t.Log("no access control lists here:", err)
		}
		// The directory gives new files another access control list.
		plain := newFile(t, "plain.yaml", "old")
		if err := unix.Setxattr(filepath.Dir(plain), "system.posix_acl_default", acl, 0); err != nil {
			t.Log("no access control lists here:", err)
		}
		checkAttributesKept(t, plain)
	}
	checkAttributesKept(t, path)
}

// checkAttributesKept replaces a file and checks that its attributes are unchanged.
func checkAttributesKept(t *testing.T, path string) {
	t.Helper()
	before := attributesOf(t, path)
	if err := Write(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	checkOnlyFile(t, path, "new")
	after := attributesOf(t, path)
	if len(before) != len(after) {
		t.Errorf("%s: attributes %q, want %q", filepath.Base(path), after, before)
	}
	for name, value := range before {
		if string(after[name]) != string(value) {
			t.Errorf("%s: %s = %q, want %q", filepath.Base(path), name, after[name], value)
		}
	}
}

func attributesOf(t *testing.T, path string) map[string][]byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := attributes(f)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
