package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIgnore(t *testing.T) {
	for _, test := range []expandTest{{
		name: "from the root of the repository down",
		tree: `
			up.yaml
			r/.git/
			r/.gitignore = *.gen.yaml\nsecret/\n/only.yaml\nk/s/deep.yaml\n
			r/.git/info/exclude = mine.yaml\n!x.gen.yaml
			r/k/a.gen.yaml
			r/k/x.gen.yaml
			r/k/only.yaml
			r/only.yaml
			r/k/mine.yaml
			r/k/secret/a.yaml
			r/k/s/deep.yaml
			r/k/s/.gitignore = !y.gen.yaml\n
			r/k/s/y.gen.yaml
			r/k/s/z.gen.yaml`,
		in:   "r/k",
		args: ".",
		want: "only.yaml\ns/y.gen.yaml",
	}, {
		name: "switched off",
		tree: ".git/\n.gitignore = a.yaml\na.yaml\nb.yaml",
		args: ".",
		o:    Options{NoGitignore: true},
		want: "a.yaml\nb.yaml",
	}, {
		name: "without a repository, from the argument down",
		tree: ".gitignore = *.yaml\nk/.gitignore = b.yaml\nk/a.yaml\nk/b.yaml\nk/s/b.yaml\nk/s/.gitignore = /c.yaml\nk/s/c.yaml",
		args: "k k/s",
		want: "k/a.yaml\nk/s/b.yaml",
	}, {
		name: "files that are named",
		tree: ".git/\n.gitignore = *.yaml\na.yaml\nd/b.yaml",
		args: "a.yaml d/b.yaml",
		want: "a.yaml\nd/b.yaml",
	}, {
		name: "directories that are named and ignored",
		tree: ".git/\n.gitignore = out/\nout/a.yaml\nout/s/b.yaml\nout/.gitignore = *.gen.yaml\nout/s/c.gen.yaml",
		args: "out/s out",
		want: "out/s/b.yaml\nout/s/c.gen.yaml\nout/a.yaml",
	}, {
		name: "a repository within a repository has its own rules",
		tree: `
			.git/
			.gitignore = *.gen.yaml
			a.gen.yaml
			sub/.git = gitdir: ../.git/modules/sub
			.git/modules/sub/info/exclude = b.yaml
			sub/a.gen.yaml
			sub/b.yaml
			sub/.gitignore = /d/
			sub/d/e.yaml`,
		args: ".",
		want: "sub/a.gen.yaml",
	}, {
		name: "a worktree has the exclude file of its repository",
		tree: `
			main/.git/info/exclude = b.yaml
			main/.git/worktrees/w/commondir = ../..
			w/.git = gitdir: ../main/.git/worktrees/w
			w/a.yaml
			w/b.yaml`,
		args: "w",
		want: "w/a.yaml",
	}, {
		name: "a link of the name .gitignore is not read",
		tree: ".git/\nx = *.yaml\n.gitignore -> x\na.yaml\nd/.gitignore/\nd/b.yaml",
		args: ".",
		want: "a.yaml\nd/b.yaml",
	}} {
		test.run(t)
	}
}

func TestIgnoreTooLong(t *testing.T) {
	dir := makeTree(t, "a.yaml\nd/b.yaml")
	write(t, dir, "d/.gitignore", strings.Repeat("#\n", maxIgnoreFile))
	got := describe(Expand([]string{"."}, Options{Dir: dir}))
	want := "a.yaml\nd/b.yaml\nunreadable: d/.gitignore: larger than the limit of 1048576 bytes\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// gitCommand returns a new repository, and a function that runs git in it
// without the user's configuration. It skips the test if git is not installed.
func gitCommand(t testing.TB) (dir string, git func(stdin string, args ...string) string) {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the names in the tree are not possible")
	}
	dir, home := t.TempDir(), t.TempDir()
	git = func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command(path, args...)
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir), "LC_ALL=C", "PATH=" + os.Getenv("PATH")}
		cmd.Stdin = strings.NewReader(stdin)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		// check-ignore exits with status 1 if no path is ignored.
		if err != nil && (stderr.Len() > 0 || args[0] != "check-ignore") {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, &stderr)
		}
		return string(out)
	}
	git("", "init", "-q")
	git("", "config", "core.ignorecase", "false")
	return dir, git
}

