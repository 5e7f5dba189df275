package validation

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

var (
	netBIOSName   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^\\/:\*\?"<>|\.][^\\/:\*\?"<>|]{0,14}$`) })
	windowsDomain = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`)
	})
	dotsOrSpaces   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\. ]+$`) })
	userCharacters = "\"/\\:;|=,+*?<>@[]"
)

// windowsOptions checks the windowsOptions of a security context. Source:
// validateWindowsSecurityContextOptions.
func (v *validator) windowsOptions(o node) {
	if !o.isSet() {
		return
	}
	refuse := func(n node, detail string) { v.invalid(n, v.typed(n.text()), detail) }
	if name := o.get("gmsaCredentialSpecName"); name.isSet() {
		for _, m := range subdomainErrors(v.minor, name.text()) {
			refuse(name, m)
		}
	}
	if spec := o.get("gmsaCredentialSpec"); spec.isSet() {
		switch n := len(spec.text()); {
		case n == 0:
			refuse(spec, "gmsaCredentialSpec cannot be an empty string")
		case n > 64<<10:
			refuse(spec, "gmsaCredentialSpec size must be under 64 KiB")
		}
	}
	if user := o.get("runAsUserName"); user.isSet() {
		v.windowsUser(user, refuse)
	}
}

func (v *validator) windowsUser(n node, refuse func(node, string)) {
	name := n.text()
	domain, user, hasDomain := strings.Cut(name, `\`)
	if !hasDomain {
		domain, user = "", name
	}
	switch {
	case name == "":
		refuse(n, "runAsUserName cannot be an empty string")
		return
	case strings.ContainsFunc(name, func(r rune) bool { return r <= unicode.MaxASCII && unicode.IsControl(r) }):
		refuse(n, "runAsUserName cannot contain control characters")
		return
	case strings.Contains(user, `\`):
		refuse(n, "runAsUserName cannot contain more than one backslash")
		return
	}
	if len(domain) >= 256 {
		refuse(n, "runAsUserName's Domain length must be under 256 characters")
	}
	if hasDomain && !netBIOSName().MatchString(domain) && !windowsDomain().MatchString(domain) {
		refuse(n, "runAsUserName's Domain doesn't match the NetBios nor the DNS format")
	}
	if user == "" {
		refuse(n, "runAsUserName's User cannot be empty")
	} else if len(user) > 104 {
		refuse(n, "runAsUserName's User length must not be longer than 104 characters")
	}
	if dotsOrSpaces().MatchString(user) {
		refuse(n, "runAsUserName's User cannot contain only periods or spaces")
	}
	if strings.ContainsAny(user, userCharacters) {
		refuse(n, `runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`)
	}
}

// windowsHostProcess checks the Windows host process settings of a pod. Source:
// validateWindowsHostProcessPod (since 1.22).
func (v *validator) windowsHostProcess(spec node) {
	if v.minor < 22 {
		return
	}
	allowed := v.minor >= 26 || v.server.Enabled("WindowsHostProcessContainers")
	pod := spec.at("securityContext", "windowsOptions", "hostProcess")
	if !allowed && pod.isSet() {
		v.forbidden(pod, "not allowed when feature gate 'WindowsHostProcessContainers' is not enabled")
		return
	}
	containers, inHost := 0, 0
	for c := range v.allContainers(spec) {
		containers++
		containerValue := c.v.At("securityContext", "windowsOptions", "hostProcess")
		if containerValue.IsNull() {
			if pod.boolean() {
				inHost++
			}
			continue
		}
		n := c.at("securityContext", "windowsOptions", "hostProcess")
		if !allowed {
			v.forbidden(n, "not allowed when feature gate 'WindowsHostProcessContainers' is not enabled")
		}
		if pod.isSet() && pod.boolean() != n.boolean() {
			v.invalid(n, strconv.FormatBool(n.boolean()), "pod hostProcess value must be identical if both are specified, was "+strconv.FormatBool(pod.boolean()))
		}
		if n.boolean() {
			inHost++
		}
	}
	switch {
	case inHost == 0:
		return
	case !allowed:
		v.forbidden(spec, "pod must not contain Windows hostProcess containers when feature gate 'WindowsHostProcessContainers' is not enabled")
		return
	case inHost != containers:
		v.invalid(spec, `""`, "If pod contains any hostProcess containers then all containers must be HostProcess containers")
	}
	if !v.pod.hostNetwork {
		v.invalid(spec.get("hostNetwork"), "false", "hostNetwork must be true if pod contains any hostProcess containers")
	}
}

// podOS checks the operating system of a pod, and that the pod has no fields of
// another operating system. Source: validateOS, validateLinux and validateWindows
// (since 1.23).
func (v *validator) podOS(spec node) {
	os := v.since(23, spec.get("os"))
	if !os.isSet() {
		return
	}
	if v.minor <= 24 && !v.server.Enabled("IdentifyPodOS") { // the server drops the field
		return
	}
	switch name := os.str("name"); name {
	case "":
		detail := "cannot be empty"
		if v.minor >= 34 {
			detail = ""
		}
		v.required(os.get("name"), detail)
	case "linux":
		v.linuxPod(spec)
	case "windows":
		v.windowsPod(spec)
	default:
		v.unsupported(os, v.typed(name), "linux", "windows")
	}
}

func (v *validator) linuxPod(spec node) {
	refuse := func(sc node) {
		if o := sc.get("windowsOptions"); o.isSet() {
			v.forbidden(o, "windows options cannot be set for a linux pod")
		}
	}
	refuse(spec.get("securityContext"))
	for c := range v.allContainers(spec) {
		refuse(c.get("securityContext"))
	}
}

func (v *validator) windowsPod(spec node) {
	refuse := func(n node) {
		if n.isSet() {
			v.forbidden(n, "cannot be set for a windows pod")
		}
	}
	truth := func(field string) {
		if spec.isTrue(field) {
			v.forbidden(spec.get(field), "cannot be set for a windows pod")
		}
	}
	hosts := func() {
		refuse(v.gated("UserNamespacesSupport", v.since(25, spec.get("hostUsers"))))
		truth("hostPID")
		truth("hostIPC")
	}
	sc := spec.get("securityContext")
	refuse(v.appArmorField(sc))
	refuse(sc.get("seLinuxOptions"))
	if v.minor <= 36 {
		hosts()
	}
	for _, field := range []string{"seccompProfile", "fsGroup", "fsGroupChangePolicy"} {
		refuse(sc.get(field))
	}
	if sysctls := sc.get("sysctls"); sysctls.length() > 0 {
		refuse(sysctls)
	}
	if v.minor <= 36 {
		refuse(spec.get("shareProcessNamespace"))
	}
	for _, field := range []string{"runAsUser", "runAsGroup", "supplementalGroups"} {
		refuse(sc.get(field))
	}
	refuse(v.gated("SupplementalGroupsPolicy", sc.get("supplementalGroupsPolicy")))
	refuse(v.gated("SELinuxChangePolicy", sc.get("seLinuxChangePolicy")))
	if v.minor >= 37 {
		hosts()
		refuse(spec.get("shareProcessNamespace"))
	}
	for c := range v.allContainers(spec) {
		context := c.get("securityContext")
		refuse(v.appArmorField(context))
		for _, field := range []string{"seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation"} {
			refuse(context.get(field))
		}
		refuse(context.get("procMount"))
		refuse(context.get("runAsUser"))
		refuse(context.get("runAsGroup"))
	}
}
