// Package drain finds objects that block or hinder the drain of a node. Every upgrade of
// kubelets drains nodes. The objects are:
//
//   - PodDisruptionBudgets that allow no disruption
//   - pods that two PodDisruptionBudgets select
//   - pods without a controller
//   - volumes that stay on their node
package drain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/labels"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Check implements seen.Check.
type Check struct {
	versions  upgrade.Upgrade
	budgets   []budget
	workloads []workload
	// autoscaled has the workloads whose replicas an autoscaler sets.
	autoscaled map[string]bool
	facts      []upgrade.Fact
	// skipped is the number of objects that are not checked because there are too many.
	skipped int
}

// New returns a check.
func New(way upgrade.Upgrade) *Check { return &Check{versions: way, autoscaled: map[string]bool{}} }

// maxKept is the maximal number of budgets and of workloads in memory. maxCompared is the
// maximal number of pairs of a budget and a workload to compare.
const maxKept, maxCompared = 200_000, 20_000_000

type budget struct {
	namespace, name string
	selector        labels.Selector
	// minAvailable and maxUnavailable are the values in the object as text, or "".
	minAvailable, maxUnavailable string
	// allowed is the number of disruptions that the status allows, or -1 without a
	// status. expected and healthy are the numbers of pods in the status.
	allowed, expected, healthy int64
	fact                       upgrade.Fact
}

// workload is a pod or an object with a pod template.
type workload struct {
	kind, namespace, name string
	labels                map[string]string
	// replicas is the number of pods, or -1 if the object does not set it.
	replicas int64
	evidence upgrade.Evidence
}

// reference is the address of the Kubernetes page about drains.
const reference = "https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/"

// See stores budgets, workloads and autoscalers, which Facts compares. It adds a fact for
// a pod or volume that hinders a drain.
func (c *Check) See(o *seen.Object) {
	switch {
	case o.Ref.Name == "":
		return // such an object cannot be stored in a server
	case len(c.budgets)+len(c.workloads)+len(c.autoscaled)+len(c.facts) >= maxKept:
		c.skipped++
		return
	}
	switch o.Ref.Kind {
	case "PodDisruptionBudget":
		if strings.HasPrefix(o.Ref.APIVersion, "policy/") {
			c.budget(o)
		}
	case "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController":
		if strings.HasPrefix(o.Ref.APIVersion, "apps/") || o.Ref.APIVersion == "v1" {
			c.template(o)
		}
	case "HorizontalPodAutoscaler", "ScaledObject":
		target := o.Root.At("spec", "scaleTargetRef")
		w := workload{kind: target.Get("kind").StringOr("Deployment"), namespace: o.Ref.Namespace, name: target.Get("name").StringOr("")}
		c.autoscaled[w.String()] = true
	case "Pod":
		if o.Ref.APIVersion == "v1" {
			c.pod(o)
		}
	case "PersistentVolume":
		if local := o.Root.At("spec", "local"); o.Ref.APIVersion == "v1" && local != nil {
			f := c.shouldFact(o, "PersistentVolume "+o.Name(), local.Pos)
			f.Text = "it is on one node, and its pods stay pending while that is upgraded"
			f.Replacement = "Plan the outage of the pods that use the volume, or move its data first."
			c.facts = append(c.facts, f)
		}
	}
}

func (c *Check) budget(o *seen.Object) {
	spec, status := o.Root.Get("spec"), o.Root.Get("status")
	at := spec
	for _, name := range []string{"maxUnavailable", "minAvailable"} {
		if f := spec.Field(name); f != nil {
			at = &wire.Value{Pos: f.Pos}
		}
	}
	b := budget{
		namespace: o.Ref.Namespace, name: o.Ref.Name, selector: labels.Read(spec.Get("selector")),
		minAvailable: scalar(spec.Get("minAvailable")), maxUnavailable: scalar(spec.Get("maxUnavailable")), allowed: -1,
		fact: o.Fact("drain", "PodDisruptionBudget "+o.Name(), o.Position(at)),
	}
	if n, ok := status.Get("disruptionsAllowed").Int(); ok && o.Live {
		b.allowed = n
		b.expected, _ = status.Get("expectedPods").Int()
		b.healthy, _ = status.Get("currentHealthy").Int()
	}
	c.budgets = append(c.budgets, b)
}

// scalar returns the text of a number or a string.
func scalar(v *wire.Value) string {
	if v == nil || v.Kind != wire.Number && v.Kind != wire.String {
		return ""
	}
	return strings.Clone(v.Text)
}

// template stores a workload with a pod template.
func (c *Check) template(o *seen.Object) {
	if hasController(o.Root) {
		return // the controller of this object is checked instead
	}
	spec := o.Root.Get("spec")
	replicas := int64(-1)
	if n, ok := spec.Get("replicas").Int(); ok {
		replicas = n
	}
	if replicas == 0 {
		return
	}
	pod := spec.At("template", "spec")
	if volume := emptyDir(pod); volume != nil {
		c.facts = append(c.facts, c.emptyDirFact(o, volume))
	}
	c.workloads = append(c.workloads, workload{
		kind: o.Ref.Kind, namespace: o.Ref.Namespace, name: o.Ref.Name, labels: labels.Of(spec.At("template", "metadata", "labels")), replicas: replicas,
		evidence: o.Fact("drain", "", o.Root.Pos).Evidence,
	})
}

