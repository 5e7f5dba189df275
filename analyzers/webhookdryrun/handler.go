package webhookdryrun

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// handler is a function that answers admission requests.
type handler struct {
	fn *ssa.Function
	// requests names the requests that it answers, such as "creates".
	requests string
	// fixText says how to fix a write in it.
	fixText string
	// entry is true for methods that a framework calls. Whether they run does not depend on
	// callers in the package.
	entry bool
	// serves is true for functions of an HTTP server. They are handlers only if they use
	// admission reviews.
	serves bool
}

// Import paths that identify handlers.
const (
	frameworkPath = "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	reviewPrefix  = "k8s.io/api/admission/"
	pluginPath    = "k8s.io/apiserver/pkg/admission"
	runtimePath   = "k8s.io/apimachinery/pkg/runtime"
	knativePath   = "knative.dev/pkg/apis"
)

// declare is the advice for every webhook that writes.
const declare = ", and declare sideEffects NoneOnDryRun, not None"

// handlerOf returns the handler for a function with the signature of one, or nil for other
// functions.
func handlerOf(fn *ssa.Function) *handler {
	name := ""
	if fn.Object() != nil && fn.Signature.Recv() != nil {
		name = fn.Object().Name()
	}
	h := &handler{fn: fn, requests: "requests"}
	if h.matches(fn.Signature, name) && (!h.serves || hasReview(fn)) {
		return h
	}
	return nil
}

// couldHandle reports whether a package has a function with the signature of a handler.
func couldHandle(pass *analysis.Pass) bool {
	found := false
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			h := &handler{}
			switch n := n.(type) {
			case *ast.FuncDecl:
				if fn, ok := pass.TypesInfo.Defs[n.Name].(*types.Func); ok {
					name := ""
					if n.Recv != nil {
						name = fn.Name()
					}
					found = found || h.matches(fn.Signature(), name)
				}
			case *ast.FuncLit:
				if sig, ok := pass.TypesInfo.TypeOf(n).(*types.Signature); ok {
					found = found || h.matches(sig, "")
				}
			}
			return !found
		})
	}
	return found
}

// matches reports whether a signature is that of a handler. name is the name of a method,
// or "".
func (h *handler) matches(sig *types.Signature, name string) bool {
	return h.plugin(sig, name) || h.custom(sig, name) || h.object(sig, name) || h.knative(sig, name) || h.kubewebhook(sig) || h.request(sig, name) || h.server(sig)
}

// plugin recognizes admission plugins of all releases of k8s.io/apiserver:
//
//	Admit(ctx, a admission.Attributes, o admission.ObjectInterfaces) error
func (h *handler) plugin(sig *types.Signature, name string) bool {
	if name != "Admit" && name != "Validate" || !onlyError(sig.Results()) {
		return false
	}
	for p := range sig.Params().Variables() {
		if isNamed(p.Type(), pluginPath, "Attributes") {
			h.entry = true
			h.fixText = "skip it when " + orElse(p.Name(), "the attributes'", ".") + "IsDryRun() is true"
			return true
		}
	}
	return false
}

// custom recognizes the methods of controller-runtime's CustomValidator, CustomDefaulter
// and their generic successors:
//
//	ValidateUpdate(ctx context.Context, oldObj, newObj T) (admission.Warnings, error)
//	Default(ctx context.Context, obj T) error
func (h *handler) custom(sig *types.Signature, name string) bool {
	params := sig.Params()
	want := map[string]int{"ValidateCreate": 1, "ValidateUpdate": 2, "ValidateDelete": 1, "Default": 1}[name]
	if want == 0 || params.Len() != want+1 || !isNamed(params.At(0).Type(), "context", "Context") || sig.Variadic() {
		return false
	}
	for i := 1; i <= want; i++ {
		if !isObject(params.At(i).Type()) {
			return false
		}
	}
	if !h.answers(sig, name) {
		return false
	}
	h.fixText = "ask admission.RequestFromContext for DryRun first" + declare
	return true
}

// object recognizes the methods that API types have for the webhooks of controller-runtime
// before 0.21:
//
//	ValidateUpdate(old runtime.Object) (admission.Warnings, error)
//	Default()
func (h *handler) object(sig *types.Signature, name string) bool {
	params := sig.Params()
	want, known := map[string]int{"ValidateCreate": 0, "ValidateUpdate": 1, "ValidateDelete": 0, "Default": 0}[name]
	if !known || params.Len() != want || !isObject(sig.Recv().Type()) {
		return false
	}
	if want == 1 && !isNamed(params.At(0).Type(), runtimePath, "Object") {
		return false
	}
	if name == "Default" && sig.Results().Len() == 0 {
		h.entry = true
	} else if name == "Default" || !h.answers(sig, name) {
		return false
	}
	h.fixText = "these methods cannot see a dry run: use a webhook that can, such as admission.CustomValidator" + declare
	return true
}

