package codetrace

import (
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
)

// maxMatches is the maximal number of matches for one client.
const maxMatches = 3

// Locate returns the code of a client: at most maxMatches matches, those with the
// strongest basis. It leaves out code that contradicts the requests of the client. It
// also leaves out names that many programs have, unless other evidence supports them.
func (x *Index) Locate(c Client) []Match {
	sig := c.signature()
	for _, find := range []func(*moduleIndex) []Match{
		func(m *moduleIndex) []Match { return m.byConstant(sig) },
		func(m *moduleIndex) []Match { return m.byProgram(sig) },
		func(m *moduleIndex) []Match { return m.byModule(sig) },
	} {
		var all []Match
		for _, m := range x.modules {
			for _, match := range find(m) {
				if match.plausible(c) {
					all = append(all, match)
				}
			}
		}
		if len(all) > 0 {
			return all[:min(len(all), maxMatches)]
		}
	}
	return nil
}

// plausible reports whether other evidence about the client allows the match. A name that
// many programs have needs supporting evidence.
func (m *Match) plausible(c Client) bool {
	t := compareResources(c, m.scope)
	if t.contradicts {
		return false
	}
	return !commonPrograms[m.Name] || t.shared || accountResembles(c.User, m.Module, m.Package)
}

// byConstant finds the packages that set the name of the client, and returns one match
// for the whole module. signature.rank decides which name is the strongest evidence.
func (m *moduleIndex) byConstant(sig signature) []Match {
	sig.hasProgram = len(m.byProgram(signature{program: sig.program})) > 0
	best := Match{}
	if toolManagers().MatchString(sig.program) && !m.owns(sig.program) {
		sig.agentSuffix, sig.products = "", nil // both belong to the well-known tool
	}
	rank := 1 << 30
	home := map[string]bool{}
	for _, t := range m.Traces {
		for _, n := range t.Names {
			value := n.Value
			if n.Agent {
				value, _, _ = strings.Cut(value, "/")
			}
			at := sig.rank(n, value)
			if n.Program || at < 0 || toolManagers().MatchString(value) && !m.owns(value) {
				continue
			}
			home[t.Package] = true
			if at < rank {
				rank = at
				best = Match{Basis: ByConstant, Name: value, At: n.Pos, Module: m.Path, Dir: m.Dir, Package: t.Package}
				if n.Agent && n.Value == sig.agentSuffix {
					best.Name = n.Value
				}
			}
		}
	}
	if best.Basis == 0 {
		return nil
	}
	best.namingPackages = home
	best.scope = m.programPackages(home)
	if len(best.scope) < len(m.Traces) {
		best.fallback = m.packagesWithoutProgram() // programs in other modules may use these packages
	}
	return []Match{best}
}

// rank returns the rank of a name in the code, or -1 if the name is no evidence for this
// client. 0 is the strongest evidence. The order is: field managers, the suffix of the
// user agent, the program, and the other words of the user agent.
func (s *signature) rank(n analyzers.TracedName, value string) int {
	if i := slices.Index(s.managers, value); i >= 0 {
		return i
	}
	base := len(s.managers)
	switch {
	case s.agentSuffix != "" && (n.Value == s.agentSuffix || value == s.agentSuffix):
		return base
	case value == s.program && !(s.hasProgram && !n.Agent):
		return base + 1
	}
	if n.Agent {
		if i := slices.Index(s.products, value); i >= 0 {
			return base + 2 + i
		}
	}
	return -1
}

// owns reports whether a well-known tool is a program of this module.
func (m *moduleIndex) owns(name string) bool {
	is := func(program string) bool { return name == program || strings.HasPrefix(name, program+"-") }
	if is(pathBase(m.Path)) {
		return true
	}
	for _, main := range m.mains {
		if is(pathBase(main.Package)) {
			return true
		}
	}
	return slices.ContainsFunc(m.Programs, func(p Program) bool { return is(p.Name) })
}

// byModule returns a match if the module has the name of the client.
func (m *moduleIndex) byModule(sig signature) []Match {
	base := pathBase(m.Path)
	for _, name := range append([]string{sig.program}, sig.managers...) {
		if name != "" && (name == base || name == m.Path) {
			return []Match{{Basis: ByModule, Name: base, Module: m.Path, Dir: m.Dir, scope: m.Traces}}
		}
	}
	return nil
}

// byProgram returns a match for each program that has a name of the client.
func (m *moduleIndex) byProgram(sig signature) (all []Match) {
	found := map[string]bool{}
	for _, name := range append([]string{sig.program}, sig.managers...) {
		if name == "" {
			continue
		}
		for _, main := range m.mains {
			if pathBase(main.Package) == name && !found[main.Package] {
				found[main.Package] = true
				all = append(all, m.program(name, main, main.MainPos))
			}
			for _, n := range main.Names {
				if n.Program && n.Value == name && !found[main.Package] {
					found[main.Package] = true
					all = append(all, m.program(name, main, n.Pos))
				}
			}
		}
		for _, p := range m.Programs {
			if p.Name != name {
				continue
			}
			main := m.packages[p.Package]
			if main != nil && !main.Main {
				main = nil
			}
			if main == nil && len(m.mains) == 1 {
				main = m.mains[0]
			}
			switch {
			case main == nil && !found[m.Path]:
				found[m.Path] = true
				all = append(all, Match{Basis: ByProgram, Name: name, At: p.At, Module: m.Path, Dir: m.Dir, scope: m.Traces})
			case main != nil && !found[main.Package]:
				found[main.Package] = true
				all = append(all, m.program(name, main, p.At))
			}
		}
	}
	return all
}

func (m *moduleIndex) program(name string, main *analyzers.Trace, at token.Position) Match {
	return Match{Basis: ByProgram, Name: name, At: at, Module: m.Path, Dir: m.Dir, Package: main.Package, scope: m.only(m.reachable(main.Package))}
}

// pathBase returns the last element of an import path, without a version such as v2. The
// go command uses it as the name of a program.
func pathBase(p string) string {
	base := path.Base(p)
	if majorVersion().MatchString(base) && path.Dir(p) != "." {
		base = path.Base(path.Dir(p))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 && majorVersion().MatchString(base[i+1:]) {
		base = base[:i]
	}
	return base
}

var majorVersion = lazyRegexp(`^v[0-9]+$`)
