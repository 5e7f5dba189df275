package tally

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FoldAgent returns the program of a User-Agent without versions, platforms and commits, so that
// all releases of a program are one: "kubectl" for "kubectl/v1.32.4 (linux/amd64)
// kubernetes/59526cd". It keeps the suffix with which Kubernetes components name their parts:
// "kube-controller-manager/generic-garbage-collector".
func FoldAgent(agent string) string {
	var names []string
	suffix := ""
	for agent != "" {
		agent = strings.TrimLeft(agent, " ")
		if strings.HasPrefix(agent, "(") {
			end := strings.IndexByte(agent, ')')
			if end < 0 {
				break
			}
			agent = agent[end+1:]
			continue
		}
		word, rest, _ := strings.Cut(agent, " ")
		agent = rest
		name, version, _ := strings.Cut(word, "/")
		if name == "kubernetes" && len(names) > 0 {
			// kubernetes/COMMIT/part, see client-go rest.AddUserAgent.
			if _, part, ok := strings.Cut(version, "/"); ok {
				suffix = "/" + part
				suffix = strings.TrimPrefix(suffix, "/system:serviceaccount:kube-system:")
				if suffix[0] != '/' {
					suffix = "/" + suffix
				}
			}
			continue
		}
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) > 1 && names[0] == "Mozilla" {
		// Browsers claim to be each other; the last product is the real one.
		names = names[len(names)-1:]
	}
	if len(names) == 0 {
		return ""
	}
	return names[0] + suffix
}

// DerivedManager is the field manager that an API server records for a write
// without one: at most 128 bytes of the User-Agent up to the first slash, without
// unprintable characters (k8s.io/apiserver,
// pkg/endpoints/handlers/create.go, managerOrUserAgent and prefixFromUserAgent).
func DerivedManager(agent string) string {
	const limit = 128 // validation.FieldManagerMaxLength
	name, _, _ := strings.Cut(agent, "/")
	var b strings.Builder
	for _, r := range name {
		if !unicode.IsPrint(r) {
			continue
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}