// answers checks the results of these methods, and sets the requests.
func (h *handler) answers(sig *types.Signature, name string) bool {
	results := sig.Results()
	switch {
	case onlyError(results):
	case name != "Default" && results.Len() == 2 && isNamed(results.At(0).Type(), frameworkPath, "Warnings") && isError(results.At(1).Type()):
	default:
		return false
	}
	switch name {
	case "ValidateCreate":
		h.requests = "creates"
	case "ValidateUpdate":
		h.requests = "updates"
	case "ValidateDelete":
		h.requests = "deletes"
	}
	h.entry = true
	return true
}

// knative recognizes the method that Knative's webhooks call to validate an object:
//
//	Validate(ctx context.Context) *apis.FieldError
func (h *handler) knative(sig *types.Signature, name string) bool {
	params, results := sig.Params(), sig.Results()
	if name != "Validate" || params.Len() != 1 || !isNamed(params.At(0).Type(), "context", "Context") ||
		results.Len() != 1 || !isNamed(results.At(0).Type(), knativePath, "FieldError") || !isObject(sig.Recv().Type()) {
		return false
	}
	h.entry = true
	h.fixText = "skip it when apis.IsDryRun says so" + declare
	return true
}

// request recognizes functions that get an admission request and return the response. The
// types are those of controller-runtime or k8s.io/api/admission, or structs of a project
// that embed them. A struct of arguments can also have the request in a field:
//
//	Handle(ctx context.Context, req admission.Request) admission.Response
//	func(review *admissionv1.AdmissionReview) *admissionv1.AdmissionResponse
//	Mutate(input *Input) *admissionv1.AdmissionResponse
//
// It also recognizes methods of a framework that turns an error into the response:
//
//	Create(request *admission.Request, newObj runtime.Object) error
func (h *handler) request(sig *types.Signature, name string) bool {
	responds := sig.Results().Len() > 0 && holds(sig.Results().At(0).Type(), "AdmissionResponse", "AdmissionReview")
	if !responds && !frameworkMethod(sig, name) {
		return false
	}
	for p := range sig.Params().Variables() {
		switch {
		case !holds(p.Type(), "AdmissionRequest", "AdmissionReview"):
			if path := pathToRequest(p.Type()); responds && path != "" {
				h.fixText = "skip it when " + orElse(p.Name(), "the argument's", ".") + path + ".DryRun is true" + declare
				return true
			}
			continue
		case !responds && (isReview(p.Type(), "AdmissionRequest", "AdmissionReview") || isNamed(p.Type(), frameworkPath, "Request")):
			// A request alone may be stored, and processed long after its admission.
			return false
		case holds(p.Type(), "AdmissionRequest"):
			h.fixText = "skip it when " + orElse(p.Name(), "the request's", ".") + "DryRun is true" + declare
		default:
			h.fixText = "skip it when " + orElse(p.Name(), "the review's", ".") + "Request.DryRun is true" + declare
		}
		if !responds {
			h.requests = map[string]string{"Create": "creates", "Update": "updates", "Delete": "deletes", "Connect": "connects"}[name]
			if h.requests == "" {
				h.requests = "requests"
			}
		}
		h.entry = name == "Handle" && sig.Params().Len() == 2 && isNamed(p.Type(), frameworkPath, "Request")
		return true
	}
	return false
}

// frameworkMethod reports whether a method has the name of a request and can refuse it.
func frameworkMethod(sig *types.Signature, name string) bool {
	switch name {
	case "Create", "Update", "Delete", "Connect", "Admit", "Mutate", "Validate", "Default":
		n := sig.Results().Len()
		return n > 0 && isError(sig.Results().At(n-1).Type())
	}
	return false
}

// hasReview reports whether a function has a value that is an admission review or request.
// The function decodes one, or calls another function that does.
func hasReview(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			v, ok := i.(ssa.Value)
			if !ok {
				continue
			}
			t := v.Type()
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			if isReview(t, "AdmissionReview", "AdmissionRequest") {
				return true
			}
		}
	}
	return false
}

// name returns the handler's name in a message.
func (h *handler) name() string { return nameOf(h.fn) }

// span returns the position of findings about the handler: its name, or the word func of a
// literal.
func (h *handler) span() (pos, end token.Pos) {
	if obj := h.fn.Object(); obj != nil {
		return obj.Pos(), obj.Pos() + token.Pos(len(obj.Name()))
	}
	return h.fn.Pos(), h.fn.Pos() + token.Pos(len("func"))
}

func nameOf(fn *ssa.Function) string {
	if fn.Object() != nil {
		return fn.Object().Name()
	}
	if p := fn.Parent(); p != nil && p.Object() != nil {
		return "the handler in " + p.Object().Name()
	}
	return "the handler"
}

// orElse returns a parameter's name with a separator. If the parameter has no name, it
// returns words.
func orElse(name, words, separator string) string {
	if name == "" || name == "_" {
		return words + " "
	}
	return name + separator
}
