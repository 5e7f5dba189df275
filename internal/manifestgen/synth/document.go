package synth

// document is a manifest that is being written.
type document struct {
	*writer
	form      *form
	name      string // the value of metadata.name
	namespace string // the namespace; "" for cluster-scoped kinds
	app       string // the value of the label that selectors use
	role      string
	preStop   bool // true if a container has a preStop hook
	refused   bool // true if the server refuses the time of a preStop sleep
}

// write writes the document without a separator. first is true for the first document of
// a file, which may begin with the licence.
func (d *document) write(first bool) {
	if first && d.license {
		for _, line := range licence {
			d.buf = append(d.buf, '#')
			if line != "" {
				d.buf = append(d.buf, ' ')
				d.buf = append(d.buf, line...)
			}
			d.buf = append(d.buf, '\n')
		}
		if d.r.chance(50) {
			d.buf = append(d.buf, '\n')
		}
	}
	if d.kindFirst {
		d.str("kind", d.form.kind)
		d.str("apiVersion", d.form.apiVersion)
	} else {
		d.str("apiVersion", d.form.apiVersion)
		if d.sorted && d.form.before != nil {
			d.form.before(d)
		}
		d.str("kind", d.form.kind)
	}
	d.metadata()
	if d.form.before != nil && (d.kindFirst || !d.sorted) {
		d.form.before(d)
	}
	if d.form.body != nil {
		d.form.body(d)
	}
}

func (d *document) metadata() {
	d.object("metadata", func() {
		d.str("name", d.name)
		if d.namespace != "" {
			d.str("namespace", d.namespace)
		}
		if d.form.padded || d.r.chance(85) {
			d.labels("labels", d.anchors)
		}
		switch {
		case d.form.padded:
			d.annotate(d.budget - d.r.between(200, 400))
		case d.r.chance(40):
			d.annotate(len(d.buf) + d.r.between(1, 220))
		}
	})
}

// labels writes the recommended labels. If anchored is true and the style uses anchors,
// it writes an anchor or an alias.
func (d *document) labels(key string, anchored bool) {
	d.key(key)
	if anchored {
		d.buf = append(d.buf, " &labels"...)
		d.anchor++
	}
	d.buf = append(d.buf, '\n')
	d.indent += d.unit
	d.str("app.kubernetes.io/name", d.app)
	d.str("app.kubernetes.io/component", d.role)
	if d.r.chance(60) {
		d.str("app.kubernetes.io/part-of", d.r.pick(teams))
		d.str("app.kubernetes.io/managed-by", "Helm")
	}
	if d.r.chance(50) {
		d.strf("app.kubernetes.io/version", "%d.%d.%d", d.r.below(5), d.r.below(30), d.r.below(12))
	}
	if d.r.chance(40) {
		d.str("example.com/stage", d.r.pick(stages))
	}
	d.indent -= d.unit
}

// annotate writes different annotations until the document has length bytes, but at least
// one.
func (d *document) annotate(length int) {
	d.object("annotations", func() {
		// No step has a common divisor with 20, the number of annotations. So each step
		// visits all annotations.
		at, step := d.r.below(len(annotations)), []int{1, 3, 7, 9}[d.r.below(4)]
		for i := 0; i == 0 || i < len(annotations) && len(d.buf) < length; i++ {
			d.str(annotations[at][0], annotations[at][1])
			at = (at + step) % len(annotations)
		}
	})
}

// selector writes the two labels that all pods of the application have.
func (d *document) selector(key string) {
	d.object(key, func() {
		d.str("app.kubernetes.io/name", d.app)
		d.str("app.kubernetes.io/component", d.role)
	})
}

func (d *document) matchLabels(key string) {
	d.object(key, func() { d.selector("matchLabels") })
}

// port returns a random port. A document may use several.
func (d *document) port() int { return []int{8080, 8443, 9090, 3000, 5432, 6379}[d.r.below(6)] }
