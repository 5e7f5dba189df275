package main

import (
	"archive/zip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// stubModule is the module with the test packages of the Go rules. The client libraries
// that it requires are stubs below it.
var stubModule = filepath.Join("..", "..", "analyzers", "testdata")

// goEnv returns the environment for the go command.
var goEnv = sync.OnceValues(func() ([]string, error) {
	names := []string{"GOCACHE", "GOMODCACHE"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil, err
	}
	values := strings.Split(strings.ReplaceAll(strings.TrimSpace(string(out)), "\r\n", "\n"), "\n")
	for i := range values {
		values[i] = names[i] + "=" + values[i]
	}
	return values, nil
})

// setupGo makes the go command work without a network in scripts. It sets KUBEVET to the
// path of the program.
func setupGo(env *testscript.Env) error {
	values, err := goEnv()
	if err != nil {
		return err
	}
	program, err := exec.LookPath("kubevet")
	if err != nil {
		return err
	}
	env.Vars = append(env.Vars, values...)
	env.Vars = append(env.Vars, "KUBEVET="+program, "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=")
	return nil
}

// stubs [DIR] makes DIR, or the current directory, the module example.com/shop, which
// requires the stubs of the client libraries.
func stubs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: stubs [dir]")
	}
	mod, err := stubsModule("example.com/shop")
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(strings.Join(args, "")), "go.mod"), mod, 0o666))
}

// stubsModule returns the go.mod of a module that requires the stubs of the client
// libraries.
func stubsModule(path string) ([]byte, error) {
	mod, err := os.ReadFile(filepath.Join(stubModule, "go.mod"))
	if err != nil {
		return nil, err
	}
	at, err := filepath.Abs(filepath.Join(stubModule, "stubs"))
	if err != nil {
		return nil, err
	}
	text := strings.ReplaceAll(string(mod), "./stubs/", filepath.ToSlash(at)+"/")
	return []byte(strings.Replace(text, "module example.org/clients", "module "+path, 1)), nil
}

// zip DIR FILE packs the files of a directory as a module archive.
func zipDirectory(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: zip dir file")
	}
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	w := zip.NewWriter(f)
	files := os.DirFS(ts.MkAbs(args[0]))
	ts.Check(fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		to, err := w.Create(name)
		if err == nil {
			_, err = to.Write(data)
		}
		return err
	}))
	ts.Check(w.Close())
	ts.Check(f.Close())
}
