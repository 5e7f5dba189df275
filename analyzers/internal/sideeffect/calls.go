package sideeffect

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// Classify returns the effect of a call that changes something outside the program, except
// for writes to Kubernetes APIs. It returns false if the call has no certain effect. The
// caller must set Instr, Func and Via.
func Classify(i ssa.CallInstruction) (Effect, bool) {
	callee := Method(i)
	if callee == nil || callee.Pkg() == nil {
		return Effect{}, false
	}
	text := ""
	if s := subjectOf(callee.Pkg()); s != 0 {
		text = s.text(i, callee)
	}
	if text == "" && callsOverGRPC(callee) {
		text = "makes a writing gRPC call"
	}
	if text == "" {
		if !extra.has(callee) {
			return Effect{}, false
		}
		text = "calls"
		return Effect{Pos: i.Pos(), End: i.Pos(), Text: text + " " + Qualified(callee)}, true
	}
	if !strings.Contains(text, " (") && !strings.HasPrefix(text, "runs ") {
		text += " with " + Qualified(callee)
	}
	return Effect{Pos: i.Pos(), End: i.Pos(), Text: text}, true
}

// Method returns the called function or interface method. It is nil for a function value.
func Method(i ssa.CallInstruction) *types.Func {
	common := i.Common()
	if common.IsInvoke() {
		return common.Method
	}
	if fn := common.StaticCallee(); fn != nil {
		if o := fn.Origin(); o != nil {
			fn = o
		}
		obj, _ := fn.Object().(*types.Func)
		return obj
	}
	return nil
}

