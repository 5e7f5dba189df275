package cli

import (
	"slices"
	"strings"
)

// shortNames returns the full name of a resource for each short name. kubectl accepts
// short names, because API servers publish them in discovery. The list is from
// ShortNames() in pkg/registry of k8s.io/kubernetes and k8s.io/apiextensions-apiserver,
// compared for 1.16, 1.21, 1.31 and 1.37.
func shortNames() map[string]string {
	return map[string]string{
		"cj":     "cronjobs",
		"cm":     "configmaps",
		"crd":    "customresourcedefinitions",
		"crds":   "customresourcedefinitions",
		"cs":     "componentstatuses",
		"csr":    "certificatesigningrequests",
		"deploy": "deployments",
		"ds":     "daemonsets",
		"ep":     "endpoints",
		"ev":     "events",
		"hpa":    "horizontalpodautoscalers",
		"ing":    "ingresses",
		"ip":     "ipaddresses",
		"limits": "limitranges",
		"netpol": "networkpolicies",
		"no":     "nodes",
		"ns":     "namespaces",
		"pc":     "priorityclasses",
		"pdb":    "poddisruptionbudgets",
		"po":     "pods",
		"psp":    "podsecuritypolicies",
		"pv":     "persistentvolumes",
		"pvc":    "persistentvolumeclaims",
		"quota":  "resourcequotas",
		"rc":     "replicationcontrollers",
		"rs":     "replicasets",
		"sa":     "serviceaccounts",
		"sc":     "storageclasses",
		"sts":    "statefulsets",
		"svc":    "services",
		"vac":    "volumeattributesclasses",
	}
}

// longName replaces a short name: deploy.apps becomes deployments.apps. Other names do
// not change.
func longName(name string) string {
	short := name
	if dot := strings.IndexByte(name, '.'); dot >= 0 {
		short = name[:dot]
	}
	if long, ok := shortNames()[strings.ToLower(short)]; ok {
		return long + name[len(short):]
	}
	return name
}

// shortWords returns the short names for shell completion, each with a tab and the full
// name.
func shortWords() []string {
	var words []string
	for short, long := range shortNames() {
		words = append(words, short+"\t"+long)
	}
	slices.Sort(words)
	return words
}
