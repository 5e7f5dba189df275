package contention_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/kubevet/kubevet/auditlog/contention"
)

// TestWebhookByPosition checks that a webhook is found if it overwrites a field
// in an item of a list. The patch has the item's index, but the finding must
// have the item's name.
func TestWebhookByPosition(t *testing.T) {
	log := func(sent string) []byte {
		var b bytes.Buffer
		pod := func(policy string) string {
			return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","resourceVersion":"7"},"spec":{"template":{"spec":{"containers":[{"name":"side","image":"s"},{"name":"app","imagePullPolicy":"` + policy + `"}]}}}}`
		}
		for i := range 6 {
			code, hook := 200, ""
			if i == 0 {
				code = 201
			}
			if sent != "Always" || i == 0 {
				hook = `"mutation.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"pull.example.com\",\"mutated\":true}","patch.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"pull.example.com\",\"patch\":[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/1/imagePullPolicy\",\"value\":\"Always\"}],\"patchType\":\"JSONPatch\"}"`
			}
			fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%d","stage":"ResponseComplete","requestURI":"/apis/apps/v1/namespaces/shop/deployments/web?fieldManager=flux&force=true","verb":"patch","user":{"username":"flux"},"userAgent":"kustomize-controller/v1","objectRef":{"resource":"deployments","namespace":"shop","name":"web","apiGroup":"apps","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":%d},"requestObject":%s,"responseObject":%s,"stageTimestamp":"2026-11-21T1%d:00:00.000000Z","annotations":{%s}}`+"\n",
				i, code, pod(sent), pod("Always"), i, hook)
		}
		return b.Bytes()
	}
	for _, level := range []string{"RequestResponse", "Request"} {
		for sent, want := range map[string]int{"IfNotPresent": 1, "Always": 0} {
			data := log(sent)
			if level == "Request" {
				data = atLevel(t, data, level)
			}
			fights := collect(t, contention.Config{}, 1, data).Report(contention.Thresholds{}).Fights
			if len(fights) != want {
				t.Errorf("%s at level %s: %d fights, want %d", sent, level, len(fights), want)
				continue
			}
			if want > 0 && (len(fights[0].Fields) != 1 || fights[0].Fields[0].Path != "spec.template.spec.containers[name=app].imagePullPolicy") {
				t.Errorf("level %s: %+v", level, fights[0].Fields)
			}
		}
	}
}

// TestWebhookOfPatch checks that a webhook is found if it overwrites values in
// strategic merge patches. The webhook's patch has the index of an item, and
// $setElementOrder in the client's patch shows which item this is.
func TestWebhookOfPatch(t *testing.T) {
	log := func(order string) []byte {
		var b bytes.Buffer
		for i := range 6 {
			fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"%d","stage":"ResponseComplete","requestURI":"/apis/apps/v1/namespaces/shop/deployments/web?fieldManager=argocd-controller","verb":"patch","user":{"username":"argo"},"userAgent":"argocd-application-controller/v1","objectRef":{"resource":"deployments","namespace":"shop","name":"web","apiGroup":"apps","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestObject":{"spec":{"template":{"spec":{%s"containers":[{"name":"app","image":"hub/app:1"}]}}}},"stageTimestamp":"2026-11-21T1%d:00:00.000000Z","annotations":{"mutation.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"mirror.example.com\",\"mutated\":true}","patch.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"mirror.example.com\",\"patch\":[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/1/image\",\"value\":\"corp/app:1\"}],\"patchType\":\"JSONPatch\"}"}}`+"\n",
				i, order, i)
		}
		return b.Bytes()
	}
	for order, want := range map[string]int{
		`"$setElementOrder/containers":[{"name":"side"},{"name":"app"}],`: 1,
		`"$setElementOrder/containers":[{"name":"app"},{"name":"side"}],`: 0,
		"": 0,
	} {
		fights := collect(t, contention.Config{}, 1, log(order)).Report(contention.Thresholds{}).Fights
		if len(fights) != want || want > 0 && (len(fights[0].Fields) != 1 || fights[0].Fields[0].Path != "spec.template.spec.containers[name=app].image") {
			t.Errorf("%s: %d fights, want %d: %+v", order, len(fights), want, fights)
		}
	}
}

// TestWebhookOfCustomResource checks that a webhook is found if it overwrites
// values in merge patches of a custom resource, whose lists are complete. A
// list of a Deployment may lack items, so that the index can mean another item.
func TestWebhookOfCustomResource(t *testing.T) {
	log := func(group, resource string) []byte {
		var b bytes.Buffer
		for i := range 6 {
			fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"%d","stage":"ResponseComplete","requestURI":"/apis/%s/v1/namespaces/shop/%s/web?fieldManager=argocd-controller","verb":"patch","user":{"username":"argo"},"userAgent":"argocd-application-controller/v1","objectRef":{"resource":"%s","namespace":"shop","name":"web","apiGroup":"%s","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestObject":{"spec":{"endpoints":[{"interval":"5s","port":"http"}]}},"stageTimestamp":"2026-11-21T1%d:00:00.000000Z","annotations":{"mutation.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"slow.example.com\",\"mutated\":true}","patch.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"slow.example.com\",\"patch\":[{\"op\":\"replace\",\"path\":\"/spec/endpoints/0/interval\",\"value\":\"60s\"}],\"patchType\":\"JSONPatch\"}"}}`+"\n",
				i, group, resource, resource, group, i)
		}
		return b.Bytes()
	}
	for _, c := range []struct {
		group, resource string
		want            int
	}{{"monitoring.example.com", "monitors", 1}, {"apps", "deployments", 0}} {
		fights := collect(t, contention.Config{}, 1, log(c.group, c.resource)).Report(contention.Thresholds{}).Fights
		if len(fights) != c.want || c.want > 0 && (len(fights[0].Fields) != 1 || fights[0].Fields[0].Path != "spec.endpoints[port=http].interval") {
			t.Errorf("%s: %d fights, want %d: %+v", c.resource, len(fights), c.want, fights)
		}
	}
}
