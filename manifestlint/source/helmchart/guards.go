package helmchart

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template/parse"

	"github.com/kubevet/kubevet/rules/lifecycle"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

// truth is the value of a condition.
type truth uint8

const (
	unknown truth = iota
	isTrue
	isFalse
)

func (t truth) not() truth {
	switch t {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	}
	return unknown
}

func truthOf(b bool) truth {
	if b {
		return isTrue
	}
	return isFalse
}

// reachableMinors returns the minors for which all conditions can be true. If a
// condition depends on the cluster and cannot be evaluated, the result is
// empty: the author chose when the branch applies, so kubevet reports nothing.
func (b *branches) reachableMinors(cond *condition) lifecycle.Minors {
	minors := b.minors
	for c := cond; c != nil; c = c.outer {
		dependent := b.dependsOnCluster(c.branch.Pipe, c.scope, 0)
		if !dependent {
			continue
		}
		var remaining lifecycle.Minors
		for m := range minors.All() {
			t := b.evaluate(c.branch.Pipe, c.scope, b.cluster(m), 0)
			if c.inElse {
				t = t.not()
			}
			if t == isTrue {
				remaining = remaining.With(m)
			}
		}
		minors = remaining
	}
	return minors
}

// dependsOnCluster reports whether a pipe reads the cluster's version or APIs,
// directly or through variables and helpers. An undefined helper counts,
// because a missing dependency may define it.
func (b *branches) dependsOnCluster(pipe *parse.PipeNode, scope *binding, depth int) bool {
	if pipe == nil || depth > 8 {
		return false
	}
	text := pipe.String()
	if strings.Contains(text, "Capabilities") || b.callsUndefinedHelper(text) {
		return true
	}
	for v := scope; v != nil; v = v.outer {
		if v.name != "." && strings.Contains(text, v.name) && b.dependsOnCluster(v.pipe, v.outer, depth+1) {
			return true
		}
	}
	for _, name := range calledHelpers(pipe) {
		if b.helperDependsOnCluster(name, depth+1) {
			return true
		}
	}
	return false
}

func (b *branches) helperDependsOnCluster(name string, depth int) bool {
	if dependent, ok := b.clusterDependent[name]; ok {
		return dependent
	}
	b.clusterDependent[name] = false // the helper may include itself
	d := b.defines[name]
	if d == nil || d.tree == nil || d.tree.Root == nil || depth > 8 {
		return false
	}
	text := d.tree.Root.String()
	dependent := strings.Contains(text, "Capabilities") || b.callsUndefinedHelper(text)
	for other := range b.defines {
		if !dependent && other != name && strings.Contains(text, `"`+other+`"`) {
			dependent = b.helperDependsOnCluster(other, depth+1)
		}
	}
	b.clusterDependent[name] = dependent
	return dependent
}

// helperCall matches a call of a helper. Its groups have the helper's name if
// the name is a string.
var helperCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\\b(?:include|template) (?:\"([^\"]*)\"|`([^`]*)`)?")
})

// callsUndefinedHelper reports whether a text calls a helper that the chart
// does not define, or whose name it computes.
func (b *branches) callsUndefinedHelper(text string) bool {
	for _, m := range helperCall().FindAllStringSubmatch(text, -1) {
		if b.defines[m[1]+m[2]] == nil {
			return true
		}
	}
	return false
}

func calledHelpers(pipe *parse.PipeNode) []string {
	var names []string
	for _, c := range pipe.Cmds {
		for i, a := range c.Args {
			switch a := a.(type) {
			case *parse.PipeNode:
				names = append(names, calledHelpers(a)...)
			case *parse.StringNode:
				if id, ok := c.Args[0].(*parse.IdentifierNode); ok && i == 1 && id.Ident == "include" {
					names = append(names, a.Text)
				}
			}
		}
	}
	return names
}

