package dryrun

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// Name returns the name of a source for a message, such as "dryRun", "o.DryRun
// (--dry-run)" or "--dry-run".
func (s *Source) Name() string {
	name := s.Object.Name()
	switch {
	case s.unnamed:
		return s.Option()
	case s.Kind == Local && s.Flag != "" && s.called:
		return s.Option()
	case s.called:
		return name + "()"
	case s.Base != nil && s.Base.Name() != "" && s.Base.Name() != "_":
		name = s.Base.Name() + "." + s.fieldPath + name
	case s.fieldPath != "":
		name = s.fieldPath + name
	}
	if s.negated {
		name = "!" + name
	}
	if s.Flag != "" {
		name += " (" + s.Option() + ")"
	}
	return name
}

// Option returns the flag as the user writes it, such as "--dry-run". For an
// environment variable or a setting in a file, it returns the name, such as "DRY_RUN"
// or "dryRun". It returns "" if the name is not known.
func (s *Source) Option() string {
	if s.Flag == "" || s.variable() || s.setting() {
		return s.Flag
	}
	return "--" + s.Flag
}

// BoundHere describes the code at FlagPos.
func (s *Source) BoundHere() string {
	if s.variable() {
		return "the variable " + s.Flag + " is read here"
	}
	if s.setting() {
		return "the setting " + s.Flag + " is declared here"
	}
	return "the flag " + s.Option() + " is bound here"
}

// setting reports whether Flag is the name of a setting or variable, and not of a flag.
// The names of flags have lower case and hyphens.
func (s *Source) setting() bool {
	return s.Flag != strings.ToLower(s.Flag) || strings.Contains(s.Flag, "_")
}

// variable reports whether Flag is the name of an environment variable.
func (s *Source) variable() bool {
	return s.Flag != strings.ToLower(s.Flag) && s.Flag == strings.ToUpper(s.Flag)
}

// ServerDryRun returns what a user does to get a dry run by the server, for example
// "--dry-run=server".
func (s *Source) ServerDryRun() string { return s.dryRunBy("server") }

// ClientDryRun returns what a user does to get a dry run by the client, for example
// "--dry-run=client".
func (s *Source) ClientDryRun() string { return s.dryRunBy("client") }

func (s *Source) dryRunBy(side string) string {
	flag, t := s.Flag, s.Object.Type()
	if sig, ok := t.(*types.Signature); ok && sig.Results().Len() > 0 {
		t = sig.Results().At(0).Type()
	}
	if n := namedOf(t); flag == "" && n != nil && n.Obj().Pkg() != nil && unvendored(n.Obj().Pkg().Path()) == "k8s.io/kubectl/pkg/cmd/util" {
		flag = "dry-run" // added by cmdutil.AddDryRunFlag
	}
	if flag == "" || s.variable() {
		return "a " + side + "-side dry run"
	}
	return "--" + flag + "=" + side
}

// FixText says how to turn a write into a dry run.
func FixText(c *apicall.Call) string {
	if c == nil {
		return "pass the dry run on or skip the call"
	}
	switch c.Family {
	case apicall.Runtime, apicall.RuntimeSubresource:
		return "skip the write or pass client.DryRunAll"
	case apicall.CreateOr:
		return "skip the write or use client.NewDryRunClient"
	case apicall.Helper:
		return "skip the write or call DryRun(true) on the helper"
	case apicall.Wrapper:
		if field := dryRunOfReceiver(c); field != nil {
			return "skip the call or set " + c.Receiver.(*ast.Ident).Name + "." + field.Name()
		}
		if c.Method != nil && !canGetDryRun(c.Method) {
			return "skip the call, because it takes no dry run"
		}
		return "skip the call or ask it for a dry run"
	case apicall.REST:
		return `skip the write or call Param("dryRun", metav1.DryRunAll) on the request`
	}
	if c.Verb == apicall.VerbEvict {
		return "skip the write or set DryRun in the DeleteOptions of the Eviction"
	}
	if !c.HasOptions {
		return "skip the write, because the call takes no options"
	}
	return "skip the write or set DryRun: []string{metav1.DryRunAll}"
}

// FalseText says how a call with FalseParam leaves the dry run out. It names the type of
// a struct, because the reader of the call does not know the names in the callee. source
// is the dry run of the caller. It may be "".
func (w *Write) FalseText(source string) string {
	sig := w.Callee.Signature()
	if w.falseField == nil {
		if source != "" {
			source = " instead of " + source
		}
		return "passes false" + source + " for the parameter " + w.FalseParam
	}
	holder := sig.Recv()
	if w.falseArg >= 0 {
		holder = sig.Params().At(w.falseArg)
	}
	if source != "" {
		source = " to " + source
	}
	name := holder.Name()
	if n := namedOf(holder.Type()); n != nil {
		name = n.Obj().Name()
	}
	return "does not set " + w.falseField.Name() + " of its " + name + source
}

// dryRunOfReceiver returns the field of a call's receiver that asks for a dry run, such as
// DryRun of Helm's actions. It returns nil if there is none, or if the receiver is not a
// variable.
func dryRunOfReceiver(c *apicall.Call) *types.Var {
	if _, ok := c.Receiver.(*ast.Ident); !ok || c.Method == nil || c.Method.Signature().Recv() == nil {
		return nil
	}
	n := namedOf(c.Method.Signature().Recv().Type())
	if n == nil {
		return nil
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		if ok, _ := dryRunName(f.Name()); ok && f.Exported() && types.Identical(f.Type(), types.Typ[types.Bool]) {
			return f
		}
	}
	return nil
}

// CallText says how to prevent a call from writing in a dry run.
func CallText(callee *types.Func) string {
	if callee == nil || canGetDryRun(callee) {
		return FixText(nil)
	}
	return "give " + callee.Name() + " a parameter for the dry run or skip the call"
}

