package programs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestBuilt(t *testing.T) {
	text := strings.Join([]string{
		"build: ## build it",
		"\tgo build -o bin/manager cmd/main.go",
		"\tCGO_ENABLED=0 $(GO) build -a \\",
		"\t\t-o=/out/agent.exe ./cmd/agent && echo done",
		"# go build -o bin/old .",
		"\tgo build -o $(BIN) ./cmd/x",
		"\tgo build -o bin/ ./...",
		`RUN ["go", "build", "-o", "/srv", "."]`,
		"\tgo test -o bin/test .",
		"\tdocker build -o out .",
		"\tgo build ./cmd/y; cp a -o b",
	}, "\n")
	var got []string
	for _, p := range Built(text, "m") {
		got = append(got, fmt.Sprintf("%d %s %s", p.At.Line, p.Name, p.Package))
	}
	want := []string{"2 manager m/cmd", "3 agent m/cmd/agent", "8 srv m"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBuiltWithVariables(t *testing.T) {
	text := strings.Join([]string{
		"BINNAME ?= shop-updater",
		"OUT := dist",
		"TWICE = a",
		"TWICE = b",
		"build:",
		"\t$(GO_CMD) build -ldflags '-X main.v=1' -o ${OUT}/${BINNAME} cmd/*.go",
		"\tgo build -tags x -o bin/manager -ldflags $(LDFLAGS)",
		"\tgo build -o $(TWICE) ./cmd/y",
		"\tgo build -o bin/$BINNAME-2 ./cmd/z",
		"\tgo build -o bin/of-one $(PKG)",
	}, "\n")
	var got []string
	for _, p := range Built(text, "m") {
		got = append(got, fmt.Sprintf("%d %s %s", p.At.Line, p.Name, p.Package))
	}
	if want := []string{"6 shop-updater m/cmd", "7 manager m", "9 shop-updater-2 m/cmd/z", "10 of-one "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReleased(t *testing.T) {
	text := "project_name: shop\nbuilds:\n  - main: ./cmd/web/main.go\n    binary: shop-web\n  - dir: tools\n    binary: '{{ .ProjectName }}'\n  - id: root\n  - main: '{{ .Env.MAIN }}'\n    binary: '{{ .Os }}/manager'\n"
	var got []string
	for _, p := range Released(text, "m") {
		got = append(got, fmt.Sprintf("%d:%d %s %s", p.At.Line, p.At.Column, p.Name, p.Package))
	}
	if want := []string{"4:13 shop-web m/cmd/web", "6:13 shop m/tools", "1:1 shop m", "9:13 manager "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Released("builds: {", "m"); got != nil {
		t.Errorf("%v", got)
	}
}

func TestConstantName(t *testing.T) {
	for base, want := range map[string]string{
		"manager": "manager", "agent.exe": "agent", "shop-$(GOOS)-$(GOARCH)": "shop", "shop_${OS}": "shop", "shop$(EXE)": "shop",
		"shop$(NAME)": "", "$(NAME)": "", "$(NAME)-shop": "", "a-$(OS)": "", "`basename": "",
	} {
		if got := constantName(base); got != want {
			t.Errorf("constantName(%q) = %q, want %q", base, got, want)
		}
	}
}
