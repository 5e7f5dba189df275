// Package plan says what to do with an object, and whether only to try it.
package plan

// Plan comes from the annotations of an object.
type Plan struct {
	Name   string
	DryRun bool
}

// GetDryRun returns whether only to try it.
func (p *Plan) GetDryRun() bool { return p != nil && p.DryRun }

// Read reads a plan.
func Read(name string, annotations map[string]string) *Plan {
	return &Plan{Name: name, DryRun: annotations["example.org/dry-run"] == "true"}
}
