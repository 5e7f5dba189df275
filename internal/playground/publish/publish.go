// Package publish writes the files of the documentation's playground to a directory: the
// page, and kubevet as WebAssembly. It needs Go and xz.
//
// Usage:
//
//	go run internal/playground/publish/main.go DIRECTORY
package publish

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/playground/page"
)

// Main runs the program and returns the exit status.
func Main(args []string, stderr io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(stderr, "usage: publish DIRECTORY")
		return 2
	}
	if err := publish(context.Background(), args[0]); err != nil {
		fmt.Fprintln(stderr, "publish:", err)
		return 1
	}
	return 0
}

func publish(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := writePage(dir); err != nil {
		return err
	}
	if err := writeRuntime(ctx, dir); err != nil {
		return err
	}
	return writeProgram(ctx, dir)
}

func writePage(dir string) error {
	return fs.WalkDir(page.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(page.Files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), data, 0o644)
	})
}

// writeRuntime writes Go's script that runs WebAssembly programs.
func writeRuntime(ctx context.Context, dir string) error {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "wasm_exec.js"), data, 0o644)
}

// maxSize is the maximal size of the compressed program in bytes, 8 MiB.
const maxSize = 8 << 20

// writeProgram builds kubevet as WebAssembly and writes it in compressed form.
func writeProgram(ctx context.Context, dir string) error {
	built, err := os.MkdirTemp("", "playground")
	if err != nil {
		return err
	}
	defer os.RemoveAll(built)
	program := filepath.Join(built, "kubevet.wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, "-trimpath", "-ldflags=-s -w", "github.com/kubevet/kubevet/internal/playground/wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if err := run(cmd, nil); err != nil {
		return err
	}
	packed, err := compress(ctx, program)
	if err != nil {
		return err
	}
	if len(packed) > maxSize {
		return fmt.Errorf("the compressed program has %d bytes: at most %d are allowed", len(packed), maxSize)
	}
	return os.WriteFile(filepath.Join(dir, "kubevet.wasm.lzma"), packed, 0o644)
}

// compress returns a file in the format .lzma, which is a third smaller than gzip. It
// runs xz, because Go has no good compressor for this format.
func compress(ctx context.Context, file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	if err := run(exec.CommandContext(ctx, "xz", "--format=lzma", "-6", "--keep", "--stdout", file), &packed); err != nil {
		return nil, err
	}
	// xz marks the end of the data instead of writing the size, which some readers need.
	binary.LittleEndian.PutUint64(packed.Bytes()[5:], uint64(info.Size()))
	return packed.Bytes(), nil
}

// run runs a command. Its error has the command's standard error.
func run(cmd *exec.Cmd, stdout io.Writer) error {
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = stdout, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Args[0], err, &stderr)
	}
	return nil
}
