package server

import (
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"time"
)

// hook is a webhook server for cases. In the body of a case, $WEBHOOK is its address and
// $CABUNDLE is its certificate authority.
type hook struct {
	*http.Server
	address string
}

// startWebhook starts a server for admission reviews. The path determines the
// response:
//
//   - /allow and /deny have no text.
//   - /denymsg denies with a message.
//   - /warn allows with a warning.
//   - /denywarn denies with a warning, without a message.
//   - /many allows with forty warnings of 150 letters.
//   - /dry allows, and warns if the request is a dry run.
func startWebhook(f files) (*hook, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &hook{
		Server: &http.Server{
			Handler:           http.HandlerFunc(review),
			TLSConfig:         &tls.Config{Certificates: []tls.Certificate{f.pair}},
			ReadHeaderTimeout: 10 * time.Second,
		},
		address: "https://" + listener.Addr().String(),
	}
	go func() { _ = h.ServeTLS(listener, "", "") }()
	return h, nil
}

func (h *hook) replacer(f files) *strings.Replacer {
	return strings.NewReplacer("$WEBHOOK", h.address, "$CABUNDLE", base64.StdEncoding.EncodeToString(f.certPEM))
}

func review(w http.ResponseWriter, r *http.Request) {
	var in struct {
		APIVersion, Kind string
		Request          struct {
			UID    string
			DryRun bool
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var warnings []string
	response := map[string]any{"uid": in.Request.UID, "allowed": !strings.HasPrefix(r.URL.Path, "/deny")}
	switch r.URL.Path {
	case "/denymsg":
		response["status"] = map[string]any{"code": http.StatusForbidden, "message": "not on a Friday"}
	case "/warn", "/denywarn":
		warnings = append(warnings, "the webhook advises against it")
	case "/many":
		for i := range 40 {
			warnings = append(warnings, string(rune('A'+i))+strings.Repeat("x", 150))
		}
	case "/dry":
		if in.Request.DryRun {
			warnings = append(warnings, "the webhook knows that it is a dry run")
		}
	}
	if warnings != nil {
		response["warnings"] = warnings
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": in.APIVersion, "kind": in.Kind, "response": response})
}
