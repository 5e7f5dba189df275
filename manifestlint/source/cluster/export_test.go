package cluster

import (
	"net/http"
	"sync/atomic"
)

// ReadOnly is the transport that only reads.
func ReadOnly(next http.RoundTripper) http.RoundTripper {
	return &readOnly{next: next, sent: new(atomic.Int64)}
}
