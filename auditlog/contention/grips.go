package contention

import (
	"slices"
	"strings"
)

// grip is a set of properties of a writer. They show how the writer's method
// and program handle the values of other writers.
type grip uint16

const (
	// gripYields means that each write is an apply without force.
	gripYields grip = 1 << iota
	// gripUpdates means that each write is an update of the whole object.
	gripUpdates
	// gripForces means that at least one write is an apply with force.
	gripForces
	// gripScales means that at least one write is to the subresource scale.
	gripScales
	// gripReplaces means that at least one write is an update from a template.
	// Such an update removes all fields that the template does not have.
	gripReplaces
	// gripConverts means that at least one write is an update in one of several
	// API versions. This version may lack fields of the other versions.
	gripConverts
	// gripSyncs means that the program always compares the object with its
	// desired state, and writes only if they differ.
	gripSyncs
	// gripDeploys means that the program compares the object with its desired
	// state only when somebody runs the program, and then writes if they
	// differ.
	gripDeploys
	// gripPolls means that the program does not watch the object. So it responds
	// within tooSoon only by chance.
	gripPolls
	// gripPerson means that the writer seems to be a person.
	gripPerson
	// gripAsks means that the writer is a person whose writes may be requests
	// to a controller.
	gripAsks
	// gripInsists means that at least one write is an apply with force, and the
	// program does not force by default: somebody configured it to.
	gripInsists
	// gripShares means that the other writer has the same field manager. Each
	// apply then removes fields that the other writer applied.
	gripShares
)

// gripMethods has the properties that a writer has only if all of its writes
// have them. gripStates has the properties of writes that set fields without
// regard to the owners of the fields.
const (
	gripMethods = gripYields | gripUpdates
	gripStates  = gripForces | gripScales | gripReplaces | gripConverts
)

// add returns the properties of a writer after one more write with the
// properties w.
func (g grip) add(w grip) grip { return g&gripMethods&w | (g|w)&^gripMethods }

