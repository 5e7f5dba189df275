package lineartime

import (
	"fmt"
	"strings"
)

// shape is a kind of input that can be created in any size.
type shape struct {
	name string
	// n is the smallest of the four sizes.
	n     int
	files func(n int) map[string]string
	args  []string
}

// repeat joins n copies of a text. In each copy, # becomes the number of the copy.
func repeat(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// lint returns a shape with one file for kubevet lint.
func lint(name string, n int, file string, text func(n int) string, flags ...string) shape {
	return shape{
		name: name, n: n, args: append(append([]string{"lint", "--no-config"}, flags...), file),
		files: func(n int) map[string]string { return map[string]string{file: text(n)} },
	}
}

// yaml returns a shape with one manifest: the text before, n copies of part, and the text
// after.
func yaml(name string, n int, before, part, after string, flags ...string) shape {
	return lint(name, n, "a.yaml", func(n int) string { return before + repeat(part, n) + after }, flags...)
}

// tree returns a shape with one directory. It has the files that others returns and, if
// file is not empty, n files with numbers in their names.
func tree(name string, n int, file, text string, others func(n int) map[string]string, flags ...string) shape {
	return shape{
		name: name, n: n, args: append(append([]string{"lint", "--no-config"}, flags...), "."),
		files: func(n int) map[string]string {
			all := map[string]string{}
			if file != "" {
				for i := range n {
					all[strings.ReplaceAll(file, "#", fmt.Sprint(i))] = strings.ReplaceAll(text, "#", fmt.Sprint(i))
				}
			}
			if others != nil {
				for name, text := range others(n) {
					all[name] = text
				}
			}
			return all
		},
	}
}

const (
	configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	budget    = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n"
	flow      = "{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: a}}"
	list      = "apiVersion: v1\nkind: List\nitems:"
	pod       = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: c\n    image: i\n"
	custom    = "---\napiVersion: example.com/v1\nkind: Foo\nmetadata: {name: a}\n"
	crd       = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  names: {kind: Foo, plural: foos}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
`
	kustomization = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
	event         = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"#","stage":"ResponseComplete","requestURI":"/apis/policy/v1beta1/namespaces/a/poddisruptionbudgets/p#","verb":"update","user":{"username":"USER"},"sourceIPs":["10.0.0.1"],"userAgent":"AGENT/1","objectRef":{"resource":"poddisruptionbudgets","namespace":"a","name":"NAME","apiGroup":"policy","apiVersion":"v1beta1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-02T03:04:05.000000Z","stageTimestamp":"2026-01-02T03:04:05.100000Z"BODY}
`
)

// audit returns a shape with one audit log.
func audit(name string, n int, line func(n int) string) shape {
	return shape{
		name: name, n: n, args: []string{"audit", "audit.log"},
		files: func(n int) map[string]string { return map[string]string{"audit.log": line(n)} },
	}
}

func request(user, agent, name, body string) string {
	return strings.NewReplacer("USER", user, "AGENT", agent, "NAME", name, "BODY", body).Replace(event)
}

// shapes has the inputs of the test. In each of them, a checker, a parser or a report
// could do work for each pair of parts.
var shapes = []shape{
	// These shapes have many documents and document markers.
	yaml("documents", 200, "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a#}\n---\n", ""),
	yaml("empty documents", 1000, "", "---\n", configMap),
	yaml("document ends", 1000, "", "...\n", configMap),
	yaml("comments and document ends", 1000, "", "# c\n...\n", configMap),
	yaml("directives", 500, "", "%YAML 1.2\n---\n...\n", configMap),
	yaml("byte order marks", 500, "", "\ufeff"+configMap+"---\n", ""),
	yaml("broken documents", 200, "", configMap+"data: {a: \"x\n---\n", ""),
	yaml("comments", 1000, "", "# c\n", configMap),
	// These shapes have long lines.
	yaml("flow map", 500, configMap+"data: {", "k#: v, ", "}\n"),
	yaml("flow map with escapes", 500, configMap+"data: {", `k#: "\u00e9\n", `, "}\n"),
	yaml("flow map with wide characters", 500, configMap+"data: {", "k#: é世, ", "}\n"),
	yaml("flow map without values", 500, configMap+"data: {", "k#, ", "}\n"),
	yaml("flow list with tags", 500, configMap+"x: [", "!!str a, ", "]\n"),
	yaml("flow list with anchors", 500, configMap+"x: [", "&a# a, ", "]\n"),
	yaml("flow list with pairs", 500, configMap+"x: [", "a: b, ", "]\n"),
	yaml("minified JSON with a comment", 500, "# c\n{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{", `"k#":"v",`, `"z":"v"}}`),
	yaml("findings on one line", 300, list+" [", flow+", ", "]\n"),
	yaml("suppressions in strings on one line", 300, configMap+"data: {", `k#: "# kubevet:ignore removedapi", `, "}\n"),
	// These shapes have many keys, aliases, levels and texts.
	yaml("repeated keys", 200, configMap+"data:\n", "  k: v\n", ""),
	yaml("unknown fields", 300, configMap, "k#: v\n", ""),
	yaml("merge keys", 300, configMap+"x: &a {b: c}\ny:\n", "- {<<: *a}\n", ""),
	yaml("block text", 1000, configMap+"data:\n  a: |\n", "    text\n", ""),
	yaml("folded text", 1000, configMap+"data:\n  a: >\n", "    text\n      more\n", ""),
	yaml("plain text over lines", 1000, configMap+"data:\n  a: x\n", "    text\n", ""),
	yaml("dashes", 50, configMap+"x:\n", "- ", "a\n"),
	yaml("template marks", 1000, configMap+"data:\n  a: b\n", "{{ x }}\n", ""),
	yaml("open template marks", 1000, configMap+"data:\n  a: b\n", "{{ if x }}\n{{ \n", ""),
	lint("JSON", 500, "a.json", func(n int) string {
		return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{` + repeat(`"k#":1,`, n) + `"z":"v"}}`
	}),
	yaml("list items", 200, list+"\n", "- "+flow+"\n", ""),
	// These shapes have large objects.
	yaml("limits", 200, pod+"    resources:\n      limits:\n", "        a.b/c#: 1\n", ""),
	yaml("ports", 200, pod+"    ports:\n", "    - {name: p#, containerPort: 80}\n", ""),
	yaml("repeated environment variables", 200, pod+"    env:\n", "    - {name: E, value: x}\n", ""),
	lint("resource claims", 200, "a.yaml", func(n int) string {
		return pod + "    resources:\n      claims:\n" + repeat("      - {name: c#}\n", n) + "  resourceClaims:\n" + repeat("  - {name: c#, resourceClaimName: x}\n", n)
	}),
	lint("AppArmor annotations", 200, "a.yaml", func(n int) string {
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n" + repeat("    container.apparmor.security.beta.kubernetes.io/c#: unconfined\n", n) +
			"spec:\n  containers:\n" + repeat("  - {name: c#, image: i}\n", n)
	}),
	lint("selector", 200, "a.yaml", func(n int) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  selector: {matchLabels: {" + repeat("k#: v, ", n) +
			"}}\n  template:\n    metadata: {labels: {" + repeat("k#: v, ", n) + "}}\n    spec: {containers: [{name: c, image: i}]}\n"
	}),
	tree("instructions", 2000, "", "", func(n int) map[string]string {
		return map[string]string{"Dockerfile": "FROM a\n" + repeat("RUN kubectl get pods\n", n)}
	}),
	tree("here-documents without end", 2000, "", "", func(n int) map[string]string {
		return map[string]string{"Dockerfile": "FROM a\n" + repeat("RUN <<EOF\n", n)}
	}),
	yaml("versions of a definition", 1000, strings.SplitAfter(crd, "versions:\n")[0], "  - {name: v#, served: true, storage: false, deprecated: true, schema: {openAPIV3Schema: {type: object}}}\n", ""),
	lint("values and items of an enum", 500, "a.yaml", func(n int) string {
		return crd + "          l: {type: array, items: {type: string, enum: [" + repeat("v#, ", n) + "]}}\n" + custom + "l: [" + repeat("v#, ", n) + repeat("w#, ", n) + "]\n"
	}),
	yaml("labels of one namespace", 1000, "", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, labels: {k#: v}}\n---\n", ""),
	yaml("scopes of a quota", 100, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a}\nspec: {scopes: [", "s#, ", "]}\n"),
	yaml("webhooks", 100, "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks:\n",
		"- {name: w#.a.b, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: \"https://a\"}, rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}\n", ""),
	lint("definition and its objects", 100, "a.yaml", func(n int) string {
		return crd + repeat("          p#: {type: string}\n", n) + custom + repeat("p#: 1\n", n)
	}),
	lint("list of a definition", 200, "a.yaml", func(n int) string {
		return crd + "          x: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}}}}\n" +
			custom + "x: [" + repeat("{k: a#}, ", n) + "]\n"
	}),
	lint("patterns", 100, "a.yaml", func(n int) string {
		return crd + repeat("          p#: {type: string, pattern: \"^a*#$\"}\n", n) + custom + repeat("p#: x\n", n)
	}),
	lint("stored objects", 100, "a.yaml", func(n int) string {
		return repeat("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a#}\nimmutable: true\n---\n", n)
	}, "--old", "a.yaml"),
	yaml("suppressions", 100, "", "# kubevet:ignore deprecatedapi -- x\n"+budget+"---\n", ""),
	// These shapes test reports and fixes.
	yaml("kubectl format", 200, configMap+"data:\n", "  k#: 1\n", "", "-o", "kubectl"),
	yaml("SARIF", 200, "", budget+"---\n", "", "-o", "sarif"),
	yaml("table", 200, "", budget+"---\n", "", "-o", "table"),
	yaml("JUnit", 200, "", budget+"---\n", "", "-o", "junit"),
	yaml("diff", 100, "", budget+"---\n", "", "--diff"),
	yaml("fixes", 100, "", budget+"---\n", "", "--fix"),
	yaml("fixes on one line", 100, list+" [", flow+", ", "]\n", "--diff"),
	// These shapes have large directories.
	tree("files", 100, "f#.yaml", budget, nil),
	tree("ignored files", 50, "f#.yaml", budget, func(n int) map[string]string {
		return map[string]string{".gitignore": repeat("x#\n", n)}
	}),
	tree("wildcards", 50, "", "", func(n int) map[string]string {
		return map[string]string{strings.Repeat("a", 100) + ".yaml": budget, ".gitignore": strings.Repeat("*a", n) + "b\n"}
	}),
	tree("kustomization", 20, "f#.yaml", "# kubevet:ignore deprecatedapi -- x\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a#}\n", func(n int) map[string]string {
		return map[string]string{"kustomization.yaml": kustomization + "resources:\n" + repeat("- f#.yaml\n", n)}
	}),
	// These shapes have scripts.
	lint("script", 200, "a.sh", func(n int) string {
		return "#!/bin/sh\n" + repeat("kubectl apply -f x.yaml --dry-run\n", n)
	}),
	lint("continued lines", 500, "a.sh", func(n int) string { return "#!/bin/sh\nkubectl get " + repeat("\\\n  a ", n) + "\n" }),
	lint("substitutions", 200, "a.sh", func(n int) string {
		return "#!/bin/sh\nkubectl get " + strings.Repeat("$(kubectl get ", n) + strings.Repeat(")", n) + "\n"
	}),
	lint("here-documents", 100, "a.sh", func(n int) string {
		return "#!/bin/sh\n" + repeat("cat <<E | kubectl apply -f -\n"+budget+"E\n", n)
	}),
	lint("Markdown", 200, "README.md", func(n int) string { return repeat("```sh\nkubectl apply --dry-run\n```\n", n) }),
	// These shapes have audit logs.
	audit("audit events", 200, func(n int) string { return repeat(request("u", "a", "p", ""), n) }),
	audit("audit users", 200, func(n int) string { return repeat(request("u#", "a#", "p#", ""), n) }),
	audit("audit fights", 100, func(n int) string {
		return repeat(request("u", "a", "p", `,"requestObject":{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"p","namespace":"a"},"spec":{"minAvailable":1}}`)+
			request("v", "b", "p", `,"requestObject":{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"p","namespace":"a"},"spec":{"minAvailable":2}}`), n)
	}),
	audit("audit objects", 200, func(n int) string {
		return request("u", "a", "p", `,"requestObject":{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"p","namespace":"a","annotations":{`+repeat(`"k#":"v",`, n)+`"z":"v"}}}`)
	}),
}
