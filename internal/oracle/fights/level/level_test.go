package level

import "testing"

// event is an audit event with a webhook's patch. Its strings contain names of
// members.
const event = `{"kind":"Event","level":"RequestResponse","objectRef":{"resource":"secrets"},"requestObject":{"a":"\"responseObject\":{"},"responseObject":{"b":1},"stage":"ResponseComplete","annotations":{"mutation.webhook.admission.k8s.io/round_0_index_0":"m","patch.webhook.admission.k8s.io/round_0_index_0":"p"}}`

func TestLower(t *testing.T) {
	const bare = `{"kind":"Event","level":"Metadata","objectRef":{"resource":"secrets"},"stage":"ResponseComplete","annotations":{"mutation.webhook.admission.k8s.io/round_0_index_0":"m"}}`
	for level, want := range map[string]string{
		RequestResponse: event,
		Request:         `{"kind":"Event","level":"Request","objectRef":{"resource":"secrets"},"requestObject":{"a":"\"responseObject\":{"},"stage":"ResponseComplete","annotations":{"mutation.webhook.admission.k8s.io/round_0_index_0":"m","patch.webhook.admission.k8s.io/round_0_index_0":"p"}}`,
		Metadata:        bare,
		Mixed:           bare, // secrets have level Metadata in the mixed policy
	} {
		got, err := Lower([]byte(event), level)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s, want\n%s", level, err, got, want)
		}
	}
}
