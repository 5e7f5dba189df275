package synth

import "strconv"

func configMapData(d *document) {
	d.object("data", func() {
		d.str("LOG_LEVEL", "info")
		for i := 0; i == 0 || d.bytesLeft() > 250 && i < 40; i++ {
			if d.r.chance(45) {
				// A few of the longer values are manifests (snippets[1]).
				n := d.r.below(30)
				if n > 0 {
					n = 2 + n%(len(snippets)-2)
				} else {
					n = 1
				}
				if d.r.chance(30) {
					n = 0
				}
				d.block("file-"+strconv.Itoa(i)+[]string{".conf", ".yaml", ".sh", ".yml", ".cnf", ".json"}[n], snippets[n])
				continue
			}
			v := variables[d.r.below(len(variables))]
			d.str(v[0]+"_"+strconv.Itoa(i), v[1])
		}
	})
}

func secretData(d *document) {
	d.object("data", func() {
		for i := 0; i == 0 || d.bytesLeft() > 150 && i < 30; i++ {
			d.key(d.r.pick(secretKeys) + "-" + strconv.Itoa(i))
			d.buf = append(d.buf, ' ')
			d.buf = d.r.base64(d.buf, 4*d.r.between(4, 90))
			d.buf = append(d.buf, '\n')
		}
	})
}

func secretType(d *document) {
	if d.r.chance(25) {
		lines := []string{"-----BEGIN CERTIFICATE-----"}
		for range d.r.between(4, 10) {
			lines = append(lines, string(d.r.base64(nil, 64)))
		}
		d.object("stringData", func() { d.block("tls.crt", append(lines, "-----END CERTIFICATE-----")) })
	}
	d.str("type", "Opaque")
}

func serviceAccount(d *document) {
	d.flag("automountServiceAccountToken", d.r.chance(30))
	d.list("imagePullSecrets", 1, func(int) { d.str("name", "registry-credentials") })
}

func namespace(d *document) {
	d.object("spec", func() { d.strs("finalizers", "kubernetes") })
}

func resourceQuota(d *document) {
	d.object("spec", func() {
		d.object("hard", func() {
			d.num("pods", d.r.between(10, 200))
			d.num("requests.cpu", d.r.between(4, 64))
			d.strf("requests.memory", "%dGi", d.r.between(8, 256))
			d.strf("limits.memory", "%dGi", d.r.between(8, 512))
		})
	})
}

func limitRange(d *document) {
	d.object("spec", func() {
		d.list("limits", 1, func(int) {
			d.str("type", "Container")
			d.object("default", func() { d.raw("memory", "512Mi") })
			d.object("defaultRequest", func() {
				d.raw("cpu", "100m")
				d.raw("memory", "128Mi")
			})
		})
	})
}

func (d *document) claim() {
	d.strs("accessModes", "ReadWriteOnce")
	d.str("storageClassName", "fast")
	d.object("resources", func() {
		d.object("requests", func() { d.strf("storage", "%dGi", 5*d.r.between(1, 40)) })
	})
}

func persistentVolumeClaim(d *document) { d.object("spec", d.claim) }

func persistentVolume(d *document) {
	d.object("spec", func() {
		d.object("capacity", func() { d.strf("storage", "%dGi", 10*d.r.between(1, 40)) })
		d.strs("accessModes", "ReadWriteMany")
		d.str("persistentVolumeReclaimPolicy", "Retain")
		d.object("nfs", func() {
			d.str("server", "nfs."+d.r.pick(domains))
			d.strf("path", "/exports/%s/%s", d.r.pick(teams), d.name)
		})
	})
}

func storageClass(d *document) {
	d.str("provisioner", "csi.example.com")
	d.object("parameters", func() {
		d.str("type", "ssd")
		d.str("encrypted", "true")
	})
	d.str("volumeBindingMode", "WaitForFirstConsumer")
	d.flag("allowVolumeExpansion", true)
}

func volumeAttributesClass(d *document) {
	d.str("driverName", "csi.example.com")
	d.object("parameters", func() {
		d.str("iops", "4000")
		d.str("throughput", "60")
	})
}

func csiDriver(d *document) {
	d.object("spec", func() {
		d.flag("attachRequired", true)
		d.flag("podInfoOnMount", d.r.chance(50))
		d.strs("volumeLifecycleModes", "Persistent", "Ephemeral")
	})
}

func priorityClass(d *document) {
	d.num("value", 1000*d.r.between(1, 900))
	d.flag("globalDefault", false)
	d.str("description", "For work that must not be evicted before the batch jobs are.")
}

func runtimeClass(d *document) { d.str("handler", "gvisor") }

func lease(d *document) {
	d.object("spec", func() {
		d.strf("holderIdentity", "%s-%d", d.app, d.r.below(5))
		d.num("leaseDurationSeconds", 15)
		d.raw("renewTime", `"2026-03-14T09:26:53.000000Z"`)
	})
}
