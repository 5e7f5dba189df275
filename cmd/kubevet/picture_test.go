package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/cli"
)

// TestPicture checks that the picture in README.md shows the output of the program. With
// -update it draws the picture.
func TestPicture(t *testing.T) {
	const command = "lint --target 1.37 autoscaler.yaml web.yaml"
	var stdout bytes.Buffer
	c := cli.Command{Stdout: &stdout, Dir: filepath.Join(repositoryRoot, "examples", "shop")}
	if status := c.Main(t.Context(), strings.Fields(command+" --color always")); status != cli.StatusFindings {
		t.Fatalf("exit status %d", status)
	}
	want := picture("kubevet "+command, stdout.String())
	path := filepath.Join(repositoryRoot, "docs", "images", "finding.svg")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, path); got != want {
		t.Errorf("%s is not what the program prints: run go test ./cmd/kubevet -run TestPicture -update", path)
	}
}

// These are sizes in pixels, and the width of the picture in characters.
const (
	charWidth, lineHeight, margin = 8, 20, 16
	columns                       = 92
)

// style has the colours for light and for dark pages.
const style = `text{font:13.3px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1c2128}
rect{fill:#f6f8fa;stroke:#d5dbe1}.b{font-weight:700}.r{fill:#b3261e;font-weight:700}.d{fill:#57606a}.i{fill:#0a6a74}.l{fill:#0b5cad}
@media(prefers-color-scheme:dark){text{fill:#dde3ea}rect{fill:#161b22;stroke:#323b46}.r{fill:#ff8a80}.d{fill:#9aa5b1}.i{fill:#67d4e0}.l{fill:#79b8ff}}`

// classes has the CSS class for each escape sequence in reports.
var classes = map[string]string{"1": "b", "1;31": "r", "2": "d", "34": "l", "36": "i"}

// picture draws a command and its coloured output as a terminal shows them.
func picture(command, output string) string {
	lines := []string{"\x1b[2m$\x1b[0m " + command}
	for line := range strings.Lines(output) {
		lines = append(lines, wrap(strings.TrimSuffix(line, "\n"))...)
	}
	width, height := 2*margin+columns*charWidth, 2*margin+len(lines)*lineHeight
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %[1]d %[2]d\" role=\"img\">\n", width, height)
	fmt.Fprintf(&b, "<title>Findings of kubevet lint</title>\n<style>%s</style>\n", style)
	fmt.Fprintf(&b, "<rect x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", width-1, height-1)
	for i, line := range lines {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+i*lineHeight+14, svgSpans(line))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// escape matches an escape sequence that sets a colour.
var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// wrap breaks a coloured line at words. The next lines are indented and have the same
// colour.
func wrap(line string) []string {
	var lines []string
	var b strings.Builder
	used, colour := 0, ""
	for _, word := range regexp.MustCompile(`\s+|\S+`).FindAllString(line, -1) {
		n := utf8.RuneCountInString(escape.ReplaceAllString(word, ""))
		if used+n > columns && strings.TrimSpace(word) != "" {
			lines = append(lines, b.String())
			b.Reset()
			b.WriteString("  " + colour)
			used = 2
		}
		b.WriteString(word)
		used += n
		if all := escape.FindAllString(word, -1); len(all) > 0 {
			colour = all[len(all)-1]
		}
	}
	return append(lines, b.String())
}

// svgSpans returns a line as SVG, with an element for each coloured part.
func svgSpans(line string) string {
	var b strings.Builder
	open, at := "", 0
	write := func(text string) {
		switch text = html.EscapeString(text); {
		case text == "":
		case open == "":
			b.WriteString(text)
		default:
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, open, text)
		}
	}
	for _, m := range escape.FindAllStringSubmatchIndex(line, -1) {
		write(line[at:m[0]])
		open, at = classes[line[m[2]:m[3]]], m[1]
	}
	write(line[at:])
	return b.String()
}
