// Package model has the shape of an admission review of any version. Written by hand.
package model

type AdmissionReview struct {
	ID        string
	Name      string
	Namespace string
	Operation string
	DryRun    bool
}