// canGetDryRun reports whether a function can get the dry run: by a parameter with such
// a name, options, a struct with such a field, or the receiver.
func canGetDryRun(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() != nil {
		return true
	}
	for p := range sig.Params().Variables() {
		if ok, _ := dryRunName(p.Name()); ok {
			return true
		}
		n := namedOf(elem(p.Type()))
		if n == nil {
			continue
		}
		if st, ok := n.Underlying().(*types.Struct); isOptions(n) || ok && hasNamedField(st) {
			return true
		}
	}
	return false
}

// hasNamedField reports whether a struct has a field whose name is that of a dry run.
func hasNamedField(st *types.Struct) bool {
	for f := range st.Fields() {
		if ok, _ := dryRunName(f.Name()); ok {
			return true
		}
	}
	return false
}

// Here reports whether the analyzed package declares the source, so that a message can
// point to the declaration.
func (s *Source) Here() bool { return s.here }

// Describe returns the effect of a write, such as "deletes a Pod". If the kind is not
// known, it says "an object".
func Describe(c *apicall.Call) string {
	if text := describeHelm(c.Method); text != "" {
		return text
	}
	kind := c.GVK.Kind
	if n := namedOf(c.ObjectType); kind == "" && n != nil {
		if _, iface := n.Underlying().(*types.Interface); !iface && !strings.HasPrefix(n.Obj().Name(), "Unstructured") {
			kind = n.Obj().Name()
		}
	}
	kind = strings.TrimSuffix(kind, "ApplyConfiguration")
	what := "an object"
	if kind != "" && (kind != "Scale" || c.Verb != apicall.VerbScale) {
		what = article(kind) + " " + kind
	}
	switch c.Verb {
	case apicall.VerbCreate, apicall.VerbUpdate, apicall.VerbPatch, apicall.VerbApply:
		switch c.Subresource {
		case "":
		case "status":
			what = "the status of " + what
		default:
			what = "the subresource " + c.Subresource + " of " + what
		}
	}
	switch c.Verb {
	case apicall.VerbCreate:
		return "creates " + what
	case apicall.VerbUpdate:
		return "updates " + what
	case apicall.VerbPatch:
		return "patches " + what
	case apicall.VerbApply:
		return "applies " + what
	case apicall.VerbDelete:
		return "deletes " + what
	case apicall.VerbDeleteCollection:
		if kind == "" {
			return "deletes objects"
		}
		return "deletes every matching " + kind
	case apicall.VerbScale:
		return "scales " + what
	case apicall.VerbEvict:
		return "evicts a Pod"
	case apicall.VerbBind:
		if n := namedOf(c.ObjectType); n != nil && n.Obj().Pkg() != nil && !strings.HasPrefix(apicall.ImportPath(n.Obj().Pkg()), "k8s.io/") {
			return "creates " + what // creates a binding of another API
		}
		return "binds a Pod"
	case apicall.VerbApproval:
		return "approves " + what
	case apicall.VerbCreateOrUpdate:
		return "creates or updates " + what
	case apicall.VerbCreateOrPatch:
		return "creates or patches " + what
	}
	return "writes " + what
}

// helmActions maps the actions of Helm to their effects.
var helmActions = map[string]string{
	"Install": "installs a release", "Upgrade": "upgrades a release",
	"Rollback": "rolls back a release", "Uninstall": "uninstalls a release",
}

// describeHelm returns the effect of a method of Helm's actions. It returns "" for other
// methods.
func describeHelm(fn *types.Func) string {
	if fn == nil || fn.Signature().Recv() == nil {
		return ""
	}
	n := namedOf(fn.Signature().Recv().Type())
	if n == nil || n.Obj().Pkg() == nil || !strings.HasPrefix(fn.Name(), "Run") {
		return ""
	}
	switch unvendored(n.Obj().Pkg().Path()) {
	case "helm.sh/helm/v3/pkg/action", "helm.sh/helm/v4/pkg/action":
		return helmActions[n.Obj().Name()]
	}
	return ""
}

// article returns the article that is spoken before a kind: a User, an HTTPRoute, a
// VPC.
func article(kind string) string {
	if len(kind) > 1 && (kind[1] >= 'A' && kind[1] <= 'Z' || kind[1] >= '0' && kind[1] <= '9') {
		if strings.IndexByte("AEFHILMNORSX", kind[0]) >= 0 {
			return "an" // the name of the letter starts with a vowel
		}
		return "a"
	}
	lower := strings.ToLower(kind)
	for _, sound := range []string{"use", "usa", "usu", "uni", "uti", "ubi", "eu", "one", "once"} {
		if strings.HasPrefix(lower, sound) && !strings.HasPrefix(lower, "unin") && !strings.HasPrefix(lower, "unim") {
			return "a"
		}
	}
	if lower != "" && strings.IndexByte("aeiou", lower[0]) >= 0 {
		return "an"
	}
	return "a"
}

// verbs lists the first words of the texts from Describe, in the order that messages
// have.
var verbs = []string{"creates", "updates", "patches", "applies", "deletes"}

// together joins the texts of the first write and of the other writes to the same
// object, as in "creates or patches an object".
func together(writes []string) string {
	if len(writes) == 0 {
		return ""
	}
	verb, what, ok := strings.Cut(writes[0], " ")
	if !ok || !slices.Contains(verbs, verb) {
		return writes[0]
	}
	var said []string
	for _, v := range verbs {
		if slices.Contains(writes, v+" "+what) {
			said = append(said, v)
		}
	}
	last := said[len(said)-1]
	if len(said) > 1 {
		last = strings.Join(said[:len(said)-1], ", ") + " or " + last
	}
	return last + " " + what
}
