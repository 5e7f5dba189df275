package auditserve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/kubevet/kubevet/internal/quote"
)

// Path is the path of the URL to which API servers post batches of events.
const Path = "/audit"

// receiver accepts batches from the webhook backend of API servers.
type receiver struct {
	store *store
	// maxBody is the maximal size of a batch in bytes. maxQueue is the maximal total size
	// of all batches that are being received or wait to be counted.
	maxBody, maxQueue int64
	// maxWaiting is the maximal number of batches that are being received or wait to be
	// counted.
	maxWaiting int64
	// names has the common names of the client certificates that may post. If it is
	// empty, all may post.
	names map[string]bool
	// complain prints an error that the API server cannot fix.
	complain func(format string, args ...any)

	queued, waiting atomic.Int64
	refused         refusals
}

// refusals counts the batches that were refused, by reason.
type refusals struct {
	busy, tooLarge, invalid, failed, forbidden atomic.Int64
}

// ServeHTTP accepts or refuses one batch.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "the audit webhook of an API server posts here", http.StatusMethodNotAllowed)
		return
	}
	if !r.mayPost(req) {
		r.refused.forbidden.Add(1)
		http.Error(w, "--client-name does not list the name of the client certificate", http.StatusForbidden)
		return
	}
	// A browser does not send this type to another site without asking that site first.
	// So a hostile web page cannot post batches.
	if kind, _, err := mime.ParseMediaType(req.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		r.refused.invalid.Add(1)
		http.Error(w, "the content type must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	size := req.ContentLength
	if size < 0 {
		size = r.maxBody
	}
	if size > r.maxBody {
		r.tooLarge(w)
		return
	}
	queued, waiting := r.queued.Add(size), r.waiting.Add(1)
	defer func() {
		r.queued.Add(-size)
		r.waiting.Add(-1)
	}()
	if queued > r.maxQueue || waiting > r.maxWaiting {
		r.refused.busy.Add(1)
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too many batches wait", http.StatusTooManyRequests)
		return
	}
	body, err := readAll(http.MaxBytesReader(w, req.Body, r.maxBody), req.ContentLength)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		r.tooLarge(w)
		return
	case err != nil:
		r.refused.invalid.Add(1)
		http.Error(w, "reading the batch failed", http.StatusBadRequest)
		return
	}
	if err := isEventList(body); err != nil {
		r.refused.invalid.Add(1)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	// After a batch was read, it is counted even if the client has closed the connection.
	// The client will send the batch again, but no event is counted twice.
	if err := r.store.accept(context.WithoutCancel(req.Context()), body); err != nil {
		r.refused.failed.Add(1)
		r.complain("a batch is refused: %v", err)
		w.Header().Set("Retry-After", "5")
		http.Error(w, "the batch could not be kept", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusOK)
}

func (r *receiver) tooLarge(w http.ResponseWriter) {
	r.refused.tooLarge.Add(1)
	http.Error(w, "a batch may have at most "+strconv.FormatInt(r.maxBody, 10)+" bytes: see --audit-webhook-truncate-enabled of the API server", http.StatusRequestEntityTooLarge)
}

// mayPost reports whether the certificate of the client has an allowed name.
func (r *receiver) mayPost(req *http.Request) bool {
	if len(r.names) == 0 {
		return true
	}
	return req.TLS != nil && len(req.TLS.VerifiedChains) > 0 && r.names[req.TLS.VerifiedChains[0][0].Subject.CommonName]
}

// readAll reads a body. length is the length that the client announced, or -1.
func readAll(r io.Reader, length int64) ([]byte, error) {
	if length < 0 {
		return io.ReadAll(r)
	}
	// The buffer grows with the bytes that arrive. A client may announce any length.
	const step = 1 << 20
	body := make([]byte, 0, min(length+1, step))
	for {
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return nil, err
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

// isEventList returns an error if a text is not an EventList of the version that API
// servers send. It does not check the events in the list.
func isEventList(body []byte) error {
	var list struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return errors.New("the batch is not a JSON object")
	}
	if list.Kind != "EventList" || list.APIVersion != "audit.k8s.io/v1" {
		return fmt.Errorf("the batch is %s %s, not audit.k8s.io/v1 EventList", quote.Name(short(list.APIVersion)), quote.Name(short(list.Kind)))
	}
	return nil
}

// short returns the first 40 bytes of a text, for messages.
func short(s string) string { return s[:min(len(s), 40)] }
