package kindwarning

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// resourceQuota warns if requests exceed limits. Servers do not warn on update.
// Source: resourcequotaStrategy.WarningsOnCreate in
// pkg/registry/core/resourcequota/strategy.go (1.35–1.37).
func (w *writer) resourceQuota(r apiserver.Request) {
	if w.Minor < 35 || r.Old != nil {
		return
	}
	hard := r.New.At("spec", "hard")
	for _, name := range [...]string{"cpu", "memory", "storage", "ephemeral-storage"} {
		request := hard.Field("requests." + name)
		if request == nil && (name == "cpu" || name == "memory") {
			request = hard.Field(name)
		}
		limit := hard.Field("limits." + name)
		if request == nil || limit == nil {
			continue
		}
		requested, ok := quantity(request.Value)
		limited, valid := quantity(limit.Value)
		if ok && valid && requested.Cmp(limited) > 0 {
			w.warn(apiserver.Advice, "spec.hard["+request.Name+"]", "ResourceQuota "+request.Name+" ("+requested.String()+
				") should be less than "+limit.Name+" ("+limited.String()+")", cmp.Or(request.Value, request.Key()))
		}
	}
}

// quantity parses a quantity as the server does, and rounds it up to thousandths
// as SetDefaults_ResourceList does. A null is zero. ok is false if the value is
// not a quantity, or if it would take too long to parse.
func quantity(v *wire.Value) (q resource.Quantity, ok bool) {
	if v.IsNull() {
		return q, true
	}
	const maxLength = 4096
	if v.Kind != wire.String && v.Kind != wire.Number || len(v.Text) > maxLength {
		return q, false
	}
	q, ok = schema.ParseQuantity(strings.TrimSpace(v.Text))
	if !ok {
		return q, false
	}
	q.RoundUp(resource.Milli)
	return q, true
}
