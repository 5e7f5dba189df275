package validation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// quantity returns a value as a quantity. ok is false if it is not a quantity;
// the server's decoder refuses such a value.
func quantity(n node) (q resource.Quantity, ok bool) {
	if n.v == nil || n.v.Kind != wire.String && n.v.Kind != wire.Number || len(n.v.Text) > 1000 {
		return q, false
	}
	return schema.ParseQuantity(strings.TrimSpace(n.v.Text))
}

func isHugePage(name string) bool { return strings.HasPrefix(name, "hugepages-") }

func isNative(name string) bool {
	return !strings.Contains(name, "/") || strings.Contains(name, "kubernetes.io/")
}

func isOvercommitAllowed(name string) bool { return isNative(name) && !isHugePage(name) }

func (v *validator) isExtended(name string) bool {
	return !isNative(name) && !strings.HasPrefix(name, "requests.") && len(qualifiedErrors(v.minor, "requests."+name)) == 0
}

// integerResources are the resources whose quantity must be an integer.
var integerResources = []string{"pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"}

// quotaResources are the resources of the server's list standardQuotaResources.
var quotaResources = append([]string{"cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage"}, integerResources...)

func isQuotaHugePage(name string) bool {
	return strings.HasPrefix(name, "hugepages-") || strings.HasPrefix(name, "requests.hugepages-")
}

func isStandard(name string) bool {
	return name == "storage" || slices.Contains(quotaResources, name) || isQuotaHugePage(name)
}

// resourceName checks the name of a resource. It returns false if it adds an
// error. Source: validateResourceName.
func (v *validator) resourceName(n node, name string) (ok bool) {
	if errs := qualifiedErrors(v.minor, name); len(errs) > 0 {
		for _, m := range errs {
			v.invalid(n, v.resourceText(name), m)
		}
		return false
	}
	if !strings.Contains(name, "/") && !isStandard(name) {
		v.invalid(n, v.resourceText(name), "must be a standard resource type or fully qualified")
		return false
	}
	return true
}

// resourceText formats a ResourceName for an error: as a quoted string up to
// 1.28, and by its String method up to 1.33.
func (v *validator) resourceText(name string) string {
	switch {
	case v.minor <= 28:
		return strconv.Quote(name)
	case v.minor <= 33:
		return name
	}
	return jsonString(name)
}

// containerResource checks the name of a resource of a container. Source:
// ValidateContainerResourceName.
func (v *validator) containerResource(n node, name string) {
	switch name {
	case "cpu", "memory", "ephemeral-storage":
		return
	}
	v.resourceName(n, name)
	switch {
	case !strings.Contains(name, "/"):
		if !isHugePage(name) {
			v.invalid(n, v.resourceText(name), "must be a standard resource for containers")
		}
	case !isNative(name) && !v.isExtended(name):
		v.invalid(n, v.resourceText(name), "doesn't follow extended resource name standard")
	}
}

// quantityValue checks the quantity of a resource. Source:
// ValidateResourceQuantityValue.
func (v *validator) quantityValue(n node, name string, q resource.Quantity) {
	if q.Sign() < 0 {
		v.invalid(n, strconv.Quote(q.String()), "must be greater than or equal to 0")
	}
	if (slices.Contains(integerResources, name) || v.isExtended(name)) && q.MilliValue()%1000 != 0 {
		v.invalid(n, v.quantityText(q), "must be an integer")
		if v.minor < 34 {
			v.inexact()
		}
	}
}

// quantityText formats a Quantity for an error. Up to 1.33 it is in Go syntax
// with all internal fields.
func (v *validator) quantityText(q resource.Quantity) string {
	if v.minor >= 34 {
		return jsonString(q.String())
	}
	_ = q.String() // String caches its result in q
	return fmt.Sprintf("%#v", q)
}

// containerResources checks the resources of a container. Source:
// ValidateContainerResourceRequirements.
func (v *validator) containerResources(r node) {
	if !r.isSet() {
		return
	}
	v.resourceLists(r.p, r.get("limits"), r.get("requests"), v.containerResource)
	v.claimNames(v.gated("DynamicResourceAllocation", r.get("claims")))
}