// emptyDirFact returns the fact about a volume whose data is lost in a drain.
func (c *Check) emptyDirFact(o *seen.Object, volume *wire.Value) upgrade.Fact {
	f := c.shouldFact(o, "emptyDir of "+o.Ref.Kind+" "+o.Name(), volume.Pos)
	f.Text = "a drain deletes the data in this volume; kubectl drain refuses without --delete-emptydir-data"
	f.Replacement = "Check that the pods can lose the data, or keep it in a persistent volume."
	return f
}

// emptyDir returns the first emptyDir volume of a pod that is not in memory, or nil.
func emptyDir(pod *wire.Value) *wire.Value {
	for _, v := range pod.Get("volumes").Elements() {
		if dir := v.Get("emptyDir"); dir != nil && dir.Get("medium").StringOr("") != "Memory" {
			return v
		}
	}
	return nil
}

func (c *Check) pod(o *seen.Object) {
	spec, meta := o.Root.Get("spec"), o.Root.Get("metadata")
	phase := o.Root.At("status", "phase").StringOr("")
	if phase == "Succeeded" || phase == "Failed" {
		return
	}
	if !ownedByKubernetes(o.Root) {
		c.workloads = append(c.workloads, workload{
			kind: "Pod", namespace: o.Ref.Namespace, name: o.Ref.Name, labels: labels.Of(meta.Get("labels")), replicas: 1,
			evidence: o.Fact("drain", "", o.Root.Pos).Evidence,
		})
	}
	static := meta.At("annotations", "kubernetes.io/config.mirror") != nil || o.Ref.Namespace == "kube-system" && (!o.Live || spec.Get("hostNetwork").IsTrue())
	// A pod that runs only once, in a file, has ended before nodes are drained. So has a
	// hook of Helm.
	once := !o.Live && spec.Get("restartPolicy").StringOr("Always") != "Always" || meta.At("annotations", "helm.sh/hook") != nil
	if hasController(o.Root) || static || once {
		return
	}
	f := c.shouldFact(o, "Pod "+o.Name(), o.Root.Pos)
	f.Text = "no controller replaces the pod: kubectl drain refuses without --force, and deletes the pod with it"
	f.Replacement = "Use a Deployment or another controller, or plan to start the pod again."
	c.facts = append(c.facts, f)
}

// ownedByKubernetes reports whether a controller of Kubernetes created a pod. The
// controller's pod template is checked instead.
func ownedByKubernetes(root *wire.Value) bool {
	return slices.ContainsFunc(root.At("metadata", "ownerReferences").Elements(), func(v *wire.Value) bool {
		switch v.Get("kind").StringOr("") {
		case "ReplicaSet", "StatefulSet", "ReplicationController", "DaemonSet", "Job", "Node":
			return v.Get("controller").IsTrue()
		}
		return false
	})
}

// hasController reports whether an owner of the object is its controller.
func hasController(root *wire.Value) bool {
	return slices.ContainsFunc(root.At("metadata", "ownerReferences").Elements(), func(v *wire.Value) bool { return v.Get("controller").IsTrue() })
}

// shouldFact returns a fact about something that should change, but does not break. The
// release is the first one of the upgrade, because installing it drains nodes.
func (c *Check) shouldFact(o *seen.Object, subject string, at wire.Pos) upgrade.Fact {
	f := o.Fact("drain", subject, at)
	f.Severity, f.Always, f.Reference = rules.Warning, true, reference
	f.Planned = (c.versions.From + 1).String()
	return f
}

// mustFact makes f a fact about a drain that never ends. The fact is true for every
// release of the upgrade.
func (c *Check) mustFact(f upgrade.Fact) upgrade.Fact {
	f.Severity, f.Minors, f.Reference = rules.Error, lifecycle.Range{From: c.versions.From + 1, To: lifecycle.Newest}.Minors(), reference
	return f
}

// makeShould turns a mustFact into a fact about something that should change.
func (c *Check) makeShould(f *upgrade.Fact) {
	f.Severity, f.Minors, f.Always, f.Planned = rules.Warning, 0, true, (c.versions.From + 1).String()
}

// Facts returns the facts about all objects so far.
func (c *Check) Facts() []upgrade.Fact {
	byNamespace := map[string][]*workload{}
	for i := range c.workloads {
		w := &c.workloads[i]
		byNamespace[w.namespace] = append(byNamespace[w.namespace], w)
	}
	type claim struct {
		w  *workload
		by []*budget
	}
	claims := map[*workload]*claim{}
	compared := 0
	var order []*claim
	for i := range c.budgets {
		b := &c.budgets[i]
		var selected []*workload
		if compared += len(byNamespace[b.namespace]); compared > maxCompared {
			c.skipped++
			continue
		}
		for _, w := range byNamespace[b.namespace] {
			if !b.selector.Selects(w.labels) {
				continue
			}
			selected = append(selected, w)
			if claims[w] == nil {
				claims[w] = &claim{w: w}
				order = append(order, claims[w])
			}
			claims[w].by = append(claims[w].by, b)
		}
		if f, ok := c.blockingFact(b, selected); ok {
			c.facts = append(c.facts, f)
		}
	}
	for _, x := range order {
		if f, ok := c.severalBudgets(x.w, x.by); ok {
			c.facts = append(c.facts, f)
		}
	}
	return c.facts
}

