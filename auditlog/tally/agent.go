package tally

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FoldAgent returns the name of the program in a User-Agent header. It removes
// versions, platforms and commits, so that all releases of a program have the
// same name. For "kubectl/v1.32.4 (linux/amd64) kubernetes/59526cd", it returns
// "kubectl". It does not remove a suffix that names a part of the program, as
// in "kube-controller-manager/generic-garbage-collector".
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
			// The form is kubernetes/COMMIT/part, see rest.AddUserAgent in
			// client-go.
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
		// Browsers also name other browsers. The last product is the real one.
		names = names[len(names)-1:]
	}
	if len(names) == 0 {
		return ""
	}
	return names[0] + suffix
}

// DerivedManager returns the field manager that an API server records for a
// write that names no manager. It is the User-Agent up to the first slash, at
// most 128 bytes, without unprintable characters (k8s.io/apiserver,
// pkg/endpoints/handlers/create.go, managerOrUserAgent and
// prefixFromUserAgent).
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
