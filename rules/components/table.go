package components

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

//go:embed zz_generated.flags.txt
var flagText string

//go:embed zz_generated.configs.txt
var configText string

type parsedTables struct {
	// releases has the release from which the table of a minor was made, such as
	// 1.31.14.
	releases map[lifecycle.Minor]string
	oldest   lifecycle.Minor
	// flags has flags, admission plugins and kubeadm's gates by "TYPE\tNAME".
	// TYPE is admission-plugin, kubeadm-gate, or a component's name for a flag.
	// configs has the key "APIVERSION\tKIND".
	flags       map[string]Entry
	configs     map[string]Config
	configNames []string
}

// tables parses the generated tables. A test checks their form.
var tables = sync.OnceValue(func() *parsedTables {
	p := &parsedTables{releases: map[lifecycle.Minor]string{}, flags: map[string]Entry{}, configs: map[string]Config{}}
	for line := range strings.Lines(flagText) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# Kubernetes "); ok {
			p.parseReleases(rest)
		}
		if f := strings.Split(line, "\t"); !strings.HasPrefix(line, "#") {
			p.flags[f[0]+"\t"+f[1]] = parseEntry(f[2:])
		}
	}
	current := ""
	for line := range strings.Lines(configText) {
		line = strings.TrimSuffix(line, "\n")
		f := strings.Split(line, "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case f[0] == "":
			c := p.configs[current]
			c.Fields = append(c.Fields, Field{Path: f[1], Accepted: parseMinors(f[2])})
			p.configs[current] = c
		default:
			current = f[1] + "\t" + f[2]
			p.configs[current] = Config{Entry: parseEntry(f[3:]), Component: f[0]}
			p.configNames = append(p.configNames, current)
		}
	}
	slices.Sort(p.configNames)
	return p
})

// parseReleases parses the list of releases in the first line.
func (p *parsedTables) parseReleases(list string) {
	for release := range strings.FieldsSeq(list) {
		m, err := lifecycle.ParseMinor(release)
		if err != nil {
			continue // newer than the minors of package lifecycle
		}
		p.releases[m] = release
		if p.oldest == 0 || m < p.oldest {
			p.oldest = m
		}
	}
}

// parseEntry parses the fields of a line: the minors, the file, and deprecations.
func parseEntry(f []string) Entry {
	e := Entry{Accepted: parseMinors(f[0]), File: f[1]}
	for _, d := range f[2:] {
		minors, text, _ := strings.Cut(d, "=")
		e.Deprecations = append(e.Deprecations, Deprecation{Minors: parseMinors(minors), Text: text})
	}
	return e
}
