package webhookdryrun

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// inCode stands for the side effects of a configuration that Go code creates. The side
// effects are not known.
const inCode = "code"

// configuration is the content of one webhook's manifest.
type configuration struct {
	mutating bool
	path     string // of its URL; "" if it is not known
	claims   string // value of sideEffects
	verbs    []string
	file     string
	line     int
}

// configurations is the option with the webhooks of manifests. Its text is a list,
// separated by commas. The form of each element is
//
//	KIND|PATH|SIDEEFFECTS|OPERATIONS|FILE:LINE
//
// An example is validating|/validate-v1-pod|None|create+update|config/webhook.yaml:12.
// PATH, OPERATIONS and FILE:LINE may be empty. SIDEEFFECTS is "code" if Go code creates the
// configuration and sets them. The zero value contains no webhooks.
type configurations struct {
	mu    sync.Mutex
	text  string
	later func() string // returns the text when it is first needed
	list  []*configuration
}

// String returns the text of the webhooks. It returns "" if SetLater was called and the
// webhooks were not needed yet.
func (c *configurations) String() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text
}

// Set replaces the webhooks.
func (c *configurations) Set(text string) error {
	list, err := parseConfigurations(text)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text, c.later, c.list = text, nil, list
	return nil
}

// SetLater replaces the webhooks by the result of a function. The function is called when
// the webhooks are first needed.
func (c *configurations) SetLater(text func() string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text, c.later, c.list = "", text, nil
}

func (c *configurations) all() []*configuration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.later != nil {
		c.text, c.later = c.later(), nil
		c.list, _ = parseConfigurations(c.text) // the result of the function has no errors
	}
	return c.list
}

func parseConfigurations(text string) (list []*configuration, err error) {
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		f := strings.Split(one, "|")
		if len(f) != 5 || f[0] != "mutating" && f[0] != "validating" {
			return nil, fmt.Errorf("%q is no webhook as validating|/validate-v1-pod|None|create+update|config/webhook.yaml:12", one)
		}
		w := &configuration{mutating: f[0] == "mutating", path: f[1], claims: f[2], file: f[4]}
		if f[3] != "" {
			w.verbs = strings.Split(strings.ToLower(f[3]), "+")
		}
		if file, line, ok := cutLast(f[4], ':'); ok {
			if w.line, err = strconv.Atoi(line); err == nil {
				w.file = file
			}
			err = nil
		}
		list = append(list, w)
	}
	return list, nil
}

func cutLast(s string, sep byte) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// answers reports whether a webhook's configuration declares the side effects for a marker.
// It has the same path, or code creates it. Then nothing is generated from the marker.
func (w *configuration) answers(m *marker) bool {
	if w.claims == inCode {
		return w.mutating == m.mutating
	}
	return w.path == m.path && w.path != "" && w.claims != ""
}

// asks reports whether a webhook receives requests with a verb.
func (w *configuration) asks(verb string) bool { return asked(w.verbs, verb) }

// configured returns the claim of the manifests about a handler. Several manifests can
// belong to the handler. configured returns their claim only if all of them claim the same.
func (c *checker) configured(h *handler) claim {
	fn := outermost(h.fn)
	var all []*configuration
	for _, w := range c.configurations.all() {
		if w.claims != inCode && h.mayBe(fn, w.mutating) && w.asks(h.verb()) {
			all = append(all, w)
		}
	}
	if len(all) == 0 {
		return claim{}
	}
	if paths := c.paths(fn); len(paths) > 0 {
		all = slices.DeleteFunc(all, func(w *configuration) bool { return w.path != "" && !slices.Contains(paths, w.path) })
	}
	for _, w := range all {
		if w.claims != all[0].claims {
			return claim{}
		}
	}
	if len(all) == 0 {
		return claim{}
	}
	return claim{configuration: all[0], text: all[0].claims}
}

// paths returns the constant URL paths with which the package registers a handler:
// server.Register("/mutate", &webhook.Admission{Handler: &guard{}}), or
// mux.HandleFunc("/mutate", serve).
func (c *checker) paths(fn *ssa.Function) (paths []string) {
	obj, _ := fn.Object().(*types.Func)
	if obj == nil {
		return nil
	}
	var recv *types.TypeName
	if r := obj.Signature().Recv(); r != nil {
		t := r.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := t.(*types.Named); ok {
			recv = named.Obj()
		}
	}
	for _, file := range c.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 {
				return true
			}
			v := c.pass.TypesInfo.Types[call.Args[0]].Value
			if v == nil || v.Kind() != constant.String || !strings.HasPrefix(constant.StringVal(v), "/") {
				return true
			}
			for _, arg := range call.Args[1:] {
				if mentions(c.pass, arg, obj, recv) {
					paths = append(paths, constant.StringVal(v))
					break
				}
			}
			return true
		})
	}
	return paths
}

// mentions reports whether an expression names a function or a type, or a variable of the
// type.
func mentions(pass *analysis.Pass, e ast.Expr, fn *types.Func, recv *types.TypeName) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found {
			return !found
		}
		switch o := pass.TypesInfo.Uses[id].(type) {
		case *types.Func:
			found = o == fn
		case *types.TypeName:
			found = o == recv && recv != nil
		case *types.Var:
			t := o.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			named, ok := t.(*types.Named)
			found = ok && recv != nil && named.Obj() == recv
		}
		return !found
	})
	return found
}

// name returns the manifest's name in a message.
func (w *configuration) name() string {
	name := cmp.Or(filepath.ToSlash(w.file), "its configuration")
	if w.line > 0 {
		name += ":" + strconv.Itoa(w.line)
	}
	return name
}
