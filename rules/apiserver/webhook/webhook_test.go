package webhook

import (
	"fmt"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// parse parses JSON whose quotes are written as apostrophes.
func parse(t *testing.T, text string) *wire.Value {
	t.Helper()
	v, err := wire.JSON([]byte(quotes(text)))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func quotes(text string) string {
	b := []byte(text)
	for i := range b {
		if b[i] == '\'' {
			b[i] = '"'
		}
	}
	return string(b)
}

func request(t *testing.T, text string) apiserver.Request {
	v := parse(t, text)
	return apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
}

func configuration(t *testing.T, version, kind, name, webhooks string) *Configuration {
	text := fmt.Sprintf(`{'apiVersion':'admissionregistration.k8s.io/%s','kind':'%s','metadata':{'name':'%s'},'webhooks':[%s]}`, version, kind, name, webhooks)
	r := request(t, text)
	c := Read(r.APIVersion, r.Kind, r.New)
	if c == nil {
		t.Fatalf("no configuration: %s", text)
	}
	return c
}

const (
	mutating   = "MutatingWebhookConfiguration"
	validating = "ValidatingWebhookConfiguration"
)

const (
	pod        = `{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'shop','labels':{'app':'a'}}}`
	deployment = `{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'}}`
	ingress    = `{'apiVersion':'networking.k8s.io/v1','kind':'Ingress','metadata':{'name':'i'}}`
	role       = `{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole','metadata':{'name':'r'}}`
	namespace  = `{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop','labels':{'team':'x'}}}`
	widget     = `{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'w'}}`
)

func TestMatches(t *testing.T) {
	known := Cluster{
		Namespaces: func(name string) []map[string]string {
			switch name {
			case "shop":
				return []map[string]string{{"team": "x"}}
			case "twice":
				return []map[string]string{{"team": "x"}, {"team": "y"}}
			}
			return nil
		},
		Custom: func(group, kind string) (Resource, bool) {
			return Resource{"widgets", true, []string{"v1", "v2"}}, group == "example.com" && kind == "Widget"
		},
	}
	rule := func(ops, groups, versions, resources, more string) string {
		return fmt.Sprintf(`'rules':[{'operations':['%s'],'apiGroups':['%s'],'apiVersions':['%s'],'resources':[%s]%s}]`, ops, groups, versions, resources, more)
	}
	any := rule("*", "*", "*", "'*'", "")
	for _, c := range []struct {
		name, webhook, object string
		minor                 int
		cluster               Cluster
		update                bool
		want                  Match
	}{
		{name: "all", webhook: any, object: pod, want: Yes},
		{name: "no rules", webhook: `'name':'a'`, object: pod},
		{name: "exact", webhook: rule("CREATE", "", "v1", "'pods'", ""), object: pod, want: Yes},
		{name: "only updates", webhook: rule("UPDATE", "", "v1", "'pods'", ""), object: pod},
		{name: "updates", webhook: rule("UPDATE", "", "v1", "'pods'", ""), object: pod, update: true, want: Yes},
		{name: "another group", webhook: rule("CREATE", "apps", "v1", "'pods'", ""), object: pod},
		{name: "subresources", webhook: rule("CREATE", "", "v1", "'pods/status','*/scale'", ""), object: pod},
		{name: "subresources too", webhook: rule("CREATE", "", "v1", "'pods/*'", ""), object: pod, want: Yes},
		{name: "all with subresources", webhook: rule("CREATE", "", "v1", "'*/*'", ""), object: pod, want: Yes},
		{name: "no resource", webhook: rule("CREATE", "", "v1", "", ""), object: pod},
		{name: "group version not named", webhook: rule("*", "apps", "v1beta1", "'deployments'", ""), object: deployment},

		{name: "equivalent version", webhook: rule("*", "networking.k8s.io", "v1beta1", "'ingresses'", "") + `,'matchPolicy':'Equivalent'`, object: ingress, want: Yes},
		{name: "equivalent group", webhook: rule("*", "extensions", "v1beta1", "'ingresses'", "") + `,'matchPolicy':'Equivalent'`, object: ingress, want: Yes},
		{name: "default of v1beta1 is exact", webhook: rule("*", "extensions", "v1beta1", "'ingresses'", ""), object: ingress},
		{name: "equivalent is not served", webhook: rule("*", "extensions", "v1beta1", "'ingresses'", "") + `,'matchPolicy':'Equivalent'`, object: ingress, minor: 22},
		{name: "versions of a custom resource", webhook: rule("*", "example.com", "v2", "'widgets'", "") + `,'matchPolicy':'Equivalent'`, object: widget, cluster: known, want: Yes},
		{name: "another version", webhook: rule("*", "example.com", "v2", "'widgets'", ""), object: widget, cluster: known},
		{name: "unknown plural", webhook: rule("*", "example.com", "v1", "'widgets'", ""), object: widget, want: May},
		{name: "unknown plural, all", webhook: rule("*", "example.com", "v1", "'*'", ""), object: widget, want: Yes},
		{name: "unknown plural, other", webhook: rule("*", "example.com", "v1", "'gadgets'", ""), object: widget},

		{name: "cluster", webhook: rule("*", "*", "*", "'*'", ",'scope':'Cluster'"), object: pod},
		{name: "namespaced", webhook: rule("*", "*", "*", "'*'", ",'scope':'Namespaced'"), object: pod, want: Yes},
		{name: "namespaced role", webhook: rule("*", "*", "*", "'*'", ",'scope':'Namespaced'"), object: role},
		{name: "cluster role", webhook: rule("*", "*", "*", "'*'", ",'scope':'Cluster'"), object: role, want: Yes},
		{name: "a namespace is in the cluster", webhook: rule("*", "*", "*", "'*'", ",'scope':'Cluster'"), object: namespace, want: Yes},
		{name: "a namespace is in no namespace", webhook: rule("*", "*", "*", "'*'", ",'scope':'Namespaced'"), object: namespace},
		{name: "bogus scope", webhook: rule("*", "*", "*", "'*'", ",'scope':'x'"), object: pod},
		{name: "unknown scope", webhook: rule("*", "*", "*", "'*'", ",'scope':'Namespaced'"), object: widget, want: May},

		{name: "labels", webhook: any + `,'objectSelector':{'matchLabels':{'app':'a'}}`, object: pod, want: Yes},
		{name: "other labels", webhook: any + `,'objectSelector':{'matchLabels':{'app':'b'}}`, object: pod},
		{name: "no such label", webhook: any + `,'objectSelector':{'matchExpressions':[{'key':'skip','operator':'DoesNotExist'}]}`, object: pod, want: Yes},
		{name: "not in", webhook: any + `,'objectSelector':{'matchExpressions':[{'key':'app','operator':'NotIn','values':['a']}]}`, object: pod},
		{name: "exists", webhook: any + `,'objectSelector':{'matchExpressions':[{'key':'app','operator':'Exists'}]}`, object: pod, want: Yes},

		{name: "labels of a known namespace", webhook: any + `,'namespaceSelector':{'matchLabels':{'team':'x'}}`, object: pod, cluster: known, want: Yes},
		{name: "other labels of a known namespace", webhook: any + `,'namespaceSelector':{'matchLabels':{'team':'y'}}`, object: pod, cluster: known},
		{name: "labels of an unknown namespace", webhook: any + `,'namespaceSelector':{'matchLabels':{'team':'x'}}`, object: pod, want: May},
		{name: "name of an unknown namespace", webhook: any + `,'namespaceSelector':{'matchExpressions':[{'key':'kubernetes.io/metadata.name','operator':'NotIn','values':['kube-system']}]}`, object: pod, want: Yes},
		{name: "name of another namespace", webhook: any + `,'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'x','team':'x'}}`, object: pod},
		{name: "names were no labels", webhook: any + `,'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'shop'}}`, object: pod, cluster: known, minor: 20},
		{name: "two of one name", webhook: any + `,'namespaceSelector':{'matchLabels':{'team':'x'}}`, object: `{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'twice'}}`, cluster: known, want: May},
		{name: "two of one name that agree", webhook: any + `,'namespaceSelector':{'matchExpressions':[{'key':'team','operator':'Exists'}]}`, object: `{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'twice'}}`, cluster: known, want: Yes},
		{name: "not in a namespace", webhook: any + `,'namespaceSelector':{'matchLabels':{'team':'y'}}`, object: role, want: Yes},
		{name: "a namespace itself", webhook: any + `,'namespaceSelector':{'matchLabels':{'team':'x'}}`, object: namespace, want: Yes},
		{name: "another namespace itself", webhook: any + `,'namespaceSelector':{'matchLabels':{'team':'y'}}`, object: namespace},
		{name: "a namespace by its name", webhook: any + `,'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'shop'}}`, object: namespace, want: Yes},
		{name: "scope and namespace unknown", webhook: any + `,'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'x'}}`, object: widget, want: May},

		{name: "conditions", webhook: any + `,'matchConditions':[{'name':'a','expression':'true'}]`, object: pod, want: May},
		{name: "configurations", webhook: any, object: `{'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingWebhookConfiguration'}`},
		{name: "policies", webhook: any, object: `{'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingAdmissionPolicy'}`, minor: 30},
		{name: "reviews", webhook: any, object: `{'apiVersion':'authentication.k8s.io/v1','kind':'TokenReview'}`, want: Yes},
		{name: "reviews no more", webhook: any, object: `{'apiVersion':'authentication.k8s.io/v1','kind':'TokenReview'}`, minor: 37},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.minor == 0 {
				c.minor = 21
			}
			r := request(t, c.object)
			if c.update {
				r.Old = r.New
			}
			s := apiserver.Server{Minor: lifecycleMinor(c.minor)}
			h := configuration(t, "v1beta1", validating, "c", "{"+c.webhook+"}").Hooks[0]
			if got := h.Matches(NewObject(s, r, c.cluster)); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	v1 := configuration(t, "v1", mutating, "c", `{}`).Hooks[0]
	beta := configuration(t, "v1beta1", mutating, "c", `{}`).Hooks[0]
	if !v1.equivalent || v1.SideEffects != "" || beta.equivalent || beta.SideEffects != "Unknown" {
		t.Errorf("v1 %+v, v1beta1 %+v", v1, beta)
	}
}

func TestDryRun(t *testing.T) {
	hook := func(name, effects, more string) string {
		return fmt.Sprintf(`{'name':'%s','sideEffects':'%s','rules':[{'operations':['*'],'apiGroups':['*'],'apiVersions':['*'],'resources':['*']}]%s}`, name, effects, more)
	}
	const conditional = `,'matchConditions':[{'name':'a','expression':'true'}]`
	beta := func(kind, name, webhooks string) *Configuration {
		return configuration(t, "v1beta1", kind, name, webhooks)
	}
	for _, c := range []struct {
		name    string
		all     []*Configuration
		want    string // webhook that the message must name
		phase   bool
		inexact bool
	}{
		{name: "none", all: nil},
		{name: "supported", all: []*Configuration{beta(mutating, "a", hook("a", "None", "")), beta(validating, "a", hook("a", "NoneOnDryRun", ""))}},
		{name: "mutating comes first", all: []*Configuration{beta(validating, "a", hook("v", "Some", "")), beta(mutating, "z", hook("m", "Some", ""))}, want: "m", phase: true},
		{name: "by name of the configuration", all: []*Configuration{beta(mutating, "b", hook("x", "Some", "")), beta(mutating, "a", hook("y", "Unknown", ""))}, want: "y", phase: true},
		{name: "by order of the webhooks", all: []*Configuration{beta(mutating, "b", hook("n", "None", "")+","+hook("x", "Some", "")+","+hook("y", "Some", ""))}, want: "x", phase: true},
		{name: "two validating ones", all: []*Configuration{beta(validating, "b", hook("x", "Some", "")), beta(validating, "a", hook("y", "Unknown", ""))}, want: "y", inexact: true},
		{name: "two of one configuration", all: []*Configuration{beta(validating, "b", hook("x", "Some", "")+","+hook("y", "Some", ""))}, want: "x", inexact: true},
		{name: "two of one name", all: []*Configuration{beta(validating, "b", hook("x", "Some", "")+","+hook("x", "Some", ""))}, want: "x"},
		{name: "nobody knows", all: []*Configuration{beta(mutating, "a", hook("x", "Some", conditional))}},
		{name: "another may come before", all: []*Configuration{beta(mutating, "a", hook("x", "Some", conditional)), beta(mutating, "b", hook("y", "Some", ""))}, want: "y", phase: true, inexact: true},
		{name: "what comes after does not matter", all: []*Configuration{beta(mutating, "a", hook("x", "Some", "")), beta(mutating, "b", hook("y", "Some", conditional))}, want: "x", phase: true},
		{name: "variants agree", all: []*Configuration{beta(validating, "a", hook("x", "Some", "")), beta(validating, "a", hook("x", "Unknown", ""))}, want: "x"},
		{name: "variants differ", all: []*Configuration{beta(validating, "a", hook("x", "Some", "")), beta(validating, "a", hook("x", "None", ""))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			hooks := NewHooks(c.all)
			got := hooks.DryRun(NewObject(apiserver.Server{Minor: 21}, request(t, pod), Cluster{}))
			if got == nil {
				if c.want != "" {
					t.Errorf("no refusal")
				}
				return
			}
			want := fmt.Sprintf("admission webhook %q does not support dry run", c.want)
			if got.Text != want || got.Code != 400 || got.Mutating != c.phase || got.Inexact != c.inexact {
				t.Errorf("got %q, code %d, mutating %v, inexact %v", got.Text, got.Code, got.Mutating, got.Inexact)
			}
			if !hooks.BlockDryRun() {
				t.Error("nothing blocks a dry-run")
			}
		})
	}
	var none *Hooks
	if none.BlockDryRun() || none.DryRun(nil) != nil {
		t.Error("no hooks refuse something")
	}
}

func TestExists(t *testing.T) {
	parse := func(version, effects string) *Configuration {
		if effects != "" {
			effects = "'sideEffects':" + effects
		}
		return configuration(t, version, validating, "c", "{"+effects+"}")
	}
	for _, c := range []struct {
		version, effects, stored string // stored is the stored side effects; "-" means no stored configuration
		minor                    int
		want                     bool
	}{
		{"v1", "'None'", "-", 37, true},
		{"v1", "'NoneOnDryRun'", "-", 16, true},
		{"v1", "'Some'", "-", 37, false},
		{"v1", "'Unknown'", "-", 37, false},
		{"v1", "'Bogus'", "-", 37, false},
		{"v1", "", "-", 37, false},
		{"v1", "null", "-", 37, false},
		{"v1", "'Some'", "'Unknown'", 37, true},
		{"v1", "'Some'", "", 37, true},
		{"v1", "'Some'", "'None'", 37, false},
		{"v1", "", "'Some'", 37, false},
		{"v1", "'Bogus'", "'Some'", 37, false},
		{"v1beta1", "", "-", 21, true},
		{"v1beta1", "'Some'", "-", 21, true},
		{"v1beta1", "'Bogus'", "-", 21, false},
		{"v1beta1", "", "-", 22, false},
		{"v1beta1", "'None'", "-", 22, false},
	} {
		var stored *Configuration
		if c.stored != "-" {
			stored = parse("v1", c.stored)
		}
		if got := parse(c.version, c.effects).Exists(apiserver.Server{Minor: lifecycleMinor(c.minor)}, stored); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