// evaluate returns the value of a condition in a cluster; unknown if the
// condition depends on the chart's values.
func (b *branches) evaluate(pipe *parse.PipeNode, scope *binding, c Cluster, depth int) truth {
	if pipe == nil || len(pipe.Cmds) == 0 || depth > 12 {
		return unknown
	}
	if len(pipe.Cmds) == 2 {
		// X | not
		if id, ok := pipe.Cmds[1].Args[0].(*parse.IdentifierNode); ok && id.Ident == "not" && len(pipe.Cmds[1].Args) == 1 {
			return b.command(pipe.Cmds[0].Args, scope, c, depth+1).not()
		}
		// .Capabilities.KubeVersion.Version | semverCompare ">=1.19"
		if id, ok := pipe.Cmds[1].Args[0].(*parse.IdentifierNode); ok && id.Ident == "semverCompare" && len(pipe.Cmds[1].Args) == 2 {
			first := pipe.CopyPipe()
			first.Cmds = first.Cmds[:1]
			return b.command(append(slices.Clone(pipe.Cmds[1].Args), parse.Node(first)), scope, c, depth+1)
		}
	}
	if len(pipe.Cmds) != 1 {
		return unknown
	}
	return b.command(pipe.Cmds[0].Args, scope, c, depth+1)
}

func (b *branches) command(args []parse.Node, scope *binding, c Cluster, depth int) truth {
	switch first := args[0].(type) {
	case *parse.PipeNode:
		if len(args) == 1 {
			return b.evaluate(first, scope, c, depth)
		}
	case *parse.BoolNode:
		return truthOf(first.True)
	case *parse.FieldNode:
		return hasAPI(first.Ident, args[1:], c)
	case *parse.VariableNode:
		if first.Ident[0] == "$" {
			return hasAPI(first.Ident[1:], args[1:], c)
		}
		if len(first.Ident) == 1 && len(args) == 1 {
			for v := scope; v != nil; v = v.outer {
				if v.name == first.Ident[0] {
					return b.evaluate(v.pipe, v.outer, c, depth+1)
				}
			}
		}
	case *parse.IdentifierNode:
		return b.call(first.Ident, args[1:], scope, c, depth)
	}
	return unknown
}

// hasAPI returns the value of .Capabilities.APIVersions.Has "apps/v1" in a
// cluster.
func hasAPI(ident []string, args []parse.Node, c Cluster) truth {
	if len(ident) != 3 || ident[0] != "Capabilities" || ident[1] != "APIVersions" || ident[2] != "Has" || len(args) != 1 {
		return unknown
	}
	api, ok := args[0].(*parse.StringNode)
	if !ok {
		return unknown
	}
	_, found := slices.BinarySearch(c.APIs, api.Text)
	return truthOf(found)
}

func (b *branches) call(name string, args []parse.Node, scope *binding, c Cluster, depth int) truth {
	one := func(n parse.Node) truth { return b.command([]parse.Node{n}, scope, c, depth+1) }
	switch name {
	case "not":
		if len(args) == 1 {
			return one(args[0]).not()
		}
	case "and", "or":
		end := isFalse // value of an argument that decides the result
		if name == "or" {
			end = isTrue
		}
		all := end.not()
		for _, a := range args {
			switch t := one(a); t {
			case end:
				return end
			case unknown:
				// An argument that depends on values can be true. The arguments that
				// depend on the cluster then decide.
				if !b.nodeDependsOnCluster(a, scope) && name == "and" {
					continue
				}
				all = unknown
			}
		}
		return all
	case "semverCompare":
		if len(args) != 2 {
			return unknown
		}
		constraint, ok := args[0].(*parse.StringNode)
		if !ok || !b.nodeDependsOnCluster(args[1], scope) {
			return unknown
		}
		return truthOf(chartutil.IsCompatibleRange(constraint.Text, c.Version))
	case "eq", "ne":
		// eq (include "x.supported" .) "true", eq "apps/v1" (include …)
		if len(args) != 2 {
			return unknown
		}
		for i, a := range args {
			want, ok := a.(*parse.StringNode)
			if !ok {
				continue
			}
			word, ok := b.word(args[1-i], scope, c, depth+1)
			if !ok {
				return unknown
			}
			return truthOf((word == want.Text) == (name == "eq"))
		}
	case "include":
		// A helper is true if it writes any output.
		if len(args) >= 1 {
			if str, ok := args[0].(*parse.StringNode); ok {
				if word, ok := b.output(str.Text, c, depth+1); ok {
					return truthOf(word != "")
				}
			}
		}
	}
	return unknown
}

