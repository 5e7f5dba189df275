// Package unsent has objects of removed versions, and sends only some of them.
// Findings about the other objects are marked as info.
package unsent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	batchv1beta1 "k8s.io/api/batch/v1beta1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// named is an interface for reading metadata. No client takes it.
type named interface{ GetName() string }

var kind = reflect.TypeOf(batchv1beta1.CronJob{}).Name()

func schedule(raw []byte) (string, error) {
	var job batchv1beta1.CronJob /* info */ // want `batch/v1beta1 CronJob was removed`
	if err := json.Unmarshal(raw, &job); err != nil {
		return "", fmt.Errorf("%s: %w", nameOf(&job), err)
	}
	return job.Spec.Schedule, nil
}

func copied(raw []byte) ([]byte, error) {
	job := &batchv1beta1.CronJob{} /* info */ // want `batch/v1beta1 CronJob was removed`
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(job); err != nil {
		return nil, err
	}
	jobs := []*batchv1beta1.CronJob{job}
	return json.Marshal(jobs)
}

func nameOf(n named) string { return n.GetName() }

func read(raw []byte) (*policyv1beta1.PodDisruptionBudget, error) {
	pdb := new(policyv1beta1.PodDisruptionBudget) // want `policy/v1beta1 PodDisruptionBudget was removed`
	return pdb, json.Unmarshal(raw, pdb)
}

func write(ctx context.Context, c client.Client, raw []byte) error {
	pdb, err := read(raw)
	if err != nil {
		return err
	}
	return c.Create(ctx, pdb)
}

// An object with fields is a manifest of this version, even if it is not sent.
func manifest(w io.Writer) error {
	request := certificatesv1beta1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "web"}} // want `certificates.k8s.io/v1beta1 CertificateSigningRequest was removed`
	return json.NewEncoder(w).Encode(request)
}
