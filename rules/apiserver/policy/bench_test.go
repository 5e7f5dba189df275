package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver"
)

func twentyPolicies() string {
	var all []string
	for i := range 20 {
		name := fmt.Sprint("p", i)
		all = append(all, strings.NewReplacer("name: limit", "name: "+name, "policyName: limit", "policyName: "+name, "name: all", "name: b"+name).Replace(limit(
			"object.spec.replicas <= 50", "Warn", `  variables:
  - {name: containers, expression: 'object.spec.template.spec.containers'}
  matchConditions:
  - {name: namespace, expression: "request.namespace != 'kube-system'"}
`)))
		all[i] = strings.Replace(all[i], "validations: [", `validations: [
    {expression: "variables.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged)"},
    {expression: "variables.containers.all(c, c.image.contains('/'))", message: "name the registry"},
    {expression: "has(object.metadata.labels) && 'team' in object.metadata.labels", messageExpression: "'no team: ' + object.metadata.name"},
    `, 1)
	}
	return strings.Join(all, "\n---\n")
}

// BenchmarkValidate measures 20 compiled policies on one Deployment.
func BenchmarkValidate(b *testing.B) {
	c := NewCluster(apiserver.Server{Minor: 37}, Options{}, values(b, twentyPolicies()))
	a := attributes(b, values(b, web)[0], nil)
	if v := c.Validate(a); len(v.Warnings)+len(v.Unknown) > 0 {
		b.Fatalf("%+v", v)
	}
	for b.Loop() {
		c.Validate(a)
	}
}

// BenchmarkCompile measures the first request to 20 policies, which compiles
// them.
func BenchmarkCompile(b *testing.B) {
	objects := values(b, twentyPolicies())
	a := attributes(b, values(b, web)[0], nil)
	for b.Loop() {
		NewCluster(apiserver.Server{Minor: 37}, Options{}, objects).Validate(a)
	}
}

// BenchmarkNothing measures a request to a cluster without policies.
func BenchmarkNothing(b *testing.B) {
	objects := values(b, web)
	a := attributes(b, objects[0], nil)
	for b.Loop() {
		c := NewCluster(apiserver.Server{Minor: 37}, Options{}, objects)
		c.Mutate(a)
		c.Validate(a)
	}
}
