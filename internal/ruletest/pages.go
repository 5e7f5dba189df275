package ruletest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubevet/kubevet/rules"
)

// page is a text with examples: the page of a rule, or the page with further cases.
type page struct {
	rules.Rule        // Page and Line refer to this text
	path       string // path in the repository
}

// pages returns the page of each rule, followed by the page with its further cases in
// docs/cases, if there is one. An error is about a file that cannot be read.
func pages() ([]page, error) {
	var out []page
	for _, r := range rules.Catalogue() {
		out = append(out, page{r, "rules/" + r.ID + ".md"})
		path := "docs/cases/" + r.ID + ".md"
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, fmt.Errorf("reading further cases: %w", err)
		}
		r.Page, r.Line = string(text), 1
		out = append(out, page{r, path})
	}
	return out, nil
}
