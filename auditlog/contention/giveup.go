package contention

import (
	"slices"
	"strings"
)

// giveUp returns how each of the sides can stop setting the field. It has no
// advice for a controller of Kubernetes, because such a controller follows the
// object's owner.
func (a *adviser) giveUp(sides []int) string {
	var ways []string
	var fixed []int
	who := map[string][]int{}
	for _, i := range sides {
		s := &a.f.Sides[i]
		switch {
		case autoscaler(s):
		case component(s):
			fixed = append(fixed, i)
		default:
			way := wayOut(s)
			if who[way] == nil {
				ways = append(ways, way)
			}
			who[way] = append(who[way], i)
		}
	}
	out := ""
	for _, way := range ways {
		out += ". For " + strings.ReplaceAll(a.list(who[way]), " and ", " or ") + ": " + way
	}
	if len(fixed) > 0 {
		out += ". " + a.list(fixed) + plural(fixed, " is a controller of Kubernetes and follows", " are controllers of Kubernetes and follow") + " the object that owns this one: change that instead"
	}
	return out
}

// component reports whether a writer is a component of Kubernetes.
func component(s *Side) bool {
	return strings.HasPrefix(s.Agent, "kube-controller-manager") || strings.HasPrefix(s.User, "system:node:") ||
		s.User == "system:kube-controller-manager" || s.User == "system:kube-scheduler"
}

// autoscaler reports whether a writer is an autoscaler.
func autoscaler(s *Side) bool {
	who := strings.ToLower(s.User + " " + s.Agent)
	return strings.Contains(who, "autoscaler") || strings.Contains(who, "keda")
}

// builtIn reports whether all types of an API group are built in.
func builtIn(group string) bool {
	switch name, _, _ := strings.Cut(group, "."); name {
	case "", "apps", "batch", "autoscaling", "policy", "extensions":
		return !strings.Contains(group, ".")
	case "admissionregistration", "apiextensions", "apiregistration", "certificates", "coordination", "discovery", "events", "networking", "node",
		"resource", "scheduling", "storage":
		return group == name+".k8s.io"
	}
	return group == "rbac.authorization.k8s.io" || group == "flowcontrol.apiserver.k8s.io"
}

// wayOut returns how a writer can stop setting a field. It names a setting of a
// well-known tool, or a change of the method.
func wayOut(s *Side) string {
	agent := strings.ToLower(s.Agent + " " + s.Manager)
	has := func(name string) bool { return strings.Contains(agent, name) }
	switch {
	case len(s.How) > 0 && s.How[0] == HowScale:
		return "stop scaling the object"
	case s.Webhook:
		return "exempt the object in the selectors or matchConditions of the webhook"
	case has("argocd"), has("argo-cd"):
		return "add the field to ignoreDifferences of the Application, with the sync option RespectIgnoreDifferences=true"
	case has("kustomize-controller"):
		return "remove the field from the manifest in Git, or add an ignore rule to the Flux Kustomization"
	case has("helm-controller"):
		return "remove the field from the chart and its values, or add it to driftDetection.ignore of the HelmRelease"
	case has("helm"):
		return "remove the field from the chart and its values"
	case has("terraform"), has("opentofu"):
		return "add the field to ignore_changes in the lifecycle block of the resource"
	case has("kubectl"):
		return "remove the field from the manifest or the command"
	}
	if len(s.How) == 0 {
		return "do not send the field"
	}
	switch s.How[0] {
	case HowApply, HowForcedApply:
		return "leave the field out of the applied configuration"
	case HowUpdate:
		return "send the value of the field as it was read, or patch other fields only"
	case HowDelete:
		return "stop deleting the object"
	}
	return "leave the field out of the patch"
}

// handOver returns the advice to make another client the owner of a field
// before a client stops applying it. The server removes a field without an
// owner (kubernetes.io, Server-Side Apply, Transferring ownership). The result
// is empty if no side applies the object.
func (a *adviser) handOver(sides []int) string {
	applies := slices.ContainsFunc(sides, func(i int) bool {
		s := &a.f.Sides[i]
		return slices.Contains(s.How, HowApply) || slices.Contains(s.How, HowForcedApply)
	})
	if !applies {
		return ""
	}
	return ". Before an applier drops the field, make the other its owner with kubectl apply --server-side --field-manager=NAME: the server removes a field without an owner"
}
