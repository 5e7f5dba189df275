package webhookdryrun

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// contexts maps the import paths of HTTP frameworks to their types for a request. Major
// versions have paths below these.
var contexts = map[string]string{
	"github.com/gin-gonic/gin":           "Context",
	"github.com/labstack/echo":           "Context",
	"github.com/gofiber/fiber":           "Ctx",
	"github.com/emicklei/go-restful":     "Request",
	"github.com/valyala/fasthttp":        "RequestCtx",
	"github.com/cloudwego/hertz/pkg/app": "RequestContext",
}

// server recognizes functions of an HTTP server. Functions for admission reviews have a
// variable of that type.
func (h *handler) server(sig *types.Signature) bool {
	var writer, request, framework bool
	for p := range sig.Params().Variables() {
		writer = writer || isNamed(p.Type(), "net/http", "ResponseWriter")
		request = request || isNamed(p.Type(), "net/http", "Request")
		framework = framework || isContext(p.Type())
	}
	if !(writer && request) && !framework {
		return false
	}
	h.serves = true
	h.fixText = "skip it when the review's Request.DryRun is true" + declare
	return true
}

// isContext reports whether a type is the request of an HTTP framework.
func isContext(t types.Type) bool {
	n := named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	for path, name := range contexts {
		if n.Obj().Name() == name && major(apicall.ImportPath(n.Obj().Pkg()), path) {
			return true
		}
	}
	return false
}

// major reports whether path is base, or a major version of the module base.
func major(path, base string) bool {
	rest, ok := strings.CutPrefix(path, base)
	return ok && (rest == "" || strings.HasPrefix(rest, "/v") && !strings.Contains(rest[1:], "/"))
}

// kubewebhook recognizes the functions and methods of github.com/slok/kubewebhook:
//
//	Mutate(ctx context.Context, review *model.AdmissionReview, obj metav1.Object) (*mutating.MutatorResult, error)
//	Validate(ctx context.Context, obj metav1.Object) (bool, validating.ValidatorResult, error)
func (h *handler) kubewebhook(sig *types.Signature) bool {
	answers := false
	for r := range sig.Results().Variables() {
		answers = answers || ofKubewebhook(r.Type(), "MutatorResult") || ofKubewebhook(r.Type(), "ValidatorResult")
	}
	if !answers || sig.Params().Len() < 2 || !isNamed(sig.Params().At(0).Type(), "context", "Context") {
		return false
	}
	h.entry = true
	h.fixText = "skip it when IsAdmissionRequestDryRun says so" + declare
	if p := sig.Params().At(1); ofKubewebhook(p.Type(), "AdmissionReview") {
		h.fixText = "skip it when " + orElse(p.Name(), "the review's", ".") + "DryRun is true" + declare
	}
	return true
}

func ofKubewebhook(t types.Type, name string) bool {
	n := named(t)
	return n != nil && n.Obj().Name() == name && n.Obj().Pkg() != nil && strings.HasPrefix(apicall.ImportPath(n.Obj().Pkg()), "github.com/slok/kubewebhook/")
}
