package scope

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// site is where the pages can be read.
const site = "https://github.com/kubevet/kubevet/blob/main/rules/"

// Doc is the documentation of the analyzer that implements a rule: the rule's
// title and the first paragraph of its page, which stay the only place where
// they are written. It panics for an ID without a page.
func Doc(id string) string {
	r := page(id)
	first, _, _ := strings.Cut(r.Page, "\n\n")
	return r.Title + "\n\n" + strings.TrimRight(first, "\n")
}

// URL is the address of the rule's page. It panics for an ID without a page.
func URL(id string) string { return site + page(id).ID + ".md" }

func page(id string) rules.Rule {
	r, ok := rules.Lookup(id)
	if !ok || r.ID != id {
		panic("scope: no page rules/" + id + ".md")
	}
	return r
}