// gripOf returns the properties that follow from one write.
func (c *Collector) gripOf(o *object, w *observation) grip {
	g := knownGrip(&c.writers[w.writer], o)
	switch {
	case w.how == HowForcedApply:
		g |= gripForces
		if insists(&c.writers[w.writer]) {
			g |= gripInsists
		}
	case w.how == HowApply:
		g |= gripYields
	case w.how == HowScale:
		g |= gripScales
	case w.how == HowUpdate:
		g |= gripUpdates
		if w.flags&flagTemplate != 0 {
			g |= gripReplaces
		}
		if len(o.versions) > 1 {
			g |= gripConverts
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

// knownGrip returns the known properties of a writer's program. For objects of
// the APIs of Argo CD and Flux, their programs are normal controllers.
func knownGrip(w *Writer, o *object) (g grip) {
	name, _, _ := strings.Cut(w.Agent, " ")
	own := o.Group == "argoproj.io" || strings.HasSuffix(o.Group, ".fluxcd.io")
	switch {
	case slices.Contains(watchers, name) && !own, keeps(w.User, o):
		g = gripSyncs
	case slices.Contains(syncers, name) && !own:
		g = gripSyncs | gripPolls
	case slices.Contains(deployers, name), w.Manager == "kubectl-client-side-apply", strings.HasPrefix(w.Manager, "pulumi-kubernetes"):
		g = gripDeploys | gripPolls
	}
	if person(w) {
		g |= gripPerson
		if !slices.Contains(changing, w.Manager) && !(w.Manager == "kubectl-patch" && builtIn(o.Group)) {
			g |= gripAsks
		}
	}
	return g
}

// insists reports whether a program applies without force unless it is
// configured to force.
func insists(w *Writer) bool {
	switch name, _, _ := strings.Cut(w.Agent, " "); name {
	case "kubectl", "oc", "Helm", "Terraform", "HashiCorp", "OpenTofu", "pulumi-resource-kubernetes":
		return true
	}
	return false
}

// changing has the field managers of the kubectl subcommands that change the
// main content of an object. Other subcommands, such as kubectl annotate, may
// only send a request to a controller.
var changing = []string{"kubectl-set", "kubectl-rollout", "kubectl-scale", "kubectl-autoscale", "kubectl-client-side-apply", "kubectl"}

// steady reports whether a writer rarely writes twice before the other writer
// responds. Two writers with independent reasons also take turns by chance, but
// less regularly. One write in eight can be an exception, because a log may
// lack some writes.
func steady(p *party) bool { return 8*p.runs >= 7*p.episodes }

// fighting reports whether the turns of two writers are a fight.
func (c *Collector) fighting(o *object, writes []observation, p, q *party, turns int, t Thresholds) bool {
	both, any := p.grip&q.grip, p.grip|q.grip
	deploy := p.grip&(gripDeploys|gripSyncs) != 0 && q.grip&(gripDeploys|gripSyncs) != 0
	quick := soon(p.after, t.Answer) && soon(q.after, t.Answer)
	switch {
	case both&gripScales != 0, both&gripInsists != 0, both&gripShares != 0 && both&(gripDeploys|gripForces) != 0:
		return turns >= turnsFactor*t.MinReversals
	case both&gripPerson != 0:
		return false
	case quick && p.grip&gripStates != 0 && q.grip&gripStates != 0:
		return turns >= 2*t.MinReversals
	case turns < turnsFactor*t.MinReversals:
		return false
	case quick && (any&(gripStates|gripSyncs) != 0 || deploy):
		return true
	case any&gripReplaces != 0 && (soon(p.after, t.Answer) || soon(q.after, t.Answer)):
		return true
	case !steady(p) || !steady(q):
		return false
	}
	tolerates := func(p, q *party) bool { return c.tolerates(o, writes, c.ofPair(o, p.writer, q.writer), p) }
	return restores(p, q, t.Answer) || restores(q, p, t.Answer) || corrects(p, q) && !tolerates(p, q) || corrects(q, p) && !tolerates(q, p)
}

// atOnce is the longest time in which a controller that watches the object
// responds, in microseconds.
const atOnce = 10e6

// tooSoon is the longest time of an immediate response, in microseconds. Only a
// program that watches the object, or that runs together with the other writer,
// responds so fast.
const tooSoon = 2e6

// atLast is the longest time, in microseconds, until an operator restores an
// object that it does not watch. Such an operator compares the object with its
// desired state at intervals.
const atLast = 3600e6

// seldom is the shortest usual time between releases of one object, in
// microseconds. A program that deploys the object more often writes because of
// changes by others.
const seldom = 1800e6

// restores reports whether p restores fields that q changed. The log has no
// bodies, so this follows from methods and times. answer is
// Thresholds.Answer. The result is false in these cases:
//
//   - q responds soon, or at once if it has gripPolls. Then q may follow p, and
//     only note what p wrote.
//   - q seems to write only at releases, so p may follow q: it has gripDeploys,
//     does not force, and usually responds later than seldom.
//   - q is a person whose writes may be requests to a controller.
//
// Otherwise, p restores fields in these cases:
//
//   - Only p updates the whole object, within atLast. Such an operator writes
//     if the object differs from its desired state. So q changed a field of
//     this state.
//   - Both update the whole object, and p responds at once. A slower p may only
//     increment a counter, as q does.
//   - q is a program that scales the object, and p responds at once. Scaling
//     changes only one field.
//   - p applies with force, which takes fields from other writers, and responds
//     soon. q updates the whole object. If q also applies with force, one of
//     them must have gripInsists or gripShares, and p must respond at once.
//
// A patch changes only some fields. So a writer that patches at once may follow
// q and change other fields. A program that does not watch the object cannot
// respond within tooSoon, except by chance.
func restores(p, q *party, answer int64) bool {
	releases := q.grip&gripDeploys != 0 && q.grip&(gripForces|gripSyncs) == 0 && middle(q.after) > seldom
	switch {
	case soon(q.after, atOnce), soon(q.after, answer) && q.grip&gripPolls == 0, q.grip&gripAsks != 0, releases:
		return false
	case p.grip&gripUpdates != 0 && q.grip&gripUpdates == 0:
		return soon(p.after, atLast)
	case p.grip&gripPolls != 0 && soon(p.after, tooSoon):
		return false
	case p.grip&gripUpdates != 0, q.grip&gripScales != 0 && q.grip&gripPerson == 0:
		return soon(p.after, atOnce)
	case p.grip&gripForces == 0:
		return false
	case q.grip&gripForces == 0:
		return q.grip&gripUpdates != 0 && soon(p.after, answer)
	}
	// Controllers usually apply their own fields with force, so force alone is
	// no evidence.
	return soon(p.after, atOnce) && (p.grip|q.grip)&(gripInsists|gripShares) != 0
}

// corrects reports whether p is a program that writes because q changed the
// object. A program with gripSyncs writes only if the object differs from its
// desired state. A program with gripDeploys also writes at releases. So for
// such a program, q must write fields that p also sets: q applies with force,
// or updates the whole object from a template or in another API version.
// Scaling is not enough, because a release need not set the replicas.
func corrects(p, q *party) bool {
	switch {
	case p.grip&gripPolls != 0 && middle(p.after) < tooSoon:
		return false
	case p.grip&gripSyncs != 0:
		return p.grip&gripPolls != 0 || soon(p.after, resync)
	}
	return p.grip&gripDeploys != 0 && q.grip&gripPerson == 0 && q.grip&gripStates&^gripScales != 0
}

// resync is the longest time, in microseconds, until a program that watches an
// object compares it with its desired state. Fleet does this every 15 minutes,
// and Argo CD every three minutes.
const resync = 900e6

// soon reports whether at least four of five responses come within the time in.
// after has the times of all responses, sorted.
func soon(after []int64, in int64) bool { return after[len(after)-1-len(after)/5] <= in }
