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
	// manyFindings is the number of findings above which remarks names directories.
	manyFindings = 50
	// maxDirectories is the maximal number of directories to count. maxParts is the
	// maximal number of components of their paths.
	maxDirectories, maxParts = 10_000, 16
	// maxPlaces is the maximal number of directories to list. Each must have at least a
	// fifth (1/leastShare) of the findings.
	maxPlaces, leastShare = 3, 5
)

// copyDirectories has names of directories whose files are usually copies, wrong on
// purpose, or not used. Users may want to exclude them.
var copyDirectories = []string{"testdata", "golden", "goldens", "fixtures", "vendor", "third_party", "third-party", "node_modules", "archive", "archived", "_archived"}

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

// place is a directory with findings, or all directories with the same name.
type place struct {
	text, exclude string
	count         int
}

// remarks returns lines that name the directories with most findings and say how to
// exclude them. It returns nil for at most manyFindings findings.
func (p *places) remarks() []string {
	if p.total <= manyFindings {
		return nil
	}
	rest := maps.Clone(p.directories)
	all := append(byName(rest), byDirectory(rest)...)
	all = slices.DeleteFunc(all, func(x place) bool { return x.count*leastShare < p.total || !plainPath().MatchString(x.exclude) })
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(b.count-a.count, strings.Compare(a.text, b.text)) })
	var lines []string
	for _, x := range all[:min(len(all), maxPlaces)] {
		lines = append(lines, fmt.Sprintf("%d of %s are below %s; leave them out with --exclude %s", x.count, report.Count(p.total, "finding"), x.text, x.exclude))
	}
	return lines
}

// plainPath matches paths without characters that are special in a shell or in a glob.
var plainPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./@+=,-]*$`) })

// byName removes from dirs the directories whose path has a name of copyDirectories. It
// returns one place for each of these names.
func byName(dirs map[string]int) (all []place) {
	counts := map[string]int{}
	for dir, n := range dirs {
		for part := range strings.SplitSeq(dir, "/") {
			if slices.Contains(copyDirectories, part) {
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

// byDirectory finds the deepest directory that contains all findings, and returns its
// subdirectories with findings.
func byDirectory(dirs map[string]int) (all []place) {
	counts := map[string]int{}
	children := map[string][]string{}
	for dir, n := range dirs {
		outside := path.IsAbs(dir) || dir == ".." || strings.HasPrefix(dir, "../")
		if dir == "." || outside || strings.Contains(dir+"/", ".tgz/") {
			counts[""] += n // --exclude cannot name this directory
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
	// narrow returns the deepest directory below dir that has all findings of dir.
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
			exclude = "./" + dir // without ./ the pattern would exclude directories of this name at any depth
		}
		all = append(all, place{dir, exclude, counts[dir]})
	}
	return all
}