// specialIgnoreFiles have cases that random ignore files do not have.
var specialIgnoreFiles = []string{
	"a.yaml\n!a.yaml\n", "*\n!*/\n!b.yaml\n", "/*\n!/d\n/d/*\n!/d/a.yaml\n", "*.yaml \n", "*.yaml\\ \n", "a b.yaml  \n",
	"a\\ b.yaml\n", "trail \n", "trail\\ \n", "trail\\  \n", "tab\t\n", "\ufeffa.yaml\nb.yaml\n", "a.yaml\r\nb.yaml\r\n", "a.yaml\r", "\r\nb.yaml\n",
	"\\#a\n", "#a\n", "\\!a\n", "!a\n", "!!a\n", "a\x00b\nb\n", "d/\n", "d\n", "/d\n", "d/e\n", "d/e/\n", "/d/e/\n", "e/a.yaml\n",
	"**/e\n", "**/e/a.yaml\n", "d/**\n", "d/**/a.yaml\n", "**\n", "/**\n", "**/\n", "*/\n", "/*/\n", "d**/a.yaml\n", "d**a.yaml\n",
	"d/**a.yaml\n", "d/e**/a.yaml\n", "***/a.yaml\n", "d/***/a.yaml\n", "**/**/a.yaml\n", "**\\/a.yaml\n", "d/*/a.yaml\n", "d/*\n", "d/?/a.yaml\n",
	"[ab].yaml\n", "[!a].yaml\n", "[^a].yaml\n", "[a-b].yaml\n", "[]a].yaml\n", "[!]a].yaml\n", "[a\n", "[[:alpha:]].yaml\n", "[[:foo:]].yaml\n",
	"[[:alpha:]*\n", "[[:]*\n", "[a-]*\n", "[--0]*\n", "[\\]]*\n", "[a-\\c].yaml\n", "d[/]a.yaml\n", "d?a.yaml\n", "[[:space:]]*\n", "[[:punct:]]*\n", "*[[:cntrl:]]*\n",
	"\\a.yaml\n", "a\\.yaml\n", "a.yaml\\\n", "\\\n", "/\n", "//\n", "//d\n", "d//\n", "d//e\n", "!\n", "!/\n", " \n", "  a.yaml\n", ".\n", "./a.yaml\n", "..\n",
	"d/../a.yaml\n", "é.yaml\n", "?.yaml\n", "??.yaml\n", "[é].yaml\n", "[^a-z].yaml\n", "*é*\n", "d\n!d/a.yaml\n", "d/*\n!d/a.yaml\n", "d/\n!d\n", "lnk/\n", "lnk\n", "lnk/*\n",
	"*.y*ml\n", "*a*a*\n", "a*\\*\n", "\\*\n", "\\?\n", "\\[a\\]\n", "[*].yaml\n", "a.yaml/\n", "d/e/f/../a.yaml\n", "*.YAML\n", "A.yaml\n",
}

// treeNames are the base names of the files that plantTree creates.
var treeNames = []string{
	"a.yaml", "b.yaml", "aa.yaml", "ab.yml", "a b.yaml", "trail", "trail ", "trail  ", "tab\t", "tab", "#a", "!a", "a", "b", "é.yaml", "*", "a*", "?", "[a]", "[",
	"a\\b", "-", "]", "a.yaml\r", "A.yaml", "\x01c", "\v", "]:", "a.yaml\\",
}

