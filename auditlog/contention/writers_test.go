package contention_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/kubevet/kubevet/auditlog/contention"
)

// TestWriters checks a log in which each write has another user agent. Memory
// must stay within the limit, and dropped writes must be counted.
func TestWriters(t *testing.T) {
	const limit, n = 50, 500
	log := func(from int) []byte {
		var b bytes.Buffer
		for i := range n {
			fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/shop/configmaps/c%d","verb":"patch","user":{"username":"u"},"userAgent":"agent-%d","objectRef":{"resource":"configmaps","namespace":"shop","name":"c%d","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"stageTimestamp":"2026-11-21T10:%02d:%02d.000000Z"}`+"\n",
				from+i, i%7, from+i, i%7, i/60, i%60)
		}
		return b.Bytes()
	}
	cfg := contention.Config{Limits: contention.Limits{Writers: limit}}
	c, other := collect(t, cfg, 1, log(0)), collect(t, cfg, 1, log(n))
	r := c.Report(contention.Thresholds{})
	if r.Writes != limit || r.Forgotten != n-limit {
		t.Errorf("%d writes, %d forgotten", r.Writes, r.Forgotten)
	}
	c.Merge(other)
	if r = c.Report(contention.Thresholds{}); r.Writes != limit || r.Forgotten != 2*n-limit {
		t.Errorf("after Merge: %d writes, %d forgotten", r.Writes, r.Forgotten)
	}
	if _, err := contention.Decode(c.Encode(), contention.Limits{}); err != nil {
		t.Error(err)
	}
}

// TestScopes checks a log in which each write is to another namespace. Memory
// must stay within the limit, and dropped writes must be counted.
func TestScopes(t *testing.T) {
	const limit, n = 50, 500
	log := func(from int) []byte {
		var b bytes.Buffer
		for i := range n {
			fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/n%d/configmaps/c","verb":"patch","user":{"username":"u"},"userAgent":"agent","objectRef":{"resource":"configmaps","namespace":"n%d","name":"c","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"stageTimestamp":"2026-11-21T10:%02d:%02d.000000Z"}`+"\n",
				from+i, from+i, from+i, i/60, i%60)
		}
		return b.Bytes()
	}
	cfg := contention.Config{Limits: contention.Limits{Scopes: limit}}
	c, other := collect(t, cfg, 1, log(0)), collect(t, cfg, 1, log(n))
	r := c.Report(contention.Thresholds{})
	if r.Writes != limit || r.Forgotten != n-limit {
		t.Errorf("%d writes, %d forgotten", r.Writes, r.Forgotten)
	}
	c.Merge(other)
	if r = c.Report(contention.Thresholds{}); r.Writes != limit || r.Forgotten != 2*n-limit {
		t.Errorf("after Merge: %d writes, %d forgotten", r.Writes, r.Forgotten)
	}
	if _, err := contention.Decode(c.Encode(), contention.Limits{}); err != nil {
		t.Error(err)
	}
}
