package validation

import (
	"strconv"
	"strings"
)

// volumeMounts checks the volume mounts of a container. Errors about some fields
// of an item have the path of the list. Source: ValidateVolumeMounts.
func (v *validator) volumeMounts(c node) {
	list, devices := c.get("volumeMounts"), c.get("volumeDevices")
	if list.length() == 0 {
		return
	}
	paths := newNames(list.length())
	for _, m := range list.items {
		name, path := m.str("name"), m.str("mountPath")
		volume, known := v.pod.volumes[name]
		if name == "" {
			v.required(m.get("name"), "")
		}
		if !known {
			v.notFound(m.get("name"), name, "")
		}
		if path == "" {
			v.required(m.get("mountPath"), "")
		}
		if !paths.add(path) {
			v.invalidString(m.get("mountPath"), path, []string{"must be unique"})
		}
		if devices.length() > 0 {
			v.mountedDevice(m, devices)
		}
		v.subPaths(list, m)
		v.imageSubPaths(m, volume)
		v.mountPropagation(c, m, list)
		v.recursiveReadOnly(m, list)
		v.bindOptions(m, volume)
	}
}

// lastOf returns the last item with a name. The server collects the items in a map
// by name, in which the last item replaces the others.
func lastOf(list node, name string) (last node, ok bool) {
	for _, n := range list.items {
		if n.str("name") == name {
			last, ok = n, true
		}
	}
	return last, ok
}

// isPathUsed reports whether the field of an item of list equals path. If several
// items have the same name, only the last counts; see lastOf.
func isPathUsed(list node, field, path string) bool {
	if list.length() > 1000 { // the search would take too long
		return false
	}
	for _, n := range list.items {
		if n.str(field) == path {
			if last, _ := lastOf(list, n.str("name")); last.str(field) == path {
				return true
			}
		}
	}
	return false
}

func (v *validator) mountedDevice(m, devices node) {
	if _, twice := lastOf(devices, m.str("name")); twice {
		v.invalidString(m.get("name"), m.str("name"), []string{"must not already exist in volumeDevices"})
	}
	if isPathUsed(devices, "devicePath", m.str("mountPath")) {
		v.invalidString(m.get("mountPath"), m.str("mountPath"), []string{"must not already exist as a path in volumeDevices"})
	}
}

func (v *validator) subPaths(list, m node) {
	sub, expr := m.get("subPath"), m.get("subPathExpr")
	if sub.text() != "" {
		v.relativePath(sub.withPath(list.p.child("subPath")))
	}
	if expr.text() != "" {
		if sub.text() != "" {
			v.invalidString(expr, expr.text(), []string{"subPathExpr and subPath are mutually exclusive"})
		}
		v.relativePath(expr.withPath(list.p.child("subPathExpr")))
	}
}

// imageSubPaths adds errors for sub-paths of image volumes, which 1.31 and 1.32
// do not allow.
func (v *validator) imageSubPaths(m, volume node) {
	if v.minor != 31 && v.minor != 32 || !volume.has("image") {
		return
	}
	for _, field := range []string{"subPath", "subPathExpr"} {
		if s := m.str(field); s != "" {
			v.invalidString(m.get(field), s, []string{"not allowed in image volume sources"})
		}
	}
}

// mountPropagation checks the propagation of a volume mount. Source:
// validateMountPropagation.
func (v *validator) mountPropagation(c, m, list node) {
	n := m.get("mountPropagation").withPath(list.p.child("mountPropagation"))
	if !n.isSet() {
		return
	}
	v.enum(n, n.text(), "Bidirectional", "HostToContainer", "None")
	if n.text() == "Bidirectional" && !c.get("securityContext").isTrue("privileged") {
		v.forbidden(n, "Bidirectional mount propagation is available only to privileged containers")
	}
}

