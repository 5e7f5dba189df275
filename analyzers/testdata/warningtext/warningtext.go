package warningtext

import (
	"context"
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const (
	hundred = "1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"
	fifth   = "12345678901234567890"
)

type validator struct{}

func (validator) ValidateCreate(ctx context.Context, obj *corev1.Pod) (admission.Warnings, error) {
	warnings := admission.Warnings{
		"fine",
		"",                      // want `the server drops an empty warning`
		"two\nlines",            // want `the server drops a warning with control characters, and this one has U\+000A`
		"a line\n",              // want `this one has U\+000A`
		"a \"quoted\" line\r\n", // want `this one has U\+000D`
		"a\ttab",                // want `this one has U\+0009`
		hundred + fifth,
		hundred + fifth + "!", // want `warning of 121 characters is longer than the 120 that Kubernetes advises`
		"ä" + hundred + fifth[1:],
		hundred + hundred + hundred, // want `warning of 300 characters is cut to 256 where the warnings of a request have more than 4096 in all: at most 120 are advised`
	}
	return warnings, nil
}

func (validator) ValidateUpdate(ctx context.Context, old, obj *corev1.Pod) (admission.Warnings, error) {
	return []string{"two\nlines"}, nil // want `this one has U\+000A`
}

func (validator) ValidateDelete(ctx context.Context, obj *corev1.Pod) (warnings admission.Warnings, err error) {
	if obj.Name == "" {
		warnings = append(warnings, "a line\n") // want `this one has U\+000A`
	}
	return append(warnings, "fine", fmt.Sprintf("%s:\n%s", obj.Name, obj.Namespace)), nil // want `this one has U\+000A`
}

func handle(obj *corev1.Pod, texts []string) admission.Response {
	var list []string
	list = append(list, "a line\n") // want `this one has U\+000A`
	var logged []string
	logged = append(logged, "a line\n")
	_ = strings.Join(logged, "")
	r := admission.Allowed("two\nlines").WithWarnings(list...)
	r.Warnings = append(r.Warnings, "a line\n")                      // want `this one has U\+000A`
	return r.WithWarnings(texts...).WithWarnings("fine", "a line\n") // want `this one has U\+000A`
}

func review(name string) []any {
	return []any{
		&admissionv1.AdmissionResponse{Warnings: []string{"a line\n"}},                                           // want `this one has U\+000A`
		&admissionv1beta1.AdmissionResponse{Warnings: []string{"a line\n", name, strings.TrimSpace("a line\n")}}, // want `this one has U\+000A`
		&admissionv1.AdmissionResponse{Warnings: []string{fmt.Sprintf(hundred+"%s%d%%"+fifth, name, 1)}},         // want `warning of at least 121 characters is longer`
		&admissionv1.AdmissionResponse{Warnings: []string{fmt.Sprintf(hundred+"%[1]s%[1]q"+fifth, name)}},
		&admissionv1.AdmissionResponse{Warnings: []string{fmt.Sprintf("%s", name)}},
	}
}

const (
	thousand = hundred + hundred + hundred + hundred + hundred + hundred + hundred + hundred + hundred + hundred
	most     = thousand + thousand + thousand + thousand + hundred
)

func many() admission.Response {
	return admission.Allowed("").WithWarnings(
		most, // want `warning of 4100 characters is cut to 256 by the server, which sends 4096 in all`
	)
}

func together() admission.Response {
	return admission.Allowed("").WithWarnings(
		"fine",               // want `warnings of 4108 characters in all are too many: beyond 4096 the server cuts each to 256 and drops the last`
		thousand+hundred+"1", // want `cut to 256 where`
		thousand+hundred+"2", // want `cut to 256 where`
		thousand+hundred+"3", // want `cut to 256 where`
		hundred+hundred+hundred+hundred+hundred+hundred+hundred+hundred+"4", // want `cut to 256 where`
	)
}

func record(ctx context.Context, name string) {
	warning.AddWarning(ctx, "", "fine: "+hundred+fifth+"!")
	warning.AddWarning(ctx, "", "")           // want `the server drops an empty warning`
	warning.AddWarning(ctx, "", name+"\n")    // want `this one has U\+000A`
	warning.AddWarning(ctx, "my agent", name) // want `the server drops a warning whose agent has spaces, quotes, backslashes or control characters, and this one has ' '`
	warning.AddWarning(ctx, "my-agent", name)
	warning.AddWarning(ctx, "", hundred+hundred+hundred) // want `warning of 300 characters is cut to 256 where`
}
