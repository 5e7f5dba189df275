package lifecycle

import (
	"strings"
	"testing"
)

func TestGateDefault(t *testing.T) {
	for _, tt := range []struct {
		name  string
		minor Minor
		want  Gate
		ok    bool
	}{
		{"PodLifecycleSleepAction", 28, Gate{}, false},
		{"PodLifecycleSleepAction", 29, Gate{"PodLifecycleSleepAction", Alpha, false, false}, true},
		{"PodLifecycleSleepAction", 30, Gate{"PodLifecycleSleepAction", Beta, true, false}, true},
		{"PodLifecycleSleepAction", 34, Gate{"PodLifecycleSleepAction", GA, true, true}, true},
		{"PodLifecycleSleepAction", 37, Gate{}, false},
		{"PodLifecycleSleepActionAllowZero", 32, Gate{"PodLifecycleSleepActionAllowZero", Alpha, false, false}, true},
		{"PodLifecycleSleepActionAllowZero", 33, Gate{"PodLifecycleSleepActionAllowZero", Beta, true, false}, true},
		{"AllAlpha", 16, Gate{"AllAlpha", Alpha, false, false}, true},
		{"AllBeta", 16, Gate{}, false},
		{"AllBeta", 17, Gate{"AllBeta", Beta, false, false}, true},
		{"ComponentSLIs", 30, Gate{"ComponentSLIs", Beta, true, false}, true},
		{"WatchListClient", 35, Gate{"WatchListClient", Beta, true, false}, true},
		{"NoSuchGate", 30, Gate{}, false},
		{"", 30, Gate{}, false},
	} {
		if got, ok := GateDefault(tt.name, tt.minor); got != tt.want || ok != tt.ok {
			t.Errorf("GateDefault(%q, %v) = %+v, %v, want %+v, %v", tt.name, tt.minor, got, ok, tt.want, tt.ok)
		}
	}
	if got := GateMinors("PodLifecycleSleepAction").String(); got != "1.29..1.36" {
		t.Errorf("PodLifecycleSleepAction is in %s", got)
	}
}

func TestGateEnabled(t *testing.T) {
	for _, tt := range []struct {
		flags string
		gate  string
		minor Minor
		want  bool
	}{
		{"", "PodLifecycleSleepAction", 28, false},
		{"", "PodLifecycleSleepAction", 29, false},
		{"", "PodLifecycleSleepAction", 30, true},
		{"", "PodLifecycleSleepAction", 37, true}, // the feature became stable and the gate was removed
		{"", "NoSuchGate", 30, false},
		{"", "DynamicKubeletConfig", 26, false},         // deprecated and off, then removed
		{"", "DynamicAuditing", 30, false},              // alpha, then removed
		{"", "PreventStaticPodAPIReferences", 37, true}, // beta and on, then the gate was removed
		{"PodLifecycleSleepAction=true", "PodLifecycleSleepAction", 29, true},
		{"PodLifecycleSleepAction=false", "PodLifecycleSleepAction", 30, false},
		{"PodLifecycleSleepAction=false", "PodLifecycleSleepAction", 34, true}, // locked to true in 1.34
		{"PodLifecycleSleepAction=false", "PodLifecycleSleepAction", 37, true},
		{"AllAlpha=true", "PodLifecycleSleepAction", 29, true},
		{"AllAlpha=true,PodLifecycleSleepAction=false", "PodLifecycleSleepAction", 29, false},
		{"PodLifecycleSleepAction=false,AllAlpha=true", "PodLifecycleSleepAction", 29, false},
		{"AllBeta=false", "PodLifecycleSleepAction", 30, false},
		{"AllBeta=false", "PodLifecycleSleepAction", 29, false},
		{"AllBeta=false", "PodLifecycleSleepAction", 34, true},
		{"AllAlpha=true", "AllBeta", 30, false},
		{"AllAlpha=true", "AllAlpha", 30, true},
		{" PodLifecycleSleepAction = 1 ,,AllBeta=F", "PodLifecycleSleepAction", 29, true},
		{"PodLifecycleSleepAction=true,PodLifecycleSleepAction=false", "PodLifecycleSleepAction", 30, false},
	} {
		target, err := NewTarget("1.16..1.37", []string{tt.flags}, nil)
		if err != nil {
			t.Errorf("%q: %v", tt.flags, err)
			continue
		}
		if got := target.GateEnabled(tt.gate, tt.minor); got != tt.want {
			t.Errorf("%q: %s at %v is %v, want %v", tt.flags, tt.gate, tt.minor, got, tt.want)
		}
	}
}