// recursiveReadOnly checks recursiveReadOnly of a volume mount. Source:
// validateMountRecursiveReadOnly (since 1.30).
func (v *validator) recursiveReadOnly(m, list node) {
	n := v.gated("RecursiveReadOnlyMounts", m.get("recursiveReadOnly")).withPath(list.p.child("recursiveReadOnly"))
	if !n.isSet() || n.text() == "Disabled" {
		return
	}
	if n.text() != "Enabled" && n.text() != "IfPossible" {
		v.unsupported(n, v.typed(n.text()), "Disabled", "Enabled", "IfPossible")
		return
	}
	if !m.isTrue("readOnly") {
		v.forbidden(n, "may only be specified when readOnly is true")
	}
	if p := m.get("mountPropagation"); p.isSet() && p.text() != "None" {
		v.forbidden(n, "may only be specified when mountPropagation is None or not specified")
	}
}

// bindOptions checks the bind options of a volume mount. Source:
// validateBindMountOptions (since 1.37).
func (v *validator) bindOptions(m, volume node) {
	list := v.gated("VolumeBindMountOptions", m.get("bindMountOptions"))
	seen := newNames(list.length())
	for _, o := range list.items {
		v.enum(o, o.text(), "noexec", "nodev", "nosuid")
		if !seen.add(o.text()) {
			v.duplicate(o, strconv.Quote(o.text()))
		}
	}
	if list.length() > 0 && volume.has("image") {
		v.invalid(list, v.stringList(list.texts()), "bindMountOptions may not be used with image volumes")
	}
}

// volumeDevices checks the volume devices of a container. Source:
// ValidateVolumeDevices.
func (v *validator) volumeDevices(c node) {
	list, mounts := c.get("volumeDevices"), c.get("volumeMounts")
	if list.length() == 0 {
		return
	}
	paths, seen := newNames(list.length()), newNames(list.length())
	for _, d := range list.items {
		name, path := d.get("name"), d.get("devicePath")
		volume, known := v.pod.volumes[name.text()]
		if name.text() == "" {
			v.required(name, "")
		}
		if seen.has(name.text()) {
			v.invalidString(name, name.text(), []string{"must be unique"})
		}
		claim := volume.has("persistentVolumeClaim") || v.minor >= 23 && volume.has("ephemeral")
		if known && !claim {
			text := "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
			if v.minor < 23 {
				text = "can only use volume source type of PersistentVolumeClaim for block mode"
			}
			v.invalidString(name, name.text(), []string{text})
		}
		if !known {
			v.notFound(name, name.text(), "")
		}
		if path.text() == "" {
			v.required(path, "")
		}
		if paths.has(path.text()) {
			v.invalidString(path, path.text(), []string{"must be unique"})
		}
		if hasBacksteps(path.text()) {
			v.invalidString(path, path.text(), []string{"can not contain backsteps ('..')"})
		} else {
			paths.add(path.text())
		}
		if _, twice := lastOf(mounts, name.text()); twice {
			v.invalidString(name, name.text(), []string{"must not already exist in volumeMounts"})
		}
		if isPathUsed(mounts, "mountPath", path.text()) {
			v.invalidString(path, path.text(), []string{"must not already exist as a path in volumeMounts"})
		}
		if name.text() != "" {
			seen.add(name.text())
		}
	}
}

func hasBacksteps(path string) bool {
	return path == ".." || strings.HasPrefix(path, "../") || strings.HasSuffix(path, "/..") || strings.Contains(path, "/../")
}

// noBacksteps checks that a path has no step "..". Source:
// validatePathNoBacksteps.
func (v *validator) noBacksteps(n node) {
	if hasBacksteps(n.text()) {
		v.invalidString(n, n.text(), []string{"must not contain '..'"})
	}
}

// relativePath checks that a path is relative and has no step "..". Source:
// validateLocalDescendingPath.
func (v *validator) relativePath(n node) {
	if strings.HasPrefix(n.text(), "/") {
		v.invalidString(n, n.text(), []string{"must be a relative path"})
	}
	v.noBacksteps(n)
}

// unreservedPath checks a path like relativePath, and that the path does not begin
// with "..". Source: ValidateLocalNonReservedPath.
func (v *validator) unreservedPath(n node) {
	v.relativePath(n)
	if strings.HasPrefix(n.text(), "..") && !strings.HasPrefix(n.text(), "../") {
		v.invalidString(n, n.text(), []string{"must not start with '..'"})
	}
}
