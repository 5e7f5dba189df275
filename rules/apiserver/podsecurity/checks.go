package podsecurity

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/policy"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// checksOf returns the checks of a release. Older releases check the same version
// of a policy differently than the newest release. These are all differences in
// pod-security-admission/policy of 0.22 to 0.37:
//
//	to 1.23      A restricted check does not replace the baseline check of the
//	             same field, so a violation is reported twice.
//	to 1.25      SELinux: the text names a user or a role only if a type is wrong.
//	to 1.29      AppArmor: only annotations are checked, and the text differs.
//	to 1.32      Image volumes are not allowed (pod.go).
//	1.29–1.34    If UserNamespacesPodSecurityStandards is on, a pod with a user
//	             namespace may be root, in all versions of the policy. From 1.31
//	             on it may also unmask /proc.
func checksOf(minor lifecycle.Minor, relaxed bool) []policy.Check {
	checks := policy.DefaultChecks()
	for i := range checks {
		c := &checks[i]
		for j := range c.Versions {
			v := &c.Versions[j]
			if minor <= 23 {
				v.OverrideCheckIDs = nil
			}
			switch c.ID {
			case "seLinuxOptions":
				if minor <= 25 {
					v.CheckPod = shortSELinux(v.CheckPod)
				}
			case "appArmorProfile":
				if minor <= 29 {
					v.CheckPod = appArmorAnnotations
				}
			case "runAsNonRoot", "runAsUser":
				if relaxed {
					v.CheckPod = unlessUserNamespace(v.CheckPod)
				}
			case "procMount":
				if relaxed && minor >= 31 {
					v.CheckPod = unlessUserNamespace(v.CheckPod)
				}
			}
		}
	}
	return checks
}

// unlessUserNamespace returns a check that allows every pod with its own user
// namespace.
func unlessUserNamespace(check policy.CheckPodFn) policy.CheckPodFn {
	return func(meta *metav1.ObjectMeta, spec *corev1.PodSpec) policy.CheckResult {
		if spec.HostUsers != nil && !*spec.HostUsers {
			return policy.CheckResult{Allowed: true}
		}
		return check(meta, spec)
	}
}

// shortSELinux returns a check whose text leaves out a user and a role, unless a
// type is wrong, too. Source: seLinuxOptions_1_0 in check_seLinuxOptions.go up to
// 0.25.
func shortSELinux(check policy.CheckPodFn) policy.CheckPodFn {
	return func(meta *metav1.ObjectMeta, spec *corev1.PodSpec) policy.CheckResult {
		result := check(meta, spec)
		const intro = "securityContext.seLinuxOptions: "
		if at := strings.LastIndex(result.ForbiddenDetail, intro); at >= 0 {
			if data := result.ForbiddenDetail[at+len(intro):]; !strings.HasPrefix(data, "type") {
				result.ForbiddenDetail = result.ForbiddenDetail[:at+len(intro)]
			}
		}
		return result
	}
}

// appArmorAnnotations checks the AppArmor annotations of a pod. Source:
// appArmorProfile_1_0 in check_appArmorProfile.go up to 0.29, when only
// annotations existed.
func appArmorAnnotations(meta *metav1.ObjectMeta, _ *corev1.PodSpec) policy.CheckResult {
	var bad []string
	for k, v := range meta.Annotations {
		if strings.HasPrefix(k, corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix) &&
			v != "" && v != corev1.DeprecatedAppArmorBetaProfileRuntimeDefault &&
			!strings.HasPrefix(v, corev1.DeprecatedAppArmorBetaProfileNamePrefix) {
			bad = append(bad, fmt.Sprintf("%s=%q", k, v))
		}
	}
	if len(bad) == 0 {
		return policy.CheckResult{Allowed: true}
	}
	slices.Sort(bad)
	reason := "forbidden AppArmor profile"
	if len(bad) > 1 {
		reason += "s"
	}
	return policy.CheckResult{ForbiddenReason: reason, ForbiddenDetail: strings.Join(bad, ", ")}
}
