package podwarning

import (
	"cmp"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// volumesOf returns the volumes that the server checks. If the gate ImageVolume
// is off, the server drops image volumes, so the volumes after them get smaller
// indices. Source: dropImageVolumes in pkg/api/pod/util.go (1.31–1.37).
func (w *writer) volumesOf(spec *wire.Value) []*wire.Value {
	all := spec.Get("volumes").Elements()
	if w.Minor < 31 || !hasImage(all) || w.Enabled("ImageVolume") {
		return all
	}
	var kept []*wire.Value
	for _, v := range all {
		if v.Given("image") == nil {
			kept = append(kept, v)
		}
	}
	return kept
}

func (w *writer) volumePath(i int) string { return w.prefix + "spec.volumes" + wire.Index(i) }

func hasImage(volumes []*wire.Value) bool {
	for _, v := range volumes {
		if v.Given("image") != nil {
			return true
		}
	}
	return false
}

// volume warns about the plugin of a volume and about the claim of an ephemeral
// volume. The plugins are in the server's order.
func (w *writer) volume(i int, v *wire.Value) {
	if v == nil {
		return
	}
	for _, plugin := range [...]string{
		"photonPersistentDisk", "gitRepo", "scaleIO", "flocker", "storageos", "quobyte", "glusterfs", "ephemeral", "cephfs", "rbd",
	} {
		f := v.Given(plugin)
		if f == nil {
			continue
		}
		if plugin == "ephemeral" {
			w.claimSpec(f.Value.At("volumeClaimTemplate", "spec"), w.volumePath(i)+".ephemeral.volumeClaimTemplate.spec")
		} else if text := w.pluginText(plugin); text != "" {
			name := plugin
			if name == "storageos" {
				name = "storageOS" // the server's text has this spelling
			}
			w.warnField(apiserver.DeprecatedField, w.volumePath(i)+"."+name, text, f.Key())
		}
	}
}

// pluginText returns the warning about a volume plugin, or "" if the minor does
// not warn.
func (w *writer) pluginText(plugin string) string {
	switch plugin {
	case "photonPersistentDisk":
		return "deprecated in v1.11, non-functional in v1.16+"
	case "gitRepo":
		if w.Minor >= 33 && !w.Enabled("GitRepoVolumeDriver") {
			return "deprecated in v1.11, and disabled by default in v1.33+"
		}
		return "deprecated in v1.11"
	case "scaleIO":
		return "deprecated in v1.16, non-functional in v1.22+"
	case "flocker", "storageos", "quobyte":
		if w.Minor < 27 {
			return "deprecated in v1.22, support removal is planned in v1.26"
		}
		return "deprecated in v1.22, non-functional in v1.25+"
	case "glusterfs":
		switch {
		case w.Minor < 25:
			return ""
		case w.Minor < 27:
			return "deprecated in v1.25, this feature will be removed soon after in a subsequent release"
		}
		return "deprecated in v1.25, non-functional in v1.26+"
	case "cephfs", "rbd":
		if w.Minor >= 28 {
			return "deprecated in v1.28, non-functional in v1.31+"
		}
	}
	return ""
}

// repeatedVolumes warns about repeated names of volumes, in pod templates that
// the server does not validate.
func (w *writer) repeatedVolumes(volumes []*wire.Value) {
	var seen names
	for i, v := range volumes {
		if name := v.Get("name"); seen.repeated(name.StringOr("")) {
			w.warnField(apiserver.Advice, w.volumePath(i)+".name", "duplicate name "+strconv.Quote(name.StringOr("")), cmp.Or(name, v))
		}
	}
}