func (b *branches) nodeDependsOnCluster(n parse.Node, scope *binding) bool {
	return b.dependsOnCluster(&parse.PipeNode{NodeType: parse.NodePipe, Cmds: []*parse.CommandNode{{NodeType: parse.NodeCommand, Args: []parse.Node{n}}}}, scope, 0)
}

// word returns the single word that an expression writes in a cluster. It
// returns false if the word is unknown.
func (b *branches) word(n parse.Node, scope *binding, c Cluster, depth int) (string, bool) {
	switch n := n.(type) {
	case *parse.StringNode:
		return n.Text, true
	case *parse.PipeNode:
		if len(n.Cmds) == 1 && len(n.Cmds[0].Args) >= 2 {
			if id, ok := n.Cmds[0].Args[0].(*parse.IdentifierNode); ok && id.Ident == "include" {
				if str, ok := n.Cmds[0].Args[1].(*parse.StringNode); ok {
					return b.output(str.Text, c, depth+1)
				}
			}
		}
	case *parse.VariableNode:
		for v := scope; v != nil && len(n.Ident) == 1; v = v.outer {
			if v.name == n.Ident[0] && v.pipe != nil {
				return b.word(v.pipe, v.outer, c, depth+1)
			}
		}
	}
	return "", false
}

// output returns the single word that a helper writes in a cluster. The second
// result is false if the word depends on anything except the cluster.
func (b *branches) output(name string, c Cluster, depth int) (string, bool) {
	d := b.defines[name]
	if d == nil || d.tree == nil || d.tree.Root == nil || depth > 12 {
		return "", false
	}
	var out strings.Builder
	known := b.writeOutput(d.tree.Root, nil, c, depth, &out)
	return strings.TrimSpace(out.String()), known
}

func (b *branches) writeOutput(l *parse.ListNode, scope *binding, c Cluster, depth int, out *strings.Builder) bool {
	if l == nil {
		return true
	}
	for _, n := range l.Nodes {
		if b.steps++; b.steps > maxSearchedNodes {
			return false
		}
		switch n := n.(type) {
		case *parse.TextNode:
			out.Write(n.Text)
		case *parse.ActionNode:
			if len(n.Pipe.Decl) > 0 {
				withoutDecl := n.Pipe.CopyPipe()
				withoutDecl.Decl = nil
				scope = &binding{name: n.Pipe.Decl[0].Ident[0], pipe: withoutDecl, outer: scope}
				continue
			}
			switch lits := b.writes(n.Pipe, 8); {
			case len(lits) == 1 && len(calledHelpers(n.Pipe)) == 0:
				out.WriteString(lits[0].text)
			default:
				word, ok := b.word(n.Pipe, scope, c, depth+1)
				if !ok {
					// such as {{ true }} or {{ semverCompare … }}
					switch b.evaluate(n.Pipe, scope, c, depth+1) {
					case isTrue:
						word = "true"
					case isFalse:
						word = "false"
					default:
						return false
					}
				}
				out.WriteString(word)
			}
		case *parse.IfNode:
			arm := n.List
			switch b.evaluate(n.Pipe, scope, c, depth+1) {
			case isFalse:
				arm = n.ElseList
			case unknown:
				return false
			}
			if !b.writeOutput(arm, scope, c, depth+1, out) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
