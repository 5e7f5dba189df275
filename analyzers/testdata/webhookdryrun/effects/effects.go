// want package:"has handlers"

// Package effects has handlers with side effects other than writes to a Kubernetes
// API.
package effects

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net/http"
	"os"
	"os/exec"

	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"example.org/clients/webhookdryrun/outside"
)

type handler struct {
	db     *sql.DB
	http   *http.Client
	ledger outside.Ledger
	store  outside.Store
}

func (h *handler) posts(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^posts sends an HTTP POST request with Client.Post on dry-run requests too; skip it when req.DryRun is true`
	_, _ = h.http.Post("https://example.org/tell", "text/plain", nil)
	return nil
}

func (h *handler) gets(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_, _ = h.http.Get("https://example.org/ask")
	return nil
}

func (h *handler) does(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^does sends an HTTP DELETE request with Client.Do on dry-run deletes too`
	if req.Operation == admissionv1.Delete {
		r, err := http.NewRequestWithContext(ctx, http.MethodDelete, "https://example.org/"+req.Name, nil)
		if err == nil {
			_, _ = h.http.Do(r)
		}
	}
	return nil
}

func (h *handler) asks(ctx context.Context, req *admissionv1.AdmissionRequest, method string) *admissionv1.AdmissionResponse {
	if r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://example.org/"+req.Name, nil); err == nil {
		_, _ = h.http.Do(r)
	}
	// It is not known whether this request has an effect.
	if r, err := http.NewRequestWithContext(ctx, method, "https://example.org/"+req.Name, bytes.NewReader(nil)); err == nil {
		_, _ = h.http.Do(r)
	}
	return nil
}

// tells closes the body of the response, and reads only the status.
func (h *handler) tells(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^tells sends an HTTP POST request with http.Post on dry-run requests too`
	resp, err := http.Post("https://example.org/tell", "text/plain", nil)
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	return &admissionv1.AdmissionResponse{Allowed: resp.StatusCode == http.StatusOK}
}

// queries reads the response and decides by it, like a client of a policy engine.
func (h *handler) queries(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	resp, err := http.Post("https://example.org/v1/data", "application/json", nil)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return &admissionv1.AdmissionResponse{Allowed: err == nil && string(answer) == "yes"}
}

func (h *handler) inserts(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^inserts runs SQL INSERT on dry-run requests too`
	_, _ = h.db.ExecContext(ctx, "INSERT INTO seen VALUES (?)", req.Name)
	return nil
}

func (h *handler) selects(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_, _ = h.db.ExecContext(ctx, "SET search_path TO seen")
	_, _ = h.db.QueryContext(ctx, "SELECT * FROM seen")
	return nil
}

func (h *handler) runs(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^runs runs kubectl label on dry-run requests too`
	_ = exec.CommandContext(ctx, "kubectl", "label", "pod", req.Name, "seen=yes").Run()
	return nil
}

func (h *handler) looks(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = exec.CommandContext(ctx, "kubectl", "get", "pod", req.Name).Run()
	_ = exec.CommandContext(ctx, "kubectl", "apply", "--dry-run=server", "-f", req.Name).Run()
	_ = exec.Command("checker", req.Name).Run()
	return nil
}

func (h *handler) opens(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^opens writes a file with os.OpenFile, and makes one more change, on dry-run requests too`
	f, err := os.OpenFile(req.Name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err == nil {
		_ = f.Close()
		_ = os.Remove(req.Name)
	}
	return nil
}

func (h *handler) logs(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if f, err := os.OpenFile("log", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err == nil {
		_ = f.Close()
	}
	if f, err := os.OpenFile("rules", os.O_RDONLY, 0); err == nil {
		_ = f.Close()
	}
	return nil
}

func (h *handler) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle writes a file with os.WriteFile \(in Keep\) on dry-run requests too; skip it when req.DryRun is true`
	_ = outside.Keep(req.Name)
	return admission.Allowed("")
}

func (h *handler) told(req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = outside.KeepUnless(req.Name, req.DryRun != nil && *req.DryRun)
	_ = outside.KeepFor(req)
	_ = outside.Scratch()
	return nil
}

func (h *handler) records(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^records creates a ConfigMap \(in Record\) on dry-run requests too`
	_ = h.ledger.Record(ctx, req.Name)
	return nil
}

func (h *handler) reads(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = h.ledger.Read(ctx, req.Name)
	_ = h.store.Save(ctx, req.Name)
	return nil
}

func (h *handler) guarded(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if req.DryRun != nil && *req.DryRun {
		return nil
	}
	_, _ = h.http.Post("https://example.org/tell", "text/plain", nil)
	_ = h.ledger.Record(ctx, req.Name)
	return nil
}

// late checks the dry run too late. The call before the check does not depend on
// it, whatever its condition is.
func (h *handler) late(ctx context.Context, req *admissionv1.AdmissionRequest, names []string) *admissionv1.AdmissionResponse { // want `^late creates a ConfigMap \(in Record\) on dry-run requests too`
	for _, name := range names {
		_ = h.ledger.Record(ctx, name)
	}
	if req.DryRun != nil && *req.DryRun {
		return nil
	}
	_, _ = h.http.Post("https://example.org/tell", "text/plain", nil)
	return nil
}