func TestNewTargetErrors(t *testing.T) {
	for _, tt := range []struct {
		versions, gates, runtime string
		want                     string // "" if no error
	}{
		{"1.38", "", "", `unknown Kubernetes version "1.38": known are 1.16 to 1.37`},
		{"1.30", "NoSuchGate=true", "", "unrecognized feature gate: NoSuchGate"},
		{"1.37", "PodLifecycleSleepAction=true", "", "unrecognized feature gate: PodLifecycleSleepAction"},
		{"1.34", "PodLifecycleSleepAction=false", "", "cannot set feature gate PodLifecycleSleepAction to false, feature is locked to true"},
		{"1.34", "PodLifecycleSleepAction=true", "", ""},
		{"1.34..1.37", "PodLifecycleSleepAction=false", "", "cannot set feature gate PodLifecycleSleepAction to false, feature is locked to true"},
		{"1.33..1.37", "PodLifecycleSleepAction=false", "", ""},
		{"1.16", "AllBeta=true", "", "unrecognized feature gate: AllBeta"},
		{"1.30", "PodLifecycleSleepAction", "", "missing bool value for PodLifecycleSleepAction"},
		{"1.30", "PodLifecycleSleepAction=yes", "", `invalid value of PodLifecycleSleepAction=yes, err: strconv.ParseBool: parsing "yes": invalid syntax`},
		{"1.30", "", "api/all=false", "invalid key with only api/all=false"},
		{"1.37", "", "api/all=false", "invalid runtime-config with only api/all=false"},
		{"1.37", "", "api/all=false,v1=true", ""},
		{"1.37", "", "api/beta=yes", "invalid value api/beta=yes"},
		{"1.37", "", "api/beta", "invalid value api/beta="},
		{"1.16", "", "api/beta=true", "unknown api groups api"},
		{"1.37", "", "batch", "runtime-config invalid key batch"},
		{"1.37", "", "batch/v1/jobs/status", "runtime-config invalid key batch/v1/jobs/status"},
		{"1.37", "", "nosuch/v1", "unknown api groups nosuch/v1"},
		{"1.37", "", "nosuch/v1,apps/v1,another/v1", "unknown api groups another/v1,nosuch/v1"},
		{"1.30", "", "nosuch/v1", "unknown api groups nosuch"},
		{"1.37", "", "batch/v3", "group version batch/v3 that has not been registered"},
		{"1.24", "", "resource.k8s.io/v1=true", "unknown api groups resource.k8s.io"},
		{"1.24..1.37", "", "resource.k8s.io/v1=true", ""},
		{"1.37", "", "batch/v1beta1=true", ""}, // accepted, but without effect
		{"1.37", "", "batch/v1=maybe", `invalid value of batch/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax`},
		{"1.37", "", "batch/v1/Jobs=true", `invalid key batch/v1/Jobs: group/version/resource and resource is always lowercase plural, not "Jobs"`},
		{"1.37", "", "api/legacy=false", ""},
	} {
		_, err := NewTarget(tt.versions, strings.Fields(tt.gates), strings.Fields(tt.runtime))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("NewTarget(%q, %q, %q): got %q, want %q", tt.versions, tt.gates, tt.runtime, got, tt.want)
		}
	}
}

