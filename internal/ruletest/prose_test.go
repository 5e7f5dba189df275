package ruletest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

const (
	maxPageWords     = 1200
	maxSentenceWords = 35
	maxMeanWords     = 18 // mean over the sentences of one text
)

// proseTexts has the texts whose sentences TestSentences measures, as patterns relative
// to the root of the repository. make prose checks further texts.
var proseTexts = []string{"README.md", "CONTRIBUTING.md", "rules/*.md", "docs/cases/*.md", "docs/*.md", "SECURITY.md", "FOUND.md"}

// TestPageLength checks that the page of a rule is not too long. Further cases and
// details belong in docs/cases.
func TestPageLength(t *testing.T) {
	for _, r := range rules.Catalogue() {
		if n := len(strings.Fields(r.Page)); n > maxPageWords {
			t.Errorf("rules/%s.md has %d words, want at most %d", r.ID, n, maxPageWords)
		}
	}
}

// TestSentences checks the maximal and the mean length of sentences in each text.
func TestSentences(t *testing.T) {
	for _, pattern := range proseTexts {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no texts (%v)", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			words, count := 0, 0
			for _, s := range sentences(string(text)) {
				n := len(wordRE.FindAllString(s, -1))
				if n > maxSentenceWords {
					t.Errorf("%s: a sentence of %d words, want at most %d: %s", path, n, maxSentenceWords, s)
				}
				words, count = words+n, count+1
			}
			if mean := float64(words) / float64(count); mean > maxMeanWords {
				t.Errorf("%s: the mean sentence has %.1f words, want at most %d", path, mean, maxMeanWords)
			}
		}
	}
}

var (
	wordRE        = regexp.MustCompile(`\w[\w'./-]*`)
	frontMatterRE = regexp.MustCompile(`(?s)\A---\n.*?\n---\n`)
	fenceRE       = regexp.MustCompile("(?ms)^[ \t]*(```+)[^\n]*\n.*?^[ \t]*```+[ \t]*$")
	codeRE        = regexp.MustCompile("`[^`]*`")
	targetRE      = regexp.MustCompile(`\]\([^)]*\)`)
	itemRE        = regexp.MustCompile(`^\s*(?:[-*]|\d+\.)\s`)
	sentenceEndRE = regexp.MustCompile(`[.!?:]\s+`)
)

// sentences returns the sentences in the paragraphs and list items of a Markdown text,
// without headings, tables and code blocks. A code span counts as one word.
func sentences(text string) []string {
	text = frontMatterRE.ReplaceAllString(text, "")
	text = fenceRE.ReplaceAllString(text, "")
	var paragraphs []string
	open := false // true if the next line continues the last paragraph
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "<"):
			open = false
		case open && !itemRE.MatchString(line):
			paragraphs[len(paragraphs)-1] += " " + line
		default:
			paragraphs = append(paragraphs, line)
			open = true
		}
	}
	var out []string
	for _, p := range paragraphs {
		p = targetRE.ReplaceAllString(codeRE.ReplaceAllString(p, "CODE"), "]")
		for _, s := range sentenceEndRE.Split(p, -1) {
			if wordRE.MatchString(s) {
				out = append(out, s)
			}
		}
	}
	return out
}

func TestSentencesSplit(t *testing.T) {
	text := "---\ntitle: x\n---\nOne two `a b c`. Three\nfour: five.\n\n- Six.\n  Seven.\n\n```text\nEight.\n```\n\n| nine |\n"
	got := strings.Join(sentences(text), "|")
	if want := "One two CODE|Three four|five.|- Six|Seven."; got != want {
		t.Errorf("sentences = %q, want %q", got, want)
	}
}