// resourceLists checks limits and requests. The requests of a pod default to its
// limits. at is the path of the requirements, and name checks the name of a
// resource. Source: validateResourceRequirements without claims.
func (v *validator) resourceLists(at *path, limits, requests node, name func(node, string)) {
	compute, huge := false, false
	item := func(list node, key string, value node) (resource.Quantity, node) {
		n := value.withPath(list.p.key(key))
		q := listedQuantity(value)
		name(n, key)
		v.quantityValue(n, key, q)
		compute = compute || key == "cpu" || key == "memory"
		return q, n
	}
	page := func(n node, key string, q resource.Quantity) {
		if !isHugePage(key) {
			return
		}
		huge = true
		size, ok := schema.ParseQuantity(strings.TrimPrefix(key, "hugepages-"))
		if !ok || size.Sign() <= 0 || size.MilliValue()%1000 != 0 || size.Value() == 0 || q.Value()%size.Value() != 0 {
			v.invalid(n, strconv.Quote(q.String()), q.String()+" is not positive integer multiple of "+key)
		}
	}
	for key, value := range limits.entries {
		q, n := item(limits, key, value)
		page(n, key, q)
	}
	request := func(key string, value node) {
		q, n := item(requests, key, value)
		if limitValue := limits.v.Get(key); limitValue != nil {
			limit := listedQuantity(node{v: limitValue})
			limitText := ""
			if v.minor >= 27 {
				limitText = " of " + limit.String()
			}
			if c := q.Cmp(limit); c != 0 && !isOvercommitAllowed(key) {
				v.invalid(value.withPath(requests.p), strconv.Quote(q.String()), "must be equal to "+key+" limit"+limitText)
			} else if c > 0 {
				v.invalid(value.withPath(requests.p), strconv.Quote(q.String()), "must be less than or equal to "+key+" limit"+limitText)
			}
		} else if !isOvercommitAllowed(key) {
			v.required(value.withPath(limits.p), "Limit must be set for non overcommitable resources")
		}
		page(n, key, q)
	}
	for key, value := range requests.entries {
		request(key, value)
	}
	if v.pod.isPod && !requestsStayUnset(at) {
		for key, value := range limits.entries {
			if requests.v.Get(key) == nil && (!isPlain(key) || signOf(value) < 0) {
				request(key, value)
			}
		}
	}
	if !compute && huge {
		v.forbidden(node{owner: limits.owner, p: at}, "HugePages require cpu or memory")
	}
}

// listedQuantity returns a quantity of a ResourceList, rounded up to thousandths
// as SetDefaults_ResourceList does.
func listedQuantity(n node) resource.Quantity {
	q, _ := quantity(n)
	q.RoundUp(resource.Milli)
	return q
}

func signOf(n node) int {
	q, _ := quantity(n)
	return q.Sign()
}

// requestsStayUnset reports whether missing requests stay missing, as for
// ephemeral containers and the pod itself. For other containers the limits are
// the default. at is the path of the requirements.
func requestsStayUnset(at *path) bool {
	if at.name != "resources" || at.parent == nil || at.parent.kind != indexStep {
		return true
	}
	return at.parent.parent.name != "containers" && at.parent.parent.name != "initContainers"
}

// isPlain reports whether a resource that is valid as a limit is also valid as a
// request.
func isPlain(key string) bool { return key == "cpu" || key == "memory" || key == "ephemeral-storage" }

// claimNames checks the names of a container's resource claims. Source:
// validateResourceClaimNames (since 1.26).
func (v *validator) claimNames(list node) {
	seen, withRequest := map[string]bool{}, map[string]bool{}
	for _, c := range list.items {
		name := c.str("name")
		if name == "" {
			v.required(c, "")
			continue
		}
		if seen[name] {
			v.duplicate(c, strconv.Quote(name))
		} else {
			v.claimKey(c, name, seen, withRequest)
		}
		if !v.pod.claims[name] {
			detail := "must be one of the names in pod.spec.resourceClaims"
			if len(v.pod.claims) == 0 {
				detail += " which is empty"
			} else {
				all := make([]string, 0, len(v.pod.claims))
				for n := range v.pod.claims {
					all = append(all, n)
				}
				slices.Sort(all)
				detail += ": " + strings.Join(all, ", ")
			}
			v.notFound(c, name, detail)
		}
	}
}

// claimKey checks the name and the request of a claim. seen has the earlier
// claims: "name/request", or "name" without a request. withRequest has the names
// of earlier claims with a request.
func (v *validator) claimKey(c node, name string, seen, withRequest map[string]bool) {
	key := name
	request := c.get("request")
	if v.minor < 31 {
		request = request.absent()
	}
	if request.text() != "" {
		v.dnsLabel(request, request.text())
		key += "/" + request.text()
	}
	if seen[key] {
		v.duplicate(c, strconv.Quote(key))
	} else if request.text() == "" && v.minor >= 31 && withRequest[name] {
		v.duplicate(c, strconv.Quote(name))
	}
	seen[key] = true
	if before, _, ok := strings.Cut(key, "/"); ok {
		withRequest[before] = true
	}
}