// severalBudgets returns the fact about a workload that several budgets select, or false.
// The server then evicts none of its pods (kubernetes, pkg/registry/core/pod/storage,
// eviction.go: "This pod has more than one PodDisruptionBudget").
func (c *Check) severalBudgets(w *workload, by []*budget) (upgrade.Fact, bool) {
	var names []string
	for _, b := range by {
		names = append(names, b.name)
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) < 2 {
		return upgrade.Fact{}, false
	}
	f := upgrade.Fact{Category: "drain", Subject: w.String(), Evidence: w.evidence, Ref: rules.ObjectRef{Kind: w.kind, Namespace: w.namespace, Name: w.name}}
	f.Text = fmt.Sprintf("the server evicts no pod that more than one PodDisruptionBudget selects, and these do: %s", strings.Join(names[:min(5, len(names))], ", "))
	f.Replacement = "Change the selectors so that one PodDisruptionBudget selects the pods."
	return c.mustFact(f), true
}

func (w *workload) String() string {
	return w.kind + " " + strings.TrimPrefix(w.namespace+"/"+w.name, "/")
}

// blockingFact returns the fact about a budget that allows no disruption of the selected
// workloads. It returns false for other budgets.
func (c *Check) blockingFact(b *budget, selected []*workload) (upgrade.Fact, bool) {
	f := c.mustFact(b.fact)
	// A workload may occur several times, for example in overlays. Its highest number of
	// replicas is used.
	most := map[string]int64{}
	for _, w := range selected {
		name := w.String()
		most[name] = max(w.replicas, cmp.Or(most[name], -1))
	}
	pods, known, assumed := int64(0), len(selected) > 0, false
	for name, replicas := range most {
		if replicas < 0 {
			replicas, assumed = 1, true // the default of the server
			known = known && !c.autoscaled[name]
		}
		pods += replicas
	}
	why := ""
	f.Replacement = "Lower minAvailable, or add replicas, before nodes are drained."
	switch {
	case b.allowed > 0 || b.allowed == 0 && b.expected == 0:
		return f, false // the status allows disruptions
	case b.allowed == 0:
		why = fmt.Sprintf("its status allows no disruption: %d of %s are healthy", b.healthy, report.Count(int(b.expected), "pod"))
		f.Replacement = "Repair the pods that are not healthy, or let the budget allow a disruption, before nodes are drained."
	case isZeroText(b.maxUnavailable):
		why = "maxUnavailable " + b.maxUnavailable + " allows no disruption"
		f.Replacement = "Set maxUnavailable to at least 1 before nodes are drained."
	case b.minAvailable == "100%":
		why = "minAvailable 100% allows no disruption"
		f.Replacement = "Replace minAvailable by maxUnavailable, at least 1, before nodes are drained."
	case known && b.minAvailable != "":
		least, ok := scale(b.minAvailable, pods)
		if !ok || least < pods || pods == 0 {
			return f, false
		}
		why = fmt.Sprintf("minAvailable %s of %s allows no disruption", b.minAvailable, report.Count(int(pods), "pod"))
		if assumed {
			// An autoscaler that is not in the input may set the replicas.
			why += ", as replicas are not set"
			c.makeShould(&f)
		}
	default:
		return f, false
	}
	f.Text = why
	switch len(selected) {
	case 0:
		if b.allowed < 0 {
			// A budget without pods blocks nothing. Its pods may exist outside the input.
			c.makeShould(&f)
			f.Text += "; it selects no workload that was seen"
		}
	default:
		names := slices.Sorted(maps.Keys(most))
		f.Text += "; it selects " + strings.Join(names[:min(3, len(names))], ", ")
		if n := len(names) - 3; n > 0 {
			f.Text += fmt.Sprintf(" and %d more", n)
		}
	}
	return f, true
}

// isZeroText reports whether a number or a percentage is zero.
func isZeroText(text string) bool {
	n, err := strconv.Atoi(strings.TrimSuffix(text, "%"))
	return text != "" && err == nil && n == 0
}

// scale returns the number of pods for a text with a number or a percentage of pods. A
// percentage is rounded up (apimachinery, util/intstr, GetScaledValueFromIntOrPercent).
func scale(text string, pods int64) (n int64, ok bool) {
	percent, isPercent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseInt(percent, 10, 32)
	if err != nil || n < 0 {
		return 0, false
	}
	if isPercent {
		n = (n*pods + 99) / 100
	}
	return n, true
}

// Gaps returns notes about objects that could not be checked.
func (c *Check) Gaps() (gaps []string) {
	if c.skipped > 0 {
		gaps = append(gaps, fmt.Sprintf("too many objects: %d were not looked at for drains", c.skipped))
	}
	return gaps
}
