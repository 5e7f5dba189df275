package traffic

import (
	"fmt"
	"strconv"
	"time"
)

// body appends an object as JSON. If template is true, it has only the fields that a client
// sends for a new write. Otherwise it is the object as the server stores it.
func (g *Generator) body(b []byte, o *object, version string, by *client, template bool) []byte {
	k, r := o.kind, g.shape
	r.reseed(o.seed)
	b = append(b, `{"kind":"`...)
	b = append(b, k.name...)
	b = append(b, `","apiVersion":"`...)
	b = append(b, k.groupVersion(version)...)
	b = append(b, `","metadata":{"name":"`...)
	b = append(b, o.name...)
	if o.namespace != "" {
		b = append(b, `","namespace":"`...)
		b = append(b, o.namespace...)
	}
	if !template {
		b = append(b, `","uid":"`...)
		b = o.uid.appendTo(b)
		b = append(b, `","resourceVersion":"`...)
		b = strconv.AppendUint(b, o.version, 10)
		b = append(b, `","generation":`...)
		b = strconv.AppendInt(b, int64(o.generation), 10)
		b = append(b, `,"creationTimestamp":"`...)
		b = time.UnixMicro(o.created).UTC().AppendFormat(b, time.RFC3339)
	}
	b = append(b, `","labels":{"app.kubernetes.io/name":"`...)
	b = append(b, r.pick(words)...)
	b = append(b, `","app.kubernetes.io/managed-by":"Helm"}`...)
	if !template {
		b = g.managedFields(b, o, version, by)
	}
	b = append(b, '}')
	b = k.spec(b, r, o)
	if k.status != nil && !template {
		b = k.status(b, r, o)
	}
	return append(b, '}')
}

func (g *Generator) managedFields(b []byte, o *object, version string, by *client) []byte {
	manager, operation := by.manager, "Update"
	if manager == "" {
		manager = "manager"
	}
	if by.style == styleForcedApply || by.style == styleApply {
		operation = "Apply"
	}
	b = append(b, `,"managedFields":[{"manager":"`...)
	b = append(b, manager...)
	b = append(b, `","operation":"`...)
	b = append(b, operation...)
	b = append(b, `","apiVersion":"`...)
	b = append(b, o.kind.groupVersion(version)...)
	b = append(b, `","time":"`...)
	b = time.UnixMicro(g.now).UTC().AppendFormat(b, time.RFC3339)
	b = append(b, `","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/managed-by":{},"f:app.kubernetes.io/name":{}}}`...)
	if o.kind.status != nil {
		b = append(b, `,"f:spec":{"f:replicas":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{},"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{}}}}}}`...)
	} else {
		b = append(b, `,"f:data":{".":{},"f:key-0":{},"f:key-1":{}}`...)
	}
	return append(b, `}}]`...)
}

func emptySpec(b []byte, _ *random, _ *object) []byte { return b }

func configMapSpec(b []byte, r *random, o *object) []byte {
	b = append(b, `,"data":{"key-0":"`...)
	b = strconv.AppendInt(b, int64(o.generation), 10)
	for i := range r.skewed(12) + 1 {
		b = fmt.Appendf(b, `","key-%d":"`, i+1)
		b = r.letters(b, 8+r.skewed(400), tokenLetters)
	}
	return append(b, `"}`...)
}

