package scope

import "github.com/kubevet/kubevet/rules"

// site is the address of the directory with the rules' pages.
const site = "https://github.com/kubevet/kubevet/blob/main/rules/"

// Doc returns the documentation of the analyzer for a rule: the title and the first
// paragraph of the rule's page. It panics if the rule has no page.
func Doc(id string) string {
	title, paragraph, ok := rules.Introduction(id)
	if !ok {
		panic("scope: no page rules/" + id + ".md")
	}
	return title + "\n\n" + paragraph
}

// URL returns the address of the rule's page.
func URL(id string) string { return site + id + ".md" }