// plantTree creates files with all treeNames in some directories, and a link to
// a directory. It returns all paths.
func plantTree(t testing.TB, dir string) (paths []string) {
	t.Helper()
	dirs := []string{"", "d/", "d/e/", "d/e/f/", "d/d/", "e/", "dx/", "dx/y/", "b.yaml.d/"}
	for _, d := range dirs {
		for _, name := range treeNames {
			write(t, dir, d+name, "")
		}
	}
	write(t, dir, "lnk", "-> d")
	write(t, dir, "d/e/lnk", "-> ../d")
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if entry.Name() == ".git" {
			return fs.SkipDir
		}
		name, err := filepath.Rel(dir, path)
		paths = append(paths, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// ignoredByUs returns the paths that this package ignores, with the rules of a
// walk.
func ignoredByUs(t testing.TB, dir string, paths []string) (ignored []string) {
	t.Helper()
	e := newExpander(Options{Dir: dir})
	if len(e.problems) > 0 {
		t.Fatal(e.problems)
	}
	var walk func(d string, level *ignoreLevel, all bool)
	walk = func(d string, level *ignoreLevel, all bool) {
		level = e.ignoreIn(e.dir(filepath.Join(e.workDir.path, d)), level, d)
		entries, err := os.ReadDir(filepath.Join(dir, d))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if entry.Name() == ".git" {
				continue
			}
			gone := all || level.ignores(d, entry.Name(), entry.IsDir())
			if gone {
				ignored = append(ignored, d+entry.Name())
			}
			if entry.IsDir() {
				walk(d+entry.Name()+"/", level, gone)
			}
		}
	}
	walk("", e.repositoryIgnore(e.workDir), false)
	slices.Sort(ignored)
	return ignored
}

func compareWithGit(t testing.TB, dir string, git func(string, ...string) string, paths []string, about any) {
	t.Helper()
	var theirs []string
	for path := range strings.SplitSeq(git(strings.Join(paths, "\x00"), "check-ignore", "-z", "--stdin", "--no-index"), "\x00") {
		if path != "" {
			theirs = append(theirs, path)
		}
	}
	slices.Sort(theirs)
	if diff := cmp.Diff(theirs, ignoredByUs(t, dir, paths)); diff != "" {
		t.Errorf("with %q (-git +kubevet):\n%s", about, diff)
	}
}

// TestIgnoreAgainstGit compares ignored paths with git check-ignore.
func TestIgnoreAgainstGit(t *testing.T) {
	dir, git := gitCommand(t)
	paths := plantTree(t, dir)
	for _, text := range specialIgnoreFiles {
		write(t, dir, ".gitignore", text)
		compareWithGit(t, dir, git, append(paths, ".gitignore"), text)
	}
	random := rand.New(rand.NewPCG(1, 2))
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for range rounds {
		files := map[string]string{}
		for _, name := range []string{".gitignore", ".git/info/exclude", "d/.gitignore", "d/e/.gitignore"} {
			files[name] = randomIgnoreFile(random)
			write(t, dir, name, files[name])
		}
		compareWithGit(t, dir, git, append(paths, ".gitignore", "d/.gitignore", "d/e/.gitignore"), fmt.Sprint(files))
		if t.Failed() {
			return
		}
	}
}

// randomIgnoreFile returns a few lines of special characters and names.
func randomIgnoreFile(random *rand.Rand) string {
	pieces := []string{"a", "b", "d", "e", "f", "x", ".yaml", ".yml", "*", "*", "**", "**/", "/**", "/", "/", "?", "[ab]", "[!a]", "[a-c]",
		"[[:alpha:]]", "[^d]", "\\", " ", "é", "a.yaml", "d/", "lnk", "[", "]", "\t", "#", "!", "[/]", "[\\]]", "."}
	var b strings.Builder
	for range random.IntN(4) {
		if random.IntN(4) == 0 {
			b.WriteByte('!')
		}
		for range 1 + random.IntN(4) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestWalkAgainstGit compares a walk with the files that git lists as
// untracked.
func TestWalkAgainstGit(t *testing.T) {
	dir, git := gitCommand(t)
	plantTree(t, dir)
	random := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		files := map[string]string{}
		for _, name := range []string{".gitignore", ".git/info/exclude", "d/.gitignore", "d/e/.gitignore"} {
			files[name] = randomIgnoreFile(random)
			write(t, dir, name, files[name])
		}
		var theirs []string
		for name := range strings.SplitSeq(git("", "ls-files", "-z", "--others", "--exclude-standard"), "\x00") {
			if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
				theirs = append(theirs, name)
			}
		}
		slices.SortFunc(theirs, compareNames)
		inputs, _ := Expand([]string{"."}, Options{Dir: dir, Exclude: []string{"lnk"}, Extensions: []string{".yaml", ".yml"}})
		var ours []string
		for _, in := range inputs {
			ours = append(ours, in.Name)
		}
		if diff := cmp.Diff(theirs, ours); diff != "" {
			t.Fatalf("with %q (-git +kubevet):\n%s", files, diff)
		}
	}
}

func FuzzIgnore(f *testing.F) {
	for _, text := range specialIgnoreFiles {
		f.Add(text, "d/e/a.yaml")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		var level *ignoreLevel
		level = level.with(parseIgnore(text), "")
		dir, base := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			dir, base = path[:i+1], path[i+1:]
		}
		asFile, asDir := level.ignores(dir, base, false), level.ignores(dir, base, true)
		if asFile != asDir && !strings.Contains(text, "/") {
			t.Errorf("%q tells files from directories at %q and has no slash", text, path)
		}
	})
}
