package dryrun

import "testing"

func TestArticle(t *testing.T) {
	for kind, want := range map[string]string{
		"Pod": "a", "Secret": "a", "Ingress": "an", "Application": "an", "Event": "an",
		"User": "a", "Usage": "a", "Unit": "a", "UniqueName": "a", "Uninstall": "an", "Unstructured": "an", "Update": "an",
		"HTTPRoute": "an", "VPC": "a", "UDPRoute": "a", "S3Bucket": "an", "XCluster": "an", "IPPool": "an", "NFSServer": "an",
		"EuropeanSite": "a", "OneAgent": "a", "Order": "an", "I": "an",
	} {
		if got := article(kind); got != want {
			t.Errorf("article(%q) = %q, want %q", kind, got, want)
		}
	}
}

func TestTogether(t *testing.T) {
	for _, test := range []struct {
		writes []string
		want   string
	}{
		{nil, ""},
		{[]string{"patches an object"}, "patches an object"},
		{[]string{"patches an object", "creates an object", "deletes a Pod"}, "creates or patches an object"},
		{[]string{"deletes a Pod", "updates a Pod", "creates a Pod", "deletes a Pod"}, "creates, updates or deletes a Pod"},
		{[]string{"evicts a Pod", "deletes a Pod"}, "evicts a Pod"},
		{[]string{"creates or updates a Pod", "creates a Pod"}, "creates or updates a Pod"},
	} {
		if got := together(test.writes); got != test.want {
			t.Errorf("together(%q) = %q, want %q", test.writes, got, test.want)
		}
	}
}
