package podwarning

import "fmt"

func clone(v any) any {
	switch v := v.(type) {
	case object:
		c := object{}
		for k, e := range v {
			c[k] = clone(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = clone(e)
		}
		return c
	}
	return v
}

// changedObject returns a random update of an object. The update changes nothing,
// only insignificant fields, or significant fields.
func (g generator) changedObject(old object) object {
	o := clone(old).(object)
	meta := o["metadata"].(object)
	if _, ok := meta["name"]; !ok {
		delete(meta, "generateName")
		delete(old["metadata"].(object), "generateName")
		meta["name"], old["metadata"].(object)["name"] = "w", "w"
	}
	kind := o["kind"].(string)
	spec, _ := o["spec"].(object)
	template, _ := o["template"].(object)
	job := spec
	if kind == "CronJob" {
		job = spec["jobTemplate"].(object)["spec"].(object)
	}
	if template == nil && kind != "Pod" {
		template = job["template"].(object)
	}
	for range 1 + g.IntN(2) {
		switch g.IntN(11) {
		case 0: // no change
		case 1:
			meta["annotations"] = object{"x": fmt.Sprint(g.IntN(2))}
		case 2:
			meta["labels"] = object{"x": "y"}
		case 3:
			if kind != "Pod" && kind != "Job" && kind != "CronJob" && kind != "PodTemplate" && kind != "DaemonSet" {
				spec["replicas"] = g.IntN(3)
			}
		case 4:
			if template != nil && kind != "Job" {
				template["spec"].(object)["containers"].([]any)[0].(object)["image"] = "new"
			}
		case 5:
			if template != nil && kind != "Job" {
				g.writeDefaults(template["spec"].(object))
			}
		case 6:
			if kind == "Job" || kind == "CronJob" {
				job["backoffLimit"] = oneOf(g, 6, 3)
				job["suspend"] = g.chance(2)
			}
		case 7:
			if template != nil && kind != "Job" {
				fresh := g.podSpec(kind)
				template["spec"] = fresh
			}
		case 9:
			// Fields that some servers do not know or drop.
			if template != nil && kind != "Job" {
				s := template["spec"].(object)
				c := s["containers"].([]any)[0].(object)
				switch g.IntN(9) {
				case 0:
					s["hostnameOverride"] = "h"
				case 1:
					s["hostUsers"] = true
				case 2:
					c["resizePolicy"] = []any{object{"resourceName": "cpu", "restartPolicy": "NotRequired"}}
				case 3:
					s["notAField"] = object{"x": 1}
				case 4:
					c["notAField"] = "x"
				case 5:
					s["schedulingGates"] = []any{object{"name": "x.y/z"}}
				case 6:
					s["resources"] = object{"limits": object{"cpu": "1"}}
				case 7:
					s["os"] = object{"name": "linux"}
				case 8:
					s["securityContext"] = object{"seLinuxChangePolicy": "Recursive"}
				}
			}
		case 10:
			switch kind {
			case "StatefulSet":
				spec[oneOf(g, "ordinals", "persistentVolumeClaimRetentionPolicy", "updateStrategy")] = object{}
			case "Deployment":
				spec["strategy"] = oneOf(g, object{}, object{"type": "RollingUpdate"}, object{"rollingUpdate": object{"maxSurge": "25%"}}, object{"type": "Recreate"})
			case "DaemonSet":
				spec["updateStrategy"] = oneOf(g, object{}, object{"type": "RollingUpdate"}, object{"rollingUpdate": object{"maxSurge": 0}})
			case "CronJob":
				spec["timeZone"] = "Etc/UTC"
			case "Job":
				spec["podReplacementPolicy"] = oneOf(g, "TerminatingOrFailed", "Failed")
			}
		case 8:
			if a, ok := o["spec"].(object); ok && kind != "Pod" && kind != "Job" && kind != "CronJob" && kind != "DaemonSet" {
				a["minReadySeconds"] = g.IntN(2)
			}
		}
	}
	return o
}

// writeDefaults writes some defaults into a pod spec.
func (g generator) writeDefaults(spec object) {
	set := func(o object, name string, value any) {
		if _, ok := o[name]; !ok && g.chance(2) {
			o[name] = value
		}
	}
	set(spec, "dnsPolicy", "ClusterFirst")
	set(spec, "restartPolicy", "Always")
	set(spec, "schedulerName", "default-scheduler")
	set(spec, "securityContext", object{})
	set(spec, "terminationGracePeriodSeconds", 30)
	set(spec, "hostPID", false)
	set(spec, "tolerations", []any{})
	set(spec, "serviceAccountName", "")
	for _, list := range []string{"containers", "initContainers"} {
		all, _ := spec[list].([]any)
		for _, c := range all {
			c, ok := c.(object)
			if !ok {
				continue
			}
			policy := "Always"
			if c["image"] == "i:1" {
				policy = "IfNotPresent"
			}
			set(c, "imagePullPolicy", policy)
			set(c, "terminationMessagePath", "/dev/termination-log")
			set(c, "terminationMessagePolicy", "File")
			set(c, "resources", object{})
			set(c, "stdin", false)
			set(c, "env", []any{})
			ports, _ := c["ports"].([]any)
			for _, p := range ports {
				if p, ok := p.(object); ok {
					set(p, "protocol", "TCP")
				}
			}
			env, _ := c["env"].([]any)
			for _, e := range env {
				e, ok := e.(object)
				if !ok {
					continue
				}
				if from, ok := e["valueFrom"].(object); ok {
					set(from["fieldRef"].(object), "apiVersion", "v1")
				} else {
					set(e, "value", "")
				}
			}
		}
	}
	volumes, _ := spec["volumes"].([]any)
	for _, v := range volumes {
		v, _ := v.(object)
		for name, source := range v {
			switch name {
			case "configMap", "secret", "projected", "downwardAPI":
				set(source.(object), "defaultMode", 420)
			}
		}
	}
}
