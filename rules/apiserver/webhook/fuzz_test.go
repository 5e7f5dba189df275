package webhook

import (
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func lifecycleMinor(m int) lifecycle.Minor { return lifecycle.Minor(m) }

// FuzzDryRun uses random objects as a webhook configuration, as its stored
// version, and as an object.
func FuzzDryRun(f *testing.F) {
	f.Add([]byte(quotes(`{'apiVersion':'admissionregistration.k8s.io/v1beta1','kind':'MutatingWebhookConfiguration','webhooks':[{'rules':[{'operations':['*'],'apiGroups':['*'],'apiVersions':['*'],'resources':['*/*']}],'namespaceSelector':{'matchLabels':{'a':'b'}}}]}`)), []byte(quotes(pod)), uint8(21))
	f.Add([]byte(quotes(`{'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingWebhookConfiguration','webhooks':[null,1,{'rules':[null,{'resources':[null]}]}]}`)), []byte(`[]`), uint8(37))
	f.Fuzz(func(t *testing.T, config, object []byte, minor uint8) {
		c, err := wire.JSON(config)
		if err != nil {
			return
		}
		o, err := wire.JSON(object)
		if err != nil {
			return
		}
		s := apiserver.Server{Minor: lifecycle.Minor(minor)}
		r := apiserver.Request{APIVersion: c.Get("apiVersion").StringOr(""), Kind: c.Get("kind").StringOr(""), New: c}
		about := apiserver.Request{APIVersion: o.Get("apiVersion").StringOr(""), Kind: o.Get("kind").StringOr(""), New: o}
		x := NewObject(s, about, Cluster{})
		if read := Read(r.APIVersion, r.Kind, c); read != nil {
			read.Exists(s, read)
			NewHooks([]*Configuration{read, read}).DryRun(x)
		}
	})
}
