package contention

import (
	"slices"
	"strings"
)

// traits is a set of properties of a writer. They show how the writer's method
// and program handle the values of other writers.
type traits uint16

const (
	// traitYields means that each write is an apply without force.
	traitYields traits = 1 << iota
	// traitUpdates means that each write is an update of the whole object.
	traitUpdates
	// traitForces means that at least one write is an apply with force.
	traitForces
	// traitScales means that at least one write is to the subresource scale.
	traitScales
	// traitReplaces means that at least one write is an update from a template.
	// Such an update removes all fields that the template does not have.
	traitReplaces
	// traitConverts means that at least one write is an update in one of several
	// API versions. This version may lack fields of the other versions.
	traitConverts
	// traitSyncs means that the program always compares the object with its
	// desired state, and writes only if they differ.
	traitSyncs
	// traitDeploys means that the program compares the object with its desired
	// state only when somebody runs the program, and then writes if they
	// differ.
	traitDeploys
	// traitPolls means that the program does not watch the object. So it responds
	// within immediateTime only by chance.
	traitPolls
	// traitPerson means that the writer seems to be a person.
	traitPerson
	// traitAsks means that the writer is a person whose writes may be requests
	// to a controller.
	traitAsks
	// traitInsists means that at least one write is an apply with force, and the
	// program does not force by default: somebody configured it to.
	traitInsists
	// traitShares means that the other writer has the same field manager. Each
	// apply then removes fields that the other writer applied.
	traitShares
)

// traitMethods has the properties that a writer has only if all of its writes
// have them. traitStates has the properties of writes that set fields without
// regard to the owners of the fields.
const (
	traitMethods = traitYields | traitUpdates
	traitStates  = traitForces | traitScales | traitReplaces | traitConverts
)

// add returns the properties of a writer after one more write with the
// properties w.
func (g traits) add(w traits) traits { return g&traitMethods&w | (g|w)&^traitMethods }

// traitsOf returns the properties that follow from one write.
func (c *Collector) traitsOf(o *object, w *observation) traits {
	g := knownTraits(&c.writers[w.writer], o)
	switch {
	case w.how == HowForcedApply:
		g |= traitForces
		if insists(&c.writers[w.writer]) {
			g |= traitInsists
		}
	case w.how == HowApply:
		g |= traitYields
	case w.how == HowScale:
		g |= traitScales
	case w.how == HowUpdate:
		g |= traitUpdates
		if w.flags&flagTemplate != 0 {
			g |= traitReplaces
		}
		if len(o.versions) > 1 {
			g |= traitConverts
		}
	}
	return g
}

// These programs compare an object with its desired state, and write only if
// they differ.
var (
	// watchers see each change of the object. syncers compare at intervals.
	watchers = []string{"argocd-application-controller", "fleetagent", "fleetcontroller"}
	syncers  = []string{"kustomize-controller", "kapp-controller"}
	// deployers write when there is a release. Helm controllers are deployers,
	// because they correct changes of others only if this is enabled.
	deployers = []string{"Helm", "helm-controller", "Terraform", "HashiCorp", "OpenTofu", "pulumi-resource-kubernetes", "kapp"}
)

// knownTraits returns the properties that follow from the name of a program.
// Objects of the APIs of Argo CD and Flux are an exception: for these objects,
// Argo CD and Flux are normal controllers.
func knownTraits(w *Writer, o *object) (g traits) {
	name, _, _ := strings.Cut(w.Agent, " ")
	own := o.Group == "argoproj.io" || strings.HasSuffix(o.Group, ".fluxcd.io")
	switch {
	case slices.Contains(watchers, name) && !own, ownsContent(w.User, o):
		g = traitSyncs
	case slices.Contains(syncers, name) && !own:
		g = traitSyncs | traitPolls
	case slices.Contains(deployers, name), w.Manager == "kubectl-client-side-apply", strings.HasPrefix(w.Manager, "pulumi-kubernetes"):
		g = traitDeploys | traitPolls
	}
	if person(w) {
		g |= traitPerson
		if !slices.Contains(contentManagers, w.Manager) && !(w.Manager == "kubectl-patch" && builtIn(o.Group)) {
			g |= traitAsks
		}
	}
	return g
}

// insists reports whether a program applies with force only if somebody
// configured it to.
func insists(w *Writer) bool {
	switch name, _, _ := strings.Cut(w.Agent, " "); name {
	case "kubectl", "oc", "Helm", "Terraform", "HashiCorp", "OpenTofu", "pulumi-resource-kubernetes":
		return true
	}
	return false
}

// contentManagers has the field managers of the kubectl subcommands that change
// the main content of an object. Other subcommands, such as kubectl annotate,
// may only send a request to a controller.
var contentManagers = []string{"kubectl-set", "kubectl-rollout", "kubectl-scale", "kubectl-autoscale", "kubectl-client-side-apply", "kubectl"}

// steady reports whether a writer rarely writes twice before the other writer
// responds. Two writers with independent reasons also take turns by chance, but
// less regularly. Up to one write in eight may repeat the writer's last one,
// because a log may lack some writes.
func steady(p *party) bool { return 8*p.runs >= 7*p.episodes }

