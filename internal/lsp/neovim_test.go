package lsp_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestNeovim runs Neovim with the server. It is skipped if nvim is not installed.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/neovim.lua")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cron.yaml"), []byte(oldCron), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KUBEVET="+program, asKubevet+"=1", "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_DATA_HOME="+dir)
	out, err := cmd.Output()
	var seen struct {
		Error        string
		First, Typed []string
		Titles       []string
		Hover, Fixed string
		Exit         *int
	}
	last := out[strings.LastIndexByte(strings.TrimSpace(string(out)), '\n')+1:]
	if json.Unmarshal(last, &seen) != nil || err != nil || seen.Error != "" {
		t.Fatalf("neovim: %v: %s", err, out)
	}
	if diff := cmp.Diff([]string{"0:12 removedapi"}, seen.First); diff != "" {
		t.Errorf("the first findings (-want +got):\n%s", diff)
	}
	if !strings.Contains(seen.Hover, "removed: 1.25") || !strings.Contains(seen.Hover, "### removedapi") {
		t.Errorf("hover %q", seen.Hover)
	}
	if len(seen.Titles) < 2 || !strings.HasPrefix(seen.Titles[0], "Fix: ") || !strings.HasPrefix(seen.Titles[1], "Suppress ") {
		t.Errorf("actions %q", seen.Titles)
	}
	if seen.Fixed != "apiVersion: batch/v1" {
		t.Errorf("fixed %q", seen.Fixed)
	}
	if diff := cmp.Diff([]string{"1:12 removedapi"}, seen.Typed); diff != "" {
		t.Errorf("the findings after typing (-want +got):\n%s", diff)
	}
	if seen.Exit == nil || *seen.Exit != 0 {
		t.Errorf("exit status %v", seen.Exit)
	}
}