func TestStateWithSettings(t *testing.T) {
	for _, tt := range []struct {
		api            string
		gates, runtime string
		minor          Minor
		want           State
	}{
		{"apps/v1 Deployment", "", "", 37, Served},
		{"apps/v1 DeploymentList", "", "", 37, Served},
		{"apps/v1 Deployment", "", "apps/v1=false", 37, Disabled},
		{"apps/v1 DeploymentList", "", "apps/v1=false", 37, Disabled},
		{"apps/v1 Deployment", "", "apps/v1/deployments=false", 37, Disabled},
		{"apps/v1 DaemonSet", "", "apps/v1/deployments=false", 37, Served},
		{"v1 Pod", "", "v1=false", 37, Disabled},
		{"v1 Pod", "", "api/v1/pods=false", 37, Disabled},
		{"v1 Secret", "", "v1/pods=false", 37, Disabled}, // a key of the core group always sets all of v1
		{"v1 Pod", "", "api/ga=false", 37, Disabled},
		{"v1 Pod", "", "api/all=false,v1=true", 37, Served},
		{"v1 Pod", "", "api/all=false,apps/v1=true", 37, Disabled},

		// The order of the settings does not matter. A resource has precedence
		// over its version, the version over its stability, and the stability
		// over api/all.
		{"storage.k8s.io/v1beta1 CSIStorageCapacity", "", "api/beta=false", 26, Disabled},
		{"storage.k8s.io/v1beta1 CSIStorageCapacity", "", "storage.k8s.io/v1beta1=true,api/beta=false", 26, Served},
		{"storage.k8s.io/v1beta1 CSIStorageCapacity", "", "storage.k8s.io/v1beta1/csistoragecapacities=false,storage.k8s.io/v1beta1=true", 26, Disabled},
		{"networking.k8s.io/v1beta1 IPAddress", "", "", 32, Disabled},
		{"networking.k8s.io/v1beta1 IPAddress", "", "api/beta=true", 32, Served},
		{"networking.k8s.io/v1beta1 IPAddress", "", "api/beta=true,api/all=false", 32, Served},
		{"networking.k8s.io/v1beta1 IPAddress", "", "api/alpha=true", 32, Disabled},
		{"networking.k8s.io/v1beta1 IPAddress", "", "api/all=true", 30, NotYet},
		{"networking.k8s.io/v1beta1 IPAddress", "", "networking.k8s.io/v1beta1/ipaddresses=true", 32, Served},
		{"networking.k8s.io/v1beta1 ServiceCIDR", "", "networking.k8s.io/v1beta1/ipaddresses=true", 32, Disabled},
		{"batch/v1beta1 CronJob", "", "api/all=true", 25, Removed},

		// The gate and the runtime configuration must both enable the API.
		{"certificates.k8s.io/v1alpha1 ClusterTrustBundle", "", "api/all=true", 30, Disabled},
		{"certificates.k8s.io/v1alpha1 ClusterTrustBundle", "ClusterTrustBundle=true", "", 30, Disabled},
		{"certificates.k8s.io/v1alpha1 ClusterTrustBundle", "ClusterTrustBundle=true", "api/alpha=true", 30, Served},
		{"certificates.k8s.io/v1alpha1 ClusterTrustBundle", "AllAlpha=true", "api/alpha=true", 30, Served},
		{"certificates.k8s.io/v1alpha1 ClusterTrustBundleList", "AllAlpha=true", "api/alpha=true", 30, Served},
		{"storage.k8s.io/v1beta1 CSINode", "CSINodeInfo=false", "", 16, Disabled},

		// Before 1.24, only resources of extensions/v1beta1 have settings, which
		// a setting for the version does not change.
		{"extensions/v1beta1 Deployment", "", "", 16, Disabled},
		{"extensions/v1beta1 Deployment", "", "api/all=true", 16, Disabled},
		{"extensions/v1beta1 Deployment", "", "extensions/v1beta1=true", 16, Disabled},
		{"extensions/v1beta1 Deployment", "", "extensions/v1beta1/deployments=true", 16, Served},
		{"extensions/v1beta1 Deployment", "", "extensions/v1beta1/deployments=true,extensions/v1beta1=false", 16, Served},
		{"extensions/v1beta1 Deployment", "", "extensions/v1beta1/deployments=true", 18, Removed},
		{"extensions/v1beta1 Ingress", "", "", 21, Served},
		{"extensions/v1beta1 Ingress", "", "extensions/v1beta1=false", 21, Disabled},
		{"apps/v1beta1 Deployment", "", "apps/v1beta1/deployments=true", 16, Disabled},
		{"apps/v1beta1 Deployment", "", "apps/v1beta1=true", 16, Served},
		{"apps/v1beta1 Deployment", "", "api/all=true", 16, Served},
		{"batch/v1beta1 CronJob", "", "batch/v1beta1/cronjobs=false", 23, Served},
		{"batch/v1beta1 CronJob", "", "batch/v1beta1/cronjobs=false", 24, Disabled},
		{"apps/v1alpha1 PetSet", "", "", 16, Removed},
	} {
		target, err := NewTarget("1.16..1.37", strings.Fields(tt.gates), strings.Fields(tt.runtime))
		if err != nil {
			t.Errorf("%q %q: %v", tt.gates, tt.runtime, err)
			continue
		}
		if got := mustLookup(t, tt.api).State(tt.minor, target); got != tt.want {
			t.Errorf("%s at %v with %q %q: %v, want %v", tt.api, tt.minor, tt.gates, tt.runtime, got, tt.want)
		}
	}
}

// Settings that equal the defaults do not change any state.
func TestSettingsWithoutEffect(t *testing.T) {
	target, err := NewTarget("1.16..1.37", []string{"AllAlpha=false,PodLifecycleSleepAction=true"}, []string{"v1=true,apps/v1=true"})
	if err != nil {
		t.Fatal(err)
	}
	for a := range All() {
		for m := range target.Range.All() {
			if got, want := a.State(m, target), a.State(m, Target{}); got != want {
				t.Errorf("%v at %v: %v, want %v", a, m, got, want)
			}
		}
	}
}

func FuzzNewTarget(f *testing.F) {
	f.Add("1.30", "A=true,AllBeta=0", "api/beta=true,batch/v1")
	f.Add("1.16..1.37", "AllAlpha=true", "v1/x/y,/,//,=,a/b/c=d")
	f.Fuzz(func(t *testing.T, versions, gates, runtime string) {
		target, err := NewTarget(versions, []string{gates}, []string{runtime})
		if err != nil {
			return
		}
		for a := range All() {
			for m := range target.Range.All() {
				// Settings change only between Served and Disabled, and do not
				// bring removed APIs back.
				switch got, byDefault := a.State(m, target), a.State(m, Target{}); {
				case got == byDefault, got == Served && byDefault == Disabled, got == Disabled && byDefault == Served:
				default:
					t.Fatalf("%v at %v: %v, by default %v", a, m, got, byDefault)
				}
			}
		}
	})
}