func containers(b []byte, r *random, o *object) []byte {
	b = append(b, `"containers":[`...)
	for i := range r.skewed(3) + 1 {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"name":"%s","image":"registry.example.com/%s/%s:v1.%d.%d","ports":[{"name":"http","containerPort":%d,"protocol":"TCP"}],"env":[`,
			[...]string{"main", "proxy", "metrics"}[i], r.pick(teams), r.pick(words), r.below(40), o.generation, 8000+r.below(900))
		for j := range r.skewed(14) + 1 {
			if j > 0 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, `{"name":"SETTING_%d","value":"%s-%d"}`, j, r.pick(words), r.below(10000))
		}
		b = fmt.Appendf(b, `],"resources":{"limits":{"memory":"%dMi"},"requests":{"cpu":"%dm","memory":"%dMi"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}`,
			64*r.between(1, 64), 50*r.between(1, 40), 64*r.between(1, 32))
	}
	return append(b, `],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"`...)
}

func podSpec(b []byte, r *random, o *object) []byte {
	b = append(b, `,"spec":{"volumes":[{"name":"token","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}}],"defaultMode":420}}],`...)
	b = containers(b, r, o)
	b = fmt.Appendf(b, `,"serviceAccountName":"%s","nodeName":"%s","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true}`, r.pick(words), nodeName(r.below(nodes)))
	return b
}

func podStatus(b []byte, r *random, o *object) []byte {
	phase := [...]string{"Pending", "Running", "Running", "Succeeded"}[min(o.state, 3)]
	at := time.UnixMicro(o.created).UTC().Format(time.RFC3339)
	return fmt.Appendf(b, `,"status":{"phase":"%s","conditions":[{"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"%s"},{"type":"Ready","status":"%t","lastProbeTime":null,"lastTransitionTime":"%s"}],"hostIP":"%s","podIP":"%s","startTime":"%s","qosClass":"Burstable"}`,
		phase, at, o.state%2 == 1, at, r.ip("10.1"), r.ip("10.244"), at)
}

func deploymentSpec(b []byte, r *random, o *object) []byte {
	app := r.pick(words)
	b = fmt.Appendf(b, `,"spec":{"replicas":%d,"selector":{"matchLabels":{"app":"%s"}},"template":{"metadata":{"creationTimestamp":null,"labels":{"app":"%s"}},"spec":{`, 1+o.generation%9, app, app)
	b = containers(b, r, o)
	return append(b, `}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600}`...)
}

func deploymentStatus(b []byte, _ *random, o *object) []byte {
	return fmt.Appendf(b, `,"status":{"observedGeneration":%d,"replicas":%d,"updatedReplicas":%d,"readyReplicas":%d,"availableReplicas":%d}`, o.generation, 1+o.state%9, o.state%9, o.state%7, o.state%5)
}

func serviceSpec(b []byte, r *random, o *object) []byte {
	return fmt.Appendf(b, `,"spec":{"ports":[{"name":"http","protocol":"TCP","port":%d,"targetPort":"http"}],"selector":{"app":"%s","release":"r%d"},"clusterIP":"%s","type":"ClusterIP","sessionAffinity":"None"}`, 80+r.below(9000), r.pick(words), o.generation, r.ip("10.96"))
}

func endpointsSpec(b []byte, r *random, o *object) []byte {
	b = append(b, `,"addressType":"IPv4","endpoints":[`...)
	for i := range r.skewed(20) + 1 {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"addresses":["%s"],"conditions":{"ready":%t,"serving":true,"terminating":false},"nodeName":"%s"}`, r.ip("10.244"), (o.generation+i)%4 > 0, nodeName(r.below(nodes)))
	}
	return append(b, `],"ports":[{"name":"http","port":8080,"protocol":"TCP"}]`...)
}

func customSpec(b []byte, r *random, o *object) []byte {
	b = fmt.Appendf(b, `,"spec":{"interval":"%dm","revision":"v0.%d.0","source":{"kind":"GitRepository","name":"%s","path":"./deploy/%s"},"settings":{`, r.between(1, 30), o.generation, r.pick(words), r.pick(teams))
	for i := range r.skewed(25) + 1 {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"%s-%d":"%s-%d"`, r.pick(words), i, r.pick(teams), r.below(100000))
	}
	return append(b, `}}`...)
}

func customStatus(b []byte, r *random, o *object) []byte {
	return fmt.Appendf(b, `,"status":{"observedGeneration":%d,"conditions":[{"type":"Ready","status":"True","reason":"Reconciled","message":"applied revision %d of %s","observedGeneration":%d}],"attempts":%d}`, o.generation, o.generation, r.pick(words), o.generation, o.state)
}

func nodeStatus(b []byte, r *random, o *object) []byte {
	b = append(b, `,"status":{"capacity":{"cpu":"16","memory":"64976000Ki","pods":"110"},"conditions":[`...)
	for i, c := range [...]string{"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"} {
		if i > 0 {
			b = append(b, ',')
		}
		at := time.UnixMicro(o.created + int64(o.state)*300e6).UTC().Format(time.RFC3339)
		b = fmt.Appendf(b, `{"type":"%s","status":"%t","lastHeartbeatTime":"%s","lastTransitionTime":"2026-03-01T08:00:00Z","reason":"Kubelet%s","message":"kubelet reports %s"}`, c, i == 3, at, c, c)
	}
	b = append(b, `],"images":[`...)
	for i := range 30 {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"names":["registry.example.com/%s/%s:v1.%d.0"],"sizeBytes":%d}`, r.pick(teams), r.pick(words), r.below(60), r.below(900_000_000))
	}
	return append(b, `]}`...)
}

func leaseSpec(b []byte, r *random, o *object) []byte {
	return fmt.Appendf(b, `,"spec":{"holderIdentity":"%s","leaseDurationSeconds":40,"renewTime":"%s","leaseTransitions":%d}`, o.name, time.UnixMicro(o.created+int64(o.state)*10e6).UTC().Format("2006-01-02T15:04:05.000000Z"), r.below(9))
}

func eventSpec(b []byte, r *random, o *object) []byte {
	return fmt.Appendf(b, `,"involvedObject":{"kind":"Pod","namespace":"%s","name":"%s-%s","apiVersion":"v1"},"reason":"BackOff","message":"Back-off restarting failed container main in pod %s","source":{"component":"kubelet"},"count":%d,"type":"Warning"`, o.namespace, r.pick(words), r.pick(teams), r.pick(words), o.generation)
}