// fighting reports whether the turns of two writers are a fight.
func (c *Collector) fighting(o *object, writes []observation, p, q *party, turns int, t Thresholds) bool {
	both, either := p.traits&q.traits, p.traits|q.traits
	deploy := p.traits&(traitDeploys|traitSyncs) != 0 && q.traits&(traitDeploys|traitSyncs) != 0
	quick := mostlyWithin(p.after, t.Answer) && mostlyWithin(q.after, t.Answer)
	switch {
	case both&traitScales != 0, both&traitInsists != 0, both&traitShares != 0 && both&(traitDeploys|traitForces) != 0:
		return turns >= turnsFactor*t.MinReversals
	case both&traitPerson != 0:
		return false
	case quick && p.traits&traitStates != 0 && q.traits&traitStates != 0:
		return turns >= 2*t.MinReversals
	case turns < turnsFactor*t.MinReversals:
		return false
	case quick && (either&(traitStates|traitSyncs) != 0 || deploy):
		return true
	case either&traitReplaces != 0 && (mostlyWithin(p.after, t.Answer) || mostlyWithin(q.after, t.Answer)):
		return true
	case !steady(p) || !steady(q):
		return false
	case !p.compares && !q.compares && max(median(p.after), median(q.after)) > ownSchedule:
		return false
	}
	acceptsChange := func(p, q *party) bool { return c.acceptsChange(o, writes, c.ofPair(o, p.writer, q.writer), p) }
	return restores(p, q, t.Answer) || restores(q, p, t.Answer) || corrects(p, q) && !acceptsChange(p, q) || corrects(q, p) && !acceptsChange(q, p)
}

// promptTime is the longest time of a response "at once", in microseconds: a
// controller that watches the object responds within this time.
const promptTime = 10e6

// immediateTime is the longest time of an immediate response, in microseconds. Only a
// program that watches the object, or that runs together with the other writer,
// responds so fast.
const immediateTime = 2e6

// ownSchedule is the longest median time of a writer's responses, in
// microseconds. A writer that waits longer has its own schedule: it makes a
// release, rotates a secret, or runs once an hour. The other writer may then
// only record this in the object.
const ownSchedule = 2400e6

// restores reports whether p restores fields that q changed. The log has no
// bodies, so this follows from methods and times. A response "soon" comes
// within answer (Thresholds.Answer), and a response "at once" within
// promptTime. The result is false in these cases:
//
//   - q responds soon, or at once if it has traitPolls. Then q may only record
//     in the object what p wrote.
//   - q is a person whose writes may be requests to a controller.
//
// Otherwise, p restores fields in these cases:
//
//   - Only p updates the whole object. Such an operator writes if the object
//     differs from its desired state. So q changed a field of this state.
//   - Both update the whole object, and p responds at once. A slower p may
//     only increment a counter, as q does.
//   - q is a program that scales the object, and p responds at once. Scaling
//     changes only one field.
//   - p applies with force, which takes fields from other writers, and
//     responds soon. q updates the whole object. If q also applies with force,
//     one of them must have traitInsists or traitShares, and p must respond at
//     once.
//
// A patch changes only some fields. So a writer that patches at once may follow
// q and change other fields. A program that does not watch the object cannot
// respond within immediateTime, except by chance.
func restores(p, q *party, answer int64) bool {
	switch {
	case mostlyWithin(q.after, promptTime), mostlyWithin(q.after, answer) && q.traits&traitPolls == 0, q.traits&traitAsks != 0:
		return false
	case p.traits&traitUpdates != 0 && q.traits&traitUpdates == 0:
		return true
	case p.traits&traitPolls != 0 && mostlyWithin(p.after, immediateTime):
		return false
	case p.traits&traitUpdates != 0, q.traits&traitScales != 0 && q.traits&traitPerson == 0:
		return mostlyWithin(p.after, promptTime)
	case p.traits&traitForces == 0:
		return false
	case q.traits&traitForces == 0:
		return q.traits&traitUpdates != 0 && mostlyWithin(p.after, answer)
	}
	// Controllers usually apply their own fields with force, so force alone is
	// no evidence.
	return mostlyWithin(p.after, promptTime) && (p.traits|q.traits)&(traitInsists|traitShares) != 0
}

// corrects reports whether p is a program that writes because q changed the
// object. A program with traitSyncs writes only if the object differs from its
// desired state. A program with traitDeploys also writes at releases. So for
// such a program, q must write fields that p also sets: q applies with force,
// or updates the whole object from a template or in another API version.
// Scaling is not enough, because a release need not set the replicas.
func corrects(p, q *party) bool {
	switch {
	case p.traits&traitPolls != 0 && median(p.after) < immediateTime:
		return false
	case p.traits&traitSyncs != 0:
		return p.traits&traitPolls != 0 || mostlyWithin(p.after, gitOpsResync)
	}
	return p.traits&traitDeploys != 0 && q.traits&traitPerson == 0 && q.traits&traitStates&^traitScales != 0
}

// gitOpsResync is the longest time, in microseconds, until a program that watches an
// object compares it with its desired state. Fleet does this every 15 minutes,
// and Argo CD every three minutes.
const gitOpsResync = 900e6

// mostlyWithin reports whether at least four of five responses come within
// limit. after has the times of all responses, sorted.
func mostlyWithin(after []int64, limit int64) bool { return after[len(after)-1-len(after)/5] <= limit }
