// Package outside has side effects other than writes to a Kubernetes API.
package outside

import (
	"context"
	"os"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Keep writes a file.
func Keep(name string) error { return deeper(name) }

func deeper(name string) error { return os.WriteFile(name, nil, 0o600) }

// KeepUnless gets the dry run as an argument.
func KeepUnless(name string, dryRun bool) error {
	if dryRun {
		return nil
	}
	return Keep(name)
}

// KeepFor checks the request itself.
func KeepFor(req *admissionv1.AdmissionRequest) error { // want KeepFor:"asksDryRun"
	if req.DryRun != nil && *req.DryRun {
		return nil
	}
	return Keep(req.Name)
}

// Scratch writes files that it deletes again.
func Scratch() error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return os.WriteFile(dir+"/x", nil, 0o600)
}

// Ledger is implemented by one type of the package.
type Ledger interface {
	Record(ctx context.Context, name string) error
	Read(ctx context.Context, name string) error
}

type ledger struct{ c client.Client }

// NewLedger returns the only implementation.
func NewLedger(c client.Client) Ledger { return &ledger{c} }

func (l *ledger) Record(ctx context.Context, name string) error {
	return l.c.Create(ctx, &corev1.ConfigMap{})
}

func (l *ledger) Read(ctx context.Context, name string) error {
	return l.c.Get(ctx, client.ObjectKey{Name: name}, &corev1.ConfigMap{})
}

type fakeLedger struct{}

func (fakeLedger) Record(ctx context.Context, name string) error { return nil }
func (fakeLedger) Read(ctx context.Context, name string) error   { return nil }

// Store has two implementations. It is not known which of them runs.
type Store interface {
	Save(ctx context.Context, name string) error
}

type files struct{}

func (files) Save(ctx context.Context, name string) error { return Keep(name) }

type memory map[string]bool

func (m memory) Save(ctx context.Context, name string) error { m[name] = true; return nil }
