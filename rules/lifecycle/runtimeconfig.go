package lifecycle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Minors in which the meaning of --runtime-config changed.
const (
	// stabilityKeys is the first minor with api/ga, api/beta and api/alpha.
	stabilityKeys Minor = 17
	// resourceKeys is the first minor that can enable and disable every resource.
	// Earlier minors can do so only for resources of extensions/v1beta1.
	resourceKeys Minor = 24
	// versionTexts is the first minor whose errors name versions instead of
	// groups.
	versionTexts Minor = 36
)

// extensionsGV is the only version whose resources have settings before
// resourceKeys.
const extensionsGV = "extensions/v1beta1"

// stabilityKeyNames are the keys for all versions and for versions of one
// stability, in the order in which the server applies them.
var stabilityKeyNames = [...]string{"api/all", "api/ga", "api/beta", "api/alpha"}

// matchesStability reports whether stabilityKeyNames[key] applies to a version.
func matchesStability(key int, version string) bool {
	if key == 0 {
		return true
	}
	return parseVersion(version).stability == [...]int{1: stable, 2: beta, 3: alpha}[key]
}

type runtimeConfig struct {
	// stability has one setting for each key of stabilityKeyNames.
	stability [len(stabilityKeyNames)]tristate
	versions  []versionSetting
	resources []versionSetting
}

// tristate is a boolean setting that may be absent. The zero value is absent.
type tristate uint8

const (
	unset tristate = iota
	off
	on
)

func tristateOf(b bool) tristate {
	if b {
		return on
	}
	return off
}

// versionSetting enables or disables a version, or one resource of a version. key
// is the text in the flag.
type versionSetting struct {
	key                    string
	groupVersion, resource string
	on                     bool
}

// enabled reports whether the target's runtime configuration enables an API. A
// subresource kind always has its default.
//
// Source: k8s.io/apiserver/pkg/server/resourceconfig/helpers.go and
// pkg/server/storage/resource_config.go, read in 1.16 to 1.37.
func (t Target) enabled(r *record, m Minor) bool {
	byDefault := r.enabled.Has(m)
	if t.set == nil || r.class != Resource {
		return byDefault
	}
	rc := &t.set.runtime
	version := (API{r}).Version()
	// Before resourceKeys, a resource is on if its version is on and the resource
	// itself is not disabled. Only resources of extensions/v1beta1 have default
	// settings, which a setting for the version does not change.
	versionOn, resourceOn := byDefault, unset
	if m < resourceKeys && r.groupVersion == extensionsGV {
		versionOn, resourceOn = true, tristateOf(byDefault)
	}
	for key, setting := range rc.stability {
		if setting != unset && (key == 0 || m >= stabilityKeys) && matchesStability(key, version) {
			versionOn = setting == on
		}
	}
	for i := range rc.versions {
		if rc.versions[i].groupVersion == r.groupVersion {
			versionOn = rc.versions[i].on
		}
	}
	for i := range rc.resources {
		s := &rc.resources[i]
		if s.groupVersion != r.groupVersion || s.resource != r.resource {
			continue
		}
		switch {
		case m >= resourceKeys:
			return s.on
		case r.groupVersion == extensionsGV:
			resourceOn = tristateOf(s.on)
			versionOn = versionOn || s.on
		}
	}
	return versionOn && resourceOn != off
}

