package reporting

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/report"
)

const (
	// manyFindings is the number of findings above which they are summed up by
	// directory.
	manyFindings = 50
	// maxDirectories bounds the directories that are counted, and maxParts the
	// parts of their names.
	maxDirectories, maxParts = 10_000, 16
	// maxPlaces is the maximal number of directories that are named. Each has
	// at least one in leastShare findings.
	maxPlaces, leastShare = 3, 5
)

// notOwn are names of directories whose files are copies, wrong on purpose, or out
// of use.
var notOwn = []string{"testdata", "golden", "goldens", "fixtures", "vendor", "third_party", "third-party", "node_modules", "archive", "archived", "_archived"}

// places counts findings by directory.
type places struct {
	total       int
	directories map[string]int
}

func (p *places) add(file string) {
	p.total++
	dir := path.Dir(file)
	if p.directories == nil {
		p.directories = map[string]int{}
	}
	if _, ok := p.directories[dir]; ok || len(p.directories) < maxDirectories {
		p.directories[dir]++
	}
}

// place is a set of directories with findings.
type place struct {
	text, exclude string
	count         int
}

// remarks returns a line for each directory with most findings, and how to leave
// them out. It returns nothing for few findings.
func (p *places) remarks() []string {
	if p.total <= manyFindings {
		return nil
	}
	rest := maps.Clone(p.directories)
	all := append(byName(rest), byDirectory(rest)...)
	all = slices.DeleteFunc(all, func(x place) bool { return x.count*leastShare < p.total || !plain().MatchString(x.exclude) })
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(b.count-a.count, strings.Compare(a.text, b.text)) })
	var lines []string
	for _, x := range all[:min(len(all), maxPlaces)] {
		lines = append(lines, fmt.Sprintf("%d of %s are below %s; leave them out with --exclude %s", x.count, report.Count(p.total, "finding"), x.text, x.exclude))
	}
	return lines
}

// plain matches globs that need no quoting, neither for a shell nor in a glob.
var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./@+=,-]*$`) })

// byName removes the directories below those named in notOwn from dirs, and
// returns them by these names.
func byName(dirs map[string]int) (all []place) {
	counts := map[string]int{}
	for dir, n := range dirs {
		for part := range strings.SplitSeq(dir, "/") {
			if slices.Contains(notOwn, part) {
				counts[part] += n
				delete(dirs, dir)
				break
			}
		}
	}
	for name, n := range counts {
		all = append(all, place{"directories named " + name, name, n})
	}
	return all
}

// byDirectory returns the directories that divide the findings: those next to each
// other below the directory that has all findings.
func byDirectory(dirs map[string]int) (all []place) {
	counts := map[string]int{}
	children := map[string][]string{}
	for dir, n := range dirs {
		outside := path.IsAbs(dir) || dir == ".." || strings.HasPrefix(dir, "../")
		if dir == "." || outside || strings.Contains(dir+"/", ".tgz/") {
			counts[""] += n // --exclude does not name it
			continue
		}
		parts := strings.Split(dir, "/")
		parts = parts[:min(len(parts), maxParts)]
		for i := range len(parts) + 1 {
			at := strings.Join(parts[:i], "/")
			if _, ok := counts[at]; !ok && i > 0 {
				up := strings.Join(parts[:i-1], "/")
				children[up] = append(children[up], at)
			}
			counts[at] += n
		}
	}
	// narrow returns the deepest directory with all findings of dir.
	narrow := func(dir string) string {
		for len(children[dir]) == 1 && counts[children[dir][0]] == counts[dir] {
			dir = children[dir][0]
		}
		return dir
	}
	for _, dir := range children[narrow("")] {
		dir = narrow(dir)
		exclude := dir
		if !strings.Contains(dir, "/") {
			exclude = "./" + dir // else it is left out at any depth
		}
		all = append(all, place{dir, exclude, counts[dir]})
	}
	return all
}
