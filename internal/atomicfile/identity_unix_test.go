//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestIdentity checks that a replaced file keeps its mode and, if the user may set
// owners, its owner.
func TestIdentity(t *testing.T) {
	path := newFile(t, "x.yaml", "old")
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 1234, 4321
	} else if groups, err := os.Getgroups(); err == nil && len(groups) > 0 {
		gid = groups[len(groups)-1]
	}
	if err := os.Chown(path, uid, gid); err != nil {
		t.Skip(err)
	}
	for _, mode := range []os.FileMode{0o600, 0o626, 0o755, 0o754 | os.ModeSetgid, 0o755 | os.ModeSetuid, 0o755 | os.ModeSetuid | os.ModeSetgid | os.ModeSticky} {
		if err := os.Chmod(path, mode); err != nil {
			t.Logf("no mode %v here: %v", mode, err)
			continue
		}
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(path, []byte(mode.String())); err != nil {
			t.Fatal(err)
		}
		checkOnlyFile(t, path, mode.String())
		after, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if after.Mode() != before.Mode() {
			t.Errorf("mode = %v, want %v", after.Mode(), before.Mode())
		}
		if s := after.Sys().(*syscall.Stat_t); int(s.Uid) != uid || int(s.Gid) != gid {
			t.Errorf("owner = %d:%d, want %d:%d", s.Uid, s.Gid, uid, gid)
		}
	}
}

func TestDirectoryNotWritable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write to every directory")
	}
	path := newFile(t, "x.yaml", "old")
	if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Dir(path), 0o755)
	if err := Write(path, []byte("new")); err == nil || !strings.Contains(err.Error(), "its directory is not writable") {
		t.Errorf("error = %v", err)
	}
	checkOnlyFile(t, path, "old")
}
