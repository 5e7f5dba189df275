package podwarning

import "fmt"

func (g generator) volumes() []any {
	files := func(field string) object {
		var list []any
		for i := range g.IntN(4) {
			path := oneOf(g, "a", "a/b", "a/b/", "c", "ab", fmt.Sprint("z", i))
			if field == "fieldRef" {
				list = append(list, object{"path": path, "fieldRef": object{"fieldPath": "metadata.name"}})
			} else {
				list = append(list, object{"path": path, "key": fmt.Sprint("k", i)})
			}
		}
		if list == nil {
			return object{}
		}
		return object{"items": list}
	}
	with := func(o object, name string, value any) object { o[name] = value; return o }
	source := func() object {
		switch g.IntN(8) {
		case 0, 1:
			return object{"configMap": with(files("key"), "name", oneOf(g, "m", "n"))}
		case 2:
			return object{"secret": with(files("key"), "name", "s")}
		case 3:
			return object{"downwardAPI": files("fieldRef")}
		case 4:
			return object{"serviceAccountToken": object{"path": oneOf(g, "a", "token", "token/x")}}
		case 5:
			return object{"clusterTrustBundle": object{"name": "b", "path": oneOf(g, "a", "ca", "ca/x")}}
		case 6:
			return object{"podCertificate": object{"signerName": "x.y/z", "keyType": "ED25519", "keyPath": "a", "certificateChainPath": oneOf(g, "b", "a/c")}}
		}
		return object{}
	}
	var all []any
	for i := range 1 + g.IntN(4) {
		v := object{"name": fmt.Sprint("v", i)}
		switch g.IntN(20) {
		case 0:
			v["photonPersistentDisk"] = object{"pdID": "x"}
		case 1:
			v["gitRepo"] = object{"repository": "https://x"}
		case 2:
			v["scaleIO"] = object{"gateway": "g", "system": "s", "volumeName": "v", "secretRef": object{"name": "s"}}
		case 3:
			v["flocker"] = object{"datasetName": "d"}
		case 4:
			v["storageos"] = object{"volumeName": "v"}
		case 5:
			v["quobyte"] = object{"registry": "h:1", "volume": "v"}
		case 6:
			v["glusterfs"] = object{"endpoints": "e", "path": "p"}
		case 7:
			v["cephfs"] = object{"monitors": []any{"m"}}
		case 8:
			v["rbd"] = object{"monitors": []any{"m"}, "image": "i"}
		case 9:
			v["ephemeral"] = object{"volumeClaimTemplate": object{"spec": g.claim()}}
		case 10:
			v["image"] = object{"reference": "r"}
		case 11, 12:
			v["configMap"] = with(files("key"), "name", "m")
		case 13:
			v["secret"] = with(files("key"), "secretName", "s")
		case 14:
			v["downwardAPI"] = files("fieldRef")
		case 15, 16, 17:
			sources := []any{}
			for range 1 + g.IntN(4) {
				sources = append(sources, source())
			}
			v["projected"] = object{"sources": sources}
		default:
			v["emptyDir"] = object{}
		}
		all = append(all, v)
	}
	return all
}

// addInvalidValues adds random invalid values to a pod template. Servers accept
// them only in templates that they do not validate, such as those of a
// StatefulSet up to 1.33.
func (g generator) addInvalidValues(template object) {
	spec := template["spec"].(object)
	for range 1 + g.IntN(4) {
		switch g.IntN(9) {
		case 0:
			spec["volumes"] = []any{nil, object{"name": "v"}, object{"gitRepo": object{}}, object{"name": "v", "rbd": object{}}, object{
				"name": "x", "configMap": object{"items": []any{nil, object{"path": ""}, object{"path": "/"}, object{"path": "//"}, object{"path": "/a"}, object{"path": "/a/"}}},
			}}
		case 1:
			spec["containers"] = append(spec["containers"].([]any), nil, object{"ports": []any{nil, nil, object{"hostIP": "x"}}, "env": []any{nil, nil}})
		case 2:
			spec["ephemeralContainers"] = []any{object{"name": "c0", "ports": []any{object{"containerPort": 80, "name": "p0"}}, "env": []any{
				object{"name": "A", "value": "1"}, object{"name": "A", "value": "2"},
			}, "resources": object{"limits": object{"memory": "1.5"}}}}
		case 3:
			spec["containers"].([]any)[0].(object)["resources"] = object{"limits": object{"memory": nil, "ephemeral-storage": "-0.5"}, "requests": object{"memory": "-1.5"}}
		case 4:
			spec["imagePullSecrets"] = []any{nil, nil, object{"name": "a\tb"}, object{"name": "a\tb"}}
			spec["hostAliases"] = []any{nil, nil, object{"ip": "a\"b"}, object{"ip": "a\"b"}}
		case 5:
			spec["affinity"] = object{"podAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": []any{nil}, "preferredDuringSchedulingIgnoredDuringExecution": []any{nil}},
				"nodeAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": nil, "preferredDuringSchedulingIgnoredDuringExecution": []any{nil,
					object{"preference": object{"matchExpressions": []any{nil, object{"values": []any{nil, "é", "a "}}}}}}}}
			spec["topologySpreadConstraints"] = []any{nil}
		case 6:
			template["metadata"].(object)["annotations"] = object{
				"scheduler.alpha.kubernetes.io/critical-pod": nil, seccompPod: nil, appArmor: "x", seccompContainer: "", appArmor + "c0": "bad", seccompContainer + "c0": "bad",
			}
			spec["nodeSelector"] = object{"beta.kubernetes.io/os": nil}
		case 7:
			spec["volumes"] = []any{object{"name": "p", "projected": object{"sources": []any{
				nil, object{}, object{"configMap": nil}, object{"configMap": object{"name": "m", "items": []any{object{"path": "a"}}}},
				object{"secret": object{"items": nil}}, object{"secret": object{"name": "s", "items": []any{}}}, object{"secret": object{"name": "s"}},
				object{"serviceAccountToken": object{"path": ""}}, object{"serviceAccountToken": object{}}, object{"downwardAPI": object{"items": []any{nil, object{"path": "a/"}}}},
				object{"clusterTrustBundle": object{"signerName": "x/y", "path": "a"}}, object{"configMap": object{"name": "q"}, "secret": object{"items": []any{object{"path": "a/z"}}}},
			}}}}
		case 8:
			spec["hostNetwork"] = true
			spec["securityContext"] = object{"seccompProfile": object{}, "appArmorProfile": object{"type": "Localhost"}}
		}
	}
}