// parseRuntimeConfig parses the values of --runtime-config flags. It reports
// errors in the server's order: wrong keys, unknown groups, wrong values. As in
// the server, the last setting for a key counts.
func parseRuntimeConfig(flags []string, r Range) (runtimeConfig, error) {
	var rc runtimeConfig
	keys, values := runtimeConfigMap(flags)
	if len(keys) == 1 && values["api/all"] == "false" {
		if r.To >= versionTexts {
			return rc, fmt.Errorf("invalid runtime-config with only api/all=false")
		}
		return rc, fmt.Errorf("invalid key with only api/all=false")
	}
	var settings []versionSetting
	var unknown []string
	for _, key := range keys {
		if slices.Contains(stabilityKeyNames[:], key) && (key == stabilityKeyNames[0] || r.To >= stabilityKeys) {
			continue
		}
		s, err := parseVersionKey(key)
		if err != nil {
			return rc, err
		}
		if group := groupOf(s.groupVersion); registeredGroup(group, r) {
			settings = append(settings, s)
		} else if r.To >= versionTexts {
			unknown = append(unknown, s.groupVersion)
		} else {
			unknown = append(unknown, group)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return rc, fmt.Errorf("unknown api groups %s", strings.Join(slices.Compact(unknown), ","))
	}
	for i, key := range stabilityKeyNames {
		switch value, ok := values[key]; {
		case !ok:
		case value == "true" || value == "false":
			rc.stability[i] = tristateOf(value == "true")
		default:
			return rc, fmt.Errorf("invalid value %s=%s", key, value)
		}
	}
	for _, s := range settings {
		if err := rc.add(s, values[s.key], r); err != nil {
			return runtimeConfig{}, err
		}
	}
	return rc, nil
}

// runtimeConfigMap splits the flags into keys and values. The keys are in the
// order of the flags.
//
// As in the server, a key of the core group always sets the version v1, even if
// it names a resource, and api/legacy is ignored. Source:
// k8s.io/kubernetes/pkg/controlplane/apiserver/options/options.go.
func runtimeConfigMap(flags []string) (keys []string, values map[string]string) {
	values = map[string]string{}
	for _, flag := range flags {
		for entry := range strings.SplitSeq(flag, ",") {
			if entry == "" {
				continue
			}
			key, value, _ := strings.Cut(entry, "=")
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
			if version := strings.TrimPrefix(key, "api/"); version == "v1" || strings.HasPrefix(version, "v1/") {
				key = coreKey
			}
			if key == "api/legacy" {
				continue
			}
			if _, ok := values[key]; !ok {
				keys = append(keys, key)
			}
			values[key] = value
		}
	}
	return keys, values
}

// coreKey is the server's key for the only version of the core group.
const coreKey = "/v1"

// add checks and stores the setting for a version or resource. The setting has no
// effect in minors that lack the version or resource.
func (rc *runtimeConfig) add(s versionSetting, value string, r Range) error {
	if !registeredVersion(s.groupVersion, r) {
		return fmt.Errorf("group version %s that has not been registered", s.groupVersion)
	}
	s.on = true
	if value != "" {
		var err error
		if s.on, err = strconv.ParseBool(value); err != nil {
			return fmt.Errorf("invalid value of %s: %s, err: %w", s.key, value, err)
		}
	}
	if s.resource == "" {
		rc.versions = append(rc.versions, s)
		return nil
	}
	if r.To >= resourceKeys && strings.ToLower(s.resource) != s.resource {
		return fmt.Errorf("invalid key %s: group/version/resource and resource is always lowercase plural, not %q", s.key, s.resource)
	}
	rc.resources = append(rc.resources, s)
	return nil
}

// parseVersionKey parses a key of the form group/version or
// group/version/resource.
func parseVersionKey(key string) (versionSetting, error) {
	if key == coreKey {
		return versionSetting{key: key, groupVersion: "v1"}, nil
	}
	tokens := strings.Split(key, "/")
	if len(tokens) != 2 && len(tokens) != 3 {
		return versionSetting{}, fmt.Errorf("runtime-config invalid key %s", key)
	}
	s := versionSetting{key: key, groupVersion: tokens[0] + "/" + tokens[1]}
	if len(tokens) == 3 {
		s.resource = tokens[2]
	}
	return s, nil
}

// registeredGroup reports whether a server of the range registers a group, and
// registeredVersion whether it registers a version. A server accepts settings for
// every registered version, and ignores settings for a version that it no longer
// serves. Some releases after the last release that serves a version, servers no
// longer register the version. registeredVersion returns true for these releases,
// too.
func registeredGroup(group string, r Range) bool {
	return registered(r, func(a API) bool { return a.Group() == group })
}

func registeredVersion(groupVersion string, r Range) bool {
	return registered(r, func(a API) bool { return a.r.groupVersion == groupVersion })
}

func registered(r Range, matches func(API) bool) bool {
	for i := range apis {
		a := API{&apis[i]}
		if first := a.r.servable.Oldest(); first != 0 && first <= r.To && a.r.servable.Newest() >= Oldest && matches(a) {
			return true
		}
	}
	return false
}
