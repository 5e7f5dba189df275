package cluster

import (
	"crypto/x509"
	"fmt"
	"strings"
	"testing"
)

func TestExpired(t *testing.T) {
	err := fmt.Errorf("get: %w", x509.CertificateInvalidError{Reason: x509.Expired})
	if got := advice(err); !strings.HasPrefix(got, "renew the server's certificate, or correct the clock") {
		t.Errorf("got %q", got)
	}
}

// TestMemory checks that a server cannot fill the memory with objects.
func TestMemory(t *testing.T) {
	o := objects{max: 10}
	if err := o.add("a", 1); err != nil {
		t.Error(err)
	}
	if err := o.add("bcdefg", 1); err == nil || o.count != 1 {
		t.Errorf("%d objects, %v", o.count, err)
	}
}
