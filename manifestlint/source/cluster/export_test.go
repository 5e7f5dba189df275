package cluster

import (
	"net/http"
	"sync/atomic"
)

// ReadOnly returns the transport that refuses all methods other than GET.
func ReadOnly(next http.RoundTripper) http.RoundTripper {
	return &readOnly{next: next, sent: new(atomic.Int64)}
}