// Qualified returns a function's name as in code, such as os.WriteFile or Conn.Publish.
func Qualified(fn *types.Func) string {
	if t := receiverName(fn); t != "" {
		return t + "." + fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

// receiverName returns the name of the type that has a method. It is "" for functions.
func receiverName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// subject is a set of bits that say what functions of a package may do.
type subject uint8

const (
	onList subject = 1 << iota
	sql
	httpClient
	osFiles
	programs
	googleAPI
)

// subjectOf returns the subjects of a package, by its import path.
func subjectOf(pkg *types.Package) (s subject) {
	path := apicall.ImportPath(pkg)
	for i := range kinds {
		if below(path, kinds[i].path) {
			s |= onList
			break
		}
	}
	switch {
	case path == "database/sql", below(path, "github.com/jmoiron/sqlx"), below(path, "github.com/jackc/pgx"):
		s |= sql
	case path == "net/http", below(path, "github.com/hashicorp/go-retryablehttp"):
		s |= httpClient
	case path == "os":
		s |= osFiles
	case path == "os/exec":
		s |= programs
	case below(path, "google.golang.org/api"):
		s |= googleAPI
	}
	return s
}

// kindOf returns the first entry in kinds for a function, or nil.
func kindOf(callee *types.Func) *kind {
	name, recv, path := callee.Name(), receiverName(callee), apicall.ImportPath(callee.Pkg())
	for i := range kinds {
		k := &kinds[i]
		if !below(path, k.path) || (len(k.types) == 0) != (recv == "") || recv != "" && !fits(k.types, recv) {
			continue
		}
		if k.names == nil && changing(name) && callee.Exported() || fits(k.names, name) {
			return k
		}
	}
	return nil
}

// may reports whether a function of a package with these subjects may have an effect, for
// some arguments.
func (s subject) may(callee *types.Func) bool {
	name := callee.Name()
	return s&onList != 0 && kindOf(callee) != nil ||
		s&sql != 0 && (strings.Contains(name, "Exec") || strings.HasPrefix(name, "Query")) ||
		s&(httpClient|googleAPI) != 0 && name == "Do" ||
		s&osFiles != 0 && name == "OpenFile" ||
		s&programs != 0 && strings.HasPrefix(name, "Command")
}

func (s subject) text(i ssa.CallInstruction, callee *types.Func) string {
	name, recv := callee.Name(), receiverName(callee)
	if s&onList != 0 {
		if k := kindOf(callee); k != nil {
			if path := apicall.ImportPath(callee.Pkg()); (path == "os" || path == "io/ioutil") && temporary(i.Parent()) {
				return ""
			}
			if k.text == post && i != nil && answerUsed(i) {
				return ""
			}
			return k.text
		}
	}
	switch {
	case s&sql != 0:
		if words := Statement(i, callee); words != "" {
			return "runs SQL " + words
		}
	case s&httpClient != 0 && recv == "Client" && name == "Do":
		if m := requestMethod(i); m != "" && (m != "POST" || !answerUsed(i)) {
			return "sends an HTTP " + m + " request"
		}
	case s&osFiles != 0 && recv == "" && name == "OpenFile":
		if opensToWrite(i) && !temporary(i.Parent()) {
			return "writes a file"
		}
	case s&programs != 0 && recv == "" && (name == "Command" || name == "CommandContext"):
		if line := commandLine(i, name == "CommandContext"); line != "" {
			return "runs " + line
		}
	case s&googleAPI != 0 && name == "Do" && strings.HasSuffix(recv, "Call"):
		for _, verb := range []string{"Insert", "Create", "Delete", "Update", "Patch", "SetMetadata", "SetLabels", "SetIamPolicy", "Attach", "Detach", "Start", "Stop", "Add", "Remove", "Move"} {
			// InstancesInsertCall calls the method Insert of the service Instances.
			if strings.Contains(strings.TrimSuffix(recv, "Call"), verb) && !strings.HasPrefix(recv, verb) {
				return cloud
			}
		}
	}
	return ""
}

// Statement returns the first word of the writing SQL statement that a call runs, such as
// INSERT. It is "" if the statement does not write, or is not constant.
func Statement(i ssa.CallInstruction, callee *types.Func) string {
	s := subjectOf(callee.Pkg())
	exec := strings.Contains(callee.Name(), "Exec")
	if s&sql == 0 || !exec && !strings.HasPrefix(callee.Name(), "Query") || receiverName(callee) == "" {
		return ""
	}
	for _, arg := range i.Common().Args {
		text, ok := constantText(arg)
		if !ok {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		switch first = strings.ToUpper(strings.TrimSpace(first)); first {
		case "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE":
			return first
		}
	}
	return ""
}

func constantText(v ssa.Value) (string, bool) {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}

// requestMethod returns the method of an HTTP request if it is constant and changes
// something, such as PUT. Otherwise it returns "".
func requestMethod(i ssa.CallInstruction) string {
	args := i.Common().Args
	if len(args) == 0 {
		return ""
	}
	extract, ok := args[len(args)-1].(*ssa.Extract)
	if !ok {
		return ""
	}
	made, ok := extract.Tuple.(*ssa.Call)
	if !ok {
		return ""
	}
	callee := Method(made)
	if callee == nil || subjectOf(callee.Pkg())&httpClient == 0 || !strings.HasPrefix(callee.Name(), "NewRequest") {
		return ""
	}
	for _, arg := range made.Call.Args {
		switch m, _ := constantText(arg); m {
		case "POST", "PUT", "PATCH", "DELETE":
			return m
		}
	}
	return ""
}

// grpcVerbs has the first words of gRPC method names that stand for a change.
var grpcVerbs = set("Create", "Update", "Delete", "Put", "Add", "Remove", "Insert", "Register", "Unregister", "Deregister",
	"Attach", "Detach", "Allocate", "Release", "Assign", "Unassign", "Revoke", "Publish", "Patch", "Replace")

// callsOverGRPC reports whether a function is a method of a generated gRPC client whose
// name says that it changes something:
//
//	CreateVolume(ctx context.Context, in *Request, opts ...grpc.CallOption) (*Response, error)
func callsOverGRPC(fn *types.Func) bool {
	sig := fn.Signature()
	params := sig.Params()
	if sig.Recv() == nil || !sig.Variadic() || params.Len() < 2 {
		return false
	}
	last, ok := params.At(params.Len() - 1).Type().(*types.Slice)
	if !ok {
		return false
	}
	n, ok := types.Unalias(last.Elem()).(*types.Named)
	if !ok || n.Obj().Name() != "CallOption" || apicall.ImportPath(n.Obj().Pkg()) != "google.golang.org/grpc" {
		return false
	}
	verb, rest := FirstWord(fn.Name())
	return grpcVerbs[verb] && !Virtual(rest)
}
