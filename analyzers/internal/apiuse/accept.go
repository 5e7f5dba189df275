package apiuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// accepted has the places where a comment tells another linter to accept a deprecated API.
type accepted struct {
	// lines has, for each file, the lines with a comment about SA1019 or staticcheck,
	// and the line below each of these comments.
	lines map[*token.File]map[int]bool
	// ranges and types are the code and the types that a comment with a reason covers.
	ranges [][2]token.Pos
	types  map[types.Object]bool
}

// nolint matches a comment of golangci-lint: a list of linters, and a reason. lintIgnore
// matches a comment of staticcheck: a list of checks, and a reason.
var (
	nolint     = regexp.MustCompile(`^//\s*nolint\s*:\s*([\w-]+(?:\s*,\s*[\w-]+)*)(.*)$`)
	lintIgnore = regexp.MustCompile(`^//lint:ignore\s+(\S+)(.*)$`)
)

// collectAccepted records the code of a file in which comments accept a deprecated API.
func (s *search) collectAccepted(f *ast.File) {
	file := s.pass.Fset.File(f.FileStart)
	lines := map[int]bool{}
	s.accepted.lines[file] = lines
	for _, group := range f.Comments {
		for _, c := range group.List {
			if !strings.Contains(c.Text, "SA1019") && !(strings.Contains(c.Text, "nolint") && strings.Contains(c.Text, "staticcheck")) {
				continue
			}
			line := file.PositionFor(c.Pos(), false).Line
			lines[line], lines[line+1] = true, true
			if about, reason := acceptsDeprecated(c.Text); about {
				s.acceptNodes(f, file, group, c, reason)
			}
		}
	}
}

// acceptsDeprecated reports whether a comment tells a linter to accept deprecated APIs.
// reason is true if the comment also gives a reason.
func acceptsDeprecated(text string) (about, reason bool) {
	if m := nolint.FindStringSubmatch(text); m != nil {
		names := strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
		return slices.Contains(names, "staticcheck"), isReason(m[2])
	}
	if m := lintIgnore.FindStringSubmatch(text); m != nil {
		return slices.Contains(strings.Split(m[1], ","), "SA1019"), isReason(m[2])
	}
	return false, false
}

// isReason reports whether a text has letters, not counting "SA1019".
func isReason(text string) bool {
	text = strings.ReplaceAll(text, "SA1019", "")
	return strings.ContainsFunc(text, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 127 })
}

// acceptNodes records the code that a suppression comment (a directive) covers, if the
// directive or another comment of its group gives a reason.
//
// A directive after code covers the code that begins on its line. A directive on a line
// of its own covers the whole statement or declaration below it, as in golangci-lint.
// If that is a type, the directive also covers the type's methods.
func (s *search) acceptNodes(f *ast.File, file *token.File, group *ast.CommentGroup, c *ast.Comment, reason bool) {
	line := func(p token.Pos) int { return file.PositionFor(p, false).Line }
	own, next := line(c.Pos()), 0
	inline := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		case *ast.File:
			return true
		}
		switch at := line(n.Pos()); {
		case n.Pos() < c.Pos() && (at == own || line(n.End()) == own && n.End() <= c.Pos()):
			inline = true
		case n.Pos() > group.End() && (next == 0 || at < next):
			next = at
		}
		return n.End() > file.LineStart(own)
	})
	if inline {
		next = own
	}
	if next == 0 {
		return
	}
	var found [][2]token.Pos
	var names []*ast.Ident
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		case *ast.File:
			return true
		case *ast.FuncDecl:
			if line(n.Pos()) == next {
				names = append(names, n.Name)
			}
		case *ast.TypeSpec:
			if line(n.Pos()) == next {
				names = append(names, n.Name)
			}
		}
		if line(n.Pos()) == next {
			found = append(found, [2]token.Pos{n.Pos(), n.End()})
		}
		return n.Pos() < file.LineStart(next) || line(n.Pos()) == next
	})
	if !reason && !givesReason(group, names) {
		return
	}
	s.accepted.ranges = append(s.accepted.ranges, found...)
	for _, name := range names {
		if t, ok := s.pass.TypesInfo.Defs[name].(*types.TypeName); ok {
			s.accepted.types[t] = true
		}
	}
}

// givesReason reports whether another comment of the group gives a reason. The sentence
// that documents the declaration below is not a reason. It may continue on more lines.
func givesReason(group *ast.CommentGroup, declared []*ast.Ident) bool {
	documents := false // the line before belongs to that sentence, and does not end it
	for _, c := range group.List {
		text := strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
		if text == "" {
			documents = false
			continue
		}
		if about, _ := acceptsDeprecated(c.Text); about || !strings.Contains(text, " ") && !documents || strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//nolint") {
			continue
		}
		first, _, _ := strings.Cut(text, " ")
		if !documents && !slices.ContainsFunc(declared, func(id *ast.Ident) bool { return id.Name == first }) {
			return true
		}
		documents = !strings.HasSuffix(text, ".")
	}
	return false
}

// acceptedWithReason reports whether a comment with a reason accepts a deprecated API
// at this position.
func (s *search) acceptedWithReason(pos token.Pos) bool {
	if slices.ContainsFunc(s.accepted.ranges, func(r [2]token.Pos) bool { return r[0] <= pos && pos < r[1] }) {
		return true
	}
	return s.accepted.types[s.receiver()]
}

// receiver returns the type whose method contains the current node. It returns nil
// outside of methods.
func (s *search) receiver() types.Object {
	for _, n := range s.stack {
		fn, ok := n.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || len(fn.Recv.List) == 0 {
			continue
		}
		t := s.pass.TypesInfo.TypeOf(fn.Recv.List[0].Type)
		if t == nil {
			return nil
		}
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			return named.Origin().Obj()
		}
	}
	return nil
}
