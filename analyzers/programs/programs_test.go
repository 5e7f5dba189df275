package programs_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/analyzers/programs"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		dir   string
		want  programs.Name
	}{
		{"the directory", nil, "cmd/agent", programs.Name{Text: "agent"}},
		{"the module", nil, ".", programs.Name{Text: "shop"}},
		{"a Makefile", map[string]string{"Makefile": "build:\n\tgo build -o bin/manager cmd/main.go\n"}, "cmd", programs.Name{Text: "manager", File: "Makefile"}},
		{"of another program", map[string]string{"Makefile": "build:\n\tgo build -o bin/manager ./cmd/manager\n"}, "cmd", programs.Name{}},
		{"a directory cmd that nothing builds", nil, "cmd", programs.Name{}},
		{"a Dockerfile before a Makefile", map[string]string{
			"Makefile": "build:\n\tgo build -o bin/manager cmd/main.go\n", "build/Dockerfile": "RUN go build -o shop-operator ./cmd\n",
		}, "cmd", programs.Name{Text: "shop-operator", File: "build/Dockerfile"}},
		{"a copy with another name", map[string]string{
			"Dockerfile": "RUN go build -o manager .\nFROM x\nCOPY --from=0 /workspace/manager /usr/bin/shop-operator\n",
		}, ".", programs.Name{Text: "shop-operator", File: "Dockerfile"}},
		{"a copy with the same name", map[string]string{
			"Dockerfile": "RUN go build -o manager .\nFROM x\nCOPY --from=0 /workspace/manager .\nCOPY --from=0 /workspace/manager /usr/bin/\n",
		}, ".", programs.Name{Text: "manager", File: "Dockerfile"}},
		{"a Dockerfile of another program", map[string]string{
			"Makefile": "x:\n\tgo build -o bin/manager main.go\n", "sidecar/Dockerfile": "RUN go build -o reloader main.go\n", "sidecar/main.go": "package main\n",
		}, ".", programs.Name{Text: "manager", File: "Makefile"}},
		{"a Dockerfile in a directory without code", map[string]string{"build/Dockerfile": "RUN go build -o app main.go\n"}, ".", programs.Name{Text: "app", File: "build/Dockerfile"}},
		{"another working directory", map[string]string{"Dockerfile": "RUN set -e ;\\\n    cd cmd/agent;\\\n    go build -o /go/bin/app\n"}, "cmd/agent", programs.Name{Text: "app", File: "Dockerfile"}},
		{"the copy in an image", map[string]string{"Dockerfile": "RUN cd /src && go build -o app .\n"}, ".", programs.Name{Text: "app", File: "Dockerfile"}},
		{"an unknown directory", map[string]string{"Makefile": "x:\n\tcd $(DIR) && go build -o app\n"}, ".", programs.Name{Text: "shop"}},
		{"an import path", map[string]string{"Makefile": "x:\n\tgo build -o bin/app example.org/shop/v2/cmd/agent\n"}, "cmd/agent", programs.Name{Text: "app", File: "Makefile"}},
		{"its own Makefile", map[string]string{"cmd/Makefile": "x:\n\tgo build -o web .\n"}, "cmd", programs.Name{Text: "web", File: "cmd/Makefile"}},
		{"its own Makefile, far below", map[string]string{"a/b/c/shopd/main.go": "package main\n", "a/b/c/shopd/Makefile": "x:\n\tgo build -o bin/manager main.go\n"}, "a/b/c/shopd", programs.Name{Text: "manager", File: "a/b/c/shopd/Makefile"}},
		{"GoReleaser", map[string]string{".goreleaser.yaml": "builds:\n- main: ./cmd/agent\n  binary: shop-agent\n"}, "cmd/agent", programs.Name{Text: "shop-agent", File: ".goreleaser.yaml"}},
		{"kubebuilder", map[string]string{"PROJECT": "version: 3\n"}, "cmd", programs.Name{Text: "manager", File: "PROJECT"}},
		{"a helper of a project of kubebuilder", map[string]string{"PROJECT": "version: 3\n"}, "cmd/agent", programs.Name{Text: "agent"}},
		{"an unknown variable", map[string]string{"Makefile": "x:\n\tgo build -o $(NAME) ./cmd/agent\n"}, "cmd/agent", programs.Name{File: "Makefile"}},
		{"the target of a rule", map[string]string{"Makefile": "bin/%:\n\tgo build -o $@ $<\n"}, "cmd/agent", programs.Name{Text: "agent"}},
		{"variables for all programs", map[string]string{"hack/build.sh": "go build -o bin/$target $package\n"}, "cmd/agent", programs.Name{File: "hack/build.sh"}},
		{"an unknown variable, and a directory with a name", map[string]string{"Makefile": "x:\n\tgo build -o $(NAME) .\n"}, ".", programs.Name{Text: "shop"}},
		{"an unknown variable, and a name", map[string]string{"Dockerfile": "RUN go build -o $NAME ./cmd\n", "Makefile": "x:\n\tgo build -o bin/manager ./cmd\n"}, "cmd", programs.Name{Text: "manager", File: "Makefile"}},
		{"a Dockerfile that adds the binary under another name", map[string]string{
			"cluster/images/shop/Dockerfile": "FROM scratch\n# ADD agent /agent\nADD bin/$TARGETOS\\_$TARGETARCH/agent \\\n    # the tool\n    /usr/local/bin/shop-agent\nENTRYPOINT [\"shop-agent\"]\n",
		}, "cmd/agent", programs.Name{Text: "shop-agent", File: "cluster/images/shop/Dockerfile"}},
		{"a Dockerfile that moves the binary", map[string]string{
			"a/b/c/d/Dockerfile": "COPY agent-$TARGETARCH /agent\nRUN chmod +x /agent && mv /agent /bin/shop-agent; rm x\nENTRYPOINT exec shop-agent\n",
		}, "cmd/agent", programs.Name{Text: "shop-agent", File: "a/b/c/d/Dockerfile"}},
		{"a Dockerfile that keeps the name", map[string]string{
			"Dockerfile": "COPY [\"out/agent\", \"/agent\"]\nENTRYPOINT [\"/agent\"]\n",
		}, "cmd/agent", programs.Name{Text: "agent"}},
		{"a Dockerfile that runs the binary in a shell", map[string]string{
			"Dockerfile": "COPY --from=0 out/agent tini /bin/\nENTRYPOINT [\"/bin/tini\", \"--\", \"agent\"]\n",
		}, "cmd/agent", programs.Name{Text: "agent"}},
		{"a Dockerfile that runs something else", map[string]string{
			"Dockerfile": "COPY out/shopd /\nENTRYPOINT [\"/shopd\"]\n",
		}, "cmd/agent", programs.Name{}},
		{"a Dockerfile that runs another program of the module", map[string]string{
			"Dockerfile": "COPY out/web /\nENTRYPOINT [\"/web\"]\n", "cmd/web/main.go": "package main\n",
		}, "cmd/agent", programs.Name{Text: "agent"}},
		{"a Dockerfile that runs a foreign program", map[string]string{"Dockerfile": "FROM nginx\nCOPY page.html /\nCMD [\"nginx\"]\n"}, "cmd/agent", programs.Name{Text: "agent"}},
		{"a Dockerfile for all programs", map[string]string{"images/Dockerfile": "ARG BINARY\nCOPY ${BINARY} /bin/${BINARY}\n"}, "cmd/agent", programs.Name{}},
		{"a Dockerfile that copies sources", map[string]string{"Dockerfile": "COPY go.* ./\nCOPY . .\nCOPY $DIR/ .\n"}, "cmd/agent", programs.Name{Text: "agent"}},
		{"a Dockerfile of a test", map[string]string{"test/x/Dockerfile": "COPY agent /shop-agent\n"}, "cmd/agent", programs.Name{Text: "agent"}},
		{"an unknown variable, and a manifest", map[string]string{
			"Makefile": "x:\n\tgo build -o $(NAME) ./cmd/agent\n", "config/agent/agent.yaml": "      containers:\n      - command:\n        - /agent\n        args: [x]\n",
		}, "cmd/agent", programs.Name{Text: "agent", File: "Makefile"}},
		{"a chart that runs the project's program", map[string]string{
			"charts/x/templates/deployment.yaml": "          command: [\"/shop-updater\", \"--all\"]\n",
		}, "cmd/agent", programs.Name{}},
		{"a manifest of another project", map[string]string{"deploy/db.yaml": "  command: [\"redis-server\"]\n"}, "cmd/agent", programs.Name{Text: "agent"}},
		{"kubebuilder, and a binary with a name", map[string]string{
			"PROJECT": "version: 3\n", "Dockerfile": "COPY bin/shop-operator /\nENTRYPOINT [\"/shop-operator\"]\n",
		}, "cmd", programs.Name{File: "PROJECT"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			files := map[string]string{"go.mod": "module example.org/shop/v2\n", "main.go": "package main\n", "cmd/main.go": "package main\n", "cmd/agent/main.go": "package main\n", ".git": ""}
			for name, text := range tt.files {
				files[name] = text
			}
			for name, text := range files {
				name = filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			pkg := "example.org/shop/v2"
			if tt.dir != "." {
				pkg += "/" + tt.dir
			}
			if got := programs.Of(filepath.Join(root, filepath.FromSlash(tt.dir)), pkg); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestOfCheckout checks a project of kubebuilder, whose program is named manager by
// default. The image starts a program with the name of the checkout's root directory.
// That is this program and not one of another directory, so its name is not known.
func TestOfCheckout(t *testing.T) {
	root := filepath.Join(t.TempDir(), "shop-agent")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".git": "", "go.mod": "module example.org/shop-agent\n", "main.go": "package main\n", "PROJECT": "version: 3\n",
		"Dockerfile": "ENTRYPOINT [\"shop-agent\"]\nCOPY shop-agent /usr/bin/\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := programs.Of(root, "example.org/shop-agent"); got.Text != "" {
		t.Errorf("got %v, want no name", got)
	}
}

func TestOfNestedModule(t *testing.T) {
	for _, tt := range []struct {
		name, outer, want string
	}{
		{"in a repository of several", "README.md", ""},
		{"in another module", "go.mod", "agent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			inner := filepath.Join(root, "inner")
			dir := filepath.Join(inner, "agent")
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{
				".git": "", tt.outer: "module example.org/x\n", "Dockerfile": "COPY shopd /\nENTRYPOINT /shopd\n", "inner/go.mod": "module example.org/shop\n",
			} {
				if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got := programs.Of(dir, "example.org/shop/agent"); got.Text != tt.want {
				t.Errorf("got %v, want %q", got, tt.want)
			}
		})
	}
}

func TestGeneric(t *testing.T) {
	for name, want := range map[string]bool{
		"manager": true, "main": true, "controller": true, "controller-manager": true, "webhook-server": true, "Operator.exe": true, "kube-controller": true, "ingress": true,
		"vcluster": false, "shop-operator": false, "cert-manager": false, "cluster-api": false, "haproxy-ingress": false, "": false,
	} {
		if got := programs.Generic(name); got != want {
			t.Errorf("Generic(%q) = %t", name, got)
		}
	}
}

func TestLibrary(t *testing.T) {
	for _, tt := range []struct {
		name string
		file string
		text string
		want bool
	}{
		{"none", "shop.go", "package shop\n", true},
		{"a program", "cmd/shop/main.go", "package main\n", false},
		{"an example", "examples/shop/main.go", "package main\n", true},
		{"a generator", "gen.go", "//go:build ignore\n\npackage main\n", true},
		{"a test", "main_test.go", "package main\n", true},
		{"another module", "tool/main.go", "package main\n", true},
		{"text", "doc.go", "// As in package main.\npackage shop\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.org/shop\n", "tool/go.mod": "module example.org/tool\n", tt.file: tt.text} {
				name = filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got := programs.Library(root); got != tt.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

func TestUsers(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                   "module example.org/shop\n",
		"cmd/controller/main.go":   "package main\n\nimport \"example.org/shop/internal/run\"\n",
		"cmd/webhook/v2/hook.go":   "package main\n\nimport _ \"example.org/shop/internal/cert\"\n",
		"examples/demo/main.go":    "package main\n\nimport \"example.org/shop/internal/run\"\n",
		"internal/run/run.go":      "package run\n\nimport \"example.org/shop/internal/cert\"\n",
		"internal/run/run_test.go": "package run\n\nimport \"example.org/shop/internal/unused\"\n",
		"internal/cert/cert.go":    "package cert\n\nimport \"example.org/shop/internal/run\"\n",
		"internal/unused/u.go":     "package unused\n",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	controller, webhook := filepath.Join(root, "cmd", "controller"), filepath.Join(root, "cmd", "webhook", "v2")
	for _, tt := range []struct {
		dir           string
		users, others []string
	}{
		{"cmd/controller", []string{controller}, []string{"webhook"}},
		{"cmd/webhook/v2", []string{webhook}, []string{"controller"}},
		{"internal/run", []string{controller, webhook}, nil},
		{"internal/cert", []string{controller, webhook}, nil},
		{"internal/unused", nil, []string{"controller", "webhook"}},
	} {
		users, others, ok := programs.Users(filepath.Join(root, filepath.FromSlash(tt.dir)))
		if !ok || !slices.Equal(users, tt.users) || !slices.Equal(others, tt.others) {
			t.Errorf("%s: got %v, %v, %t", tt.dir, users, others, ok)
		}
	}
}

func TestAside(t *testing.T) {
	root := filepath.Join(t.TempDir(), "hack", "shop")
	for dir, want := range map[string]bool{".": false, "cmd/agent": false, "hack/docgen/cli": true, "cmd/examples": true, "hackers": false} {
		dir := filepath.Join(root, filepath.FromSlash(dir))
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.org/shop\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := programs.Auxiliary(dir); got != want {
			t.Errorf("Auxiliary(%s) = %t", dir, got)
		}
	}
}
