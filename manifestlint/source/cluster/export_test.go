package cluster

import (
	"net/http"
	"sync/atomic"
)

func ReadOnly(next http.RoundTripper) http.RoundTripper {
	return &readOnly{next: next, requests: new(atomic.Int64)}
}
