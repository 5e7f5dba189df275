package contention

import (
	"slices"
	"strings"
)

// grip is a set of properties of a writer. They show how its method and its program treat the
// values of other writers.
type grip uint16

const (
	// gripYields: every write is an apply without force.
	gripYields grip = 1 << iota
	// gripUpdates: every write is an update of the whole object.
	gripUpdates
	// gripForces: some write is an apply with force.
	gripForces
	// gripScales: some write is to subresource scale.
	gripScales
	// gripReplaces: some write is an update from a template. It removes all fields that the
	// template lacks.
	gripReplaces
	// gripConverts: some write is an update by one of several versions of the API. That version may
	// lack fields of the others.
	gripConverts
	// gripSyncs: the program continuously compares the object with its desired state, and writes
	// only if they differ.
	gripSyncs
	// gripDeploys: the same, but only when somebody runs the program.
	gripDeploys
	// gripPolls: the program does not watch the object, so it never answers immediately.
	gripPolls
	// gripPerson: the writer seems to be a person.
	gripPerson
	// gripAsks: the writer is a person. The writes may be requests that a controller serves.
	gripAsks
	// gripInsists: some write is an apply with force by a tool that forces only if it
	// is configured to.
	gripInsists
	// gripShares: the other writer has the same field manager, so that each apply
	// removes fields that the other one applied.
	gripShares
)

// gripMethods are the properties that all writes must have. gripStates are the properties of writes
// that set fields regardless of their owners.
const (
	gripMethods = gripYields | gripUpdates
	gripStates  = gripForces | gripScales | gripReplaces | gripConverts
)

// add returns the grip of a writer after another write w.
func (g grip) add(w grip) grip { return g&gripMethods&w | (g|w)&^gripMethods }

// gripOf returns the properties that a write suggests.
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

// The programs that compare an object with its desired state and write only if they differ.
var (
	// watchers see every change, syncers look at intervals.
	watchers = []string{"argocd-application-controller", "fleetagent", "fleetcontroller"}
	syncers  = []string{"kustomize-controller", "kapp-controller"}
	// deployers write when there is a release. Helm controllers do the same: they
	// correct drift only if that is enabled.
	deployers = []string{"Helm", "helm-controller", "Terraform", "HashiCorp", "OpenTofu", "pulumi-resource-kubernetes", "kapp"}
)

// knownGrip returns the known properties of a writer's program. A syncer is a normal controller for
// objects of its own API.
func knownGrip(w *Writer, o *object) (g grip) {
	name, _, _ := strings.Cut(w.Agent, " ")
	own := o.Group == "argoproj.io" || strings.HasSuffix(o.Group, ".fluxcd.io")
	switch {
	case slices.Contains(watchers, name) && !own, keeps(w.User, o):
		g = gripSyncs
	case slices.Contains(syncers, name) && !own:
		g = gripSyncs | gripPolls
	case slices.Contains(deployers, name), w.Manager == "kubectl-client-side-apply":
		g = gripDeploys | gripPolls
	}
	if person(w) {
		g |= gripPerson
		if !slices.Contains(changing, w.Manager) {
			g |= gripAsks
		}
	}
	return g
}

// insists reports whether a program applies without force by default.
func insists(w *Writer) bool {
	switch name, _, _ := strings.Cut(w.Agent, " "); name {
	case "kubectl", "oc", "Helm", "Terraform", "HashiCorp", "OpenTofu", "pulumi-resource-kubernetes":
		return true
	}
	return false
}

// changing are the managers of kubectl's subcommands that change the main content of an object.
// Others may also set an annotation that is a request to a controller.
var changing = []string{"kubectl-set", "kubectl-rollout", "kubectl-scale", "kubectl-autoscale", "kubectl-client-side-apply", "kubectl"}

// fighting reports whether the turns of two writers are a fight.
func (c *Collector) fighting(o *object, writes []observation, p, q *party, turns int, t Thresholds) bool {
	both, any := p.grip&q.grip, p.grip|q.grip
	deploy := p.grip&(gripDeploys|gripSyncs) != 0 && q.grip&(gripDeploys|gripSyncs) != 0
	quick := soon(p.after, t.Answer) && soon(q.after, t.Answer)
	switch {
	case both&gripScales != 0, both&gripInsists != 0, both&(gripDeploys|gripShares) == gripDeploys|gripShares:
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
	}
	tolerates := func(p, q *party) bool { return c.tolerates(o, writes, c.ofPair(o, p.writer, q.writer), p) }
	return restores(p, q) || restores(q, p) || corrects(p, q) && !tolerates(p, q) || corrects(q, p) && !tolerates(q, p)
}

// atOnce is the maximum time, in microseconds, in which a controller answers that watches the
// object.
const atOnce = 10e6

// tooSoon is the maximum time, in microseconds, for an answer that only two kinds of programs give:
// those that watch the object, and those that run together with the other one.
const tooSoon = 2e6

// restores reports whether p restores the fields that q changed, and q does not answer immediately
// like a follower of p.
//
// An operator that updates the whole object compares it with its desired state. So between two of
// its updates another writer changed that state. If q updates as well, one of them may have
// incremented a counter. If p answers immediately, a forced apply takes the fields of another
// writer, and a scaled object has only one field that changed. Writers that patch immediately may
// follow another writer and patch only their own fields.
func restores(p, q *party) bool {
	switch {
	case soon(q.after, atOnce), q.grip&gripAsks != 0:
		return false
	case p.grip&gripUpdates != 0 && q.grip&gripUpdates == 0:
		return true
	case !soon(p.after, atOnce):
		return false
	case p.grip&gripPolls != 0 && soon(p.after, tooSoon):
		return false
	case p.grip&gripUpdates != 0, q.grip&gripScales != 0:
		return true
	}
	if p.grip&gripForces == 0 || q.grip&(gripForces|gripUpdates) == 0 {
		return false
	}
	// Controllers apply with force by convention, each of them its own fields.
	return q.grip&gripForces == 0 || (p.grip|q.grip)&(gripInsists|gripShares) != 0
}

// corrects reports whether p is a program that writes only if the object differs from its desired
// state, so that q causes each of its writes. A program that runs at releases may have another
// reason, unless q writes fields that p states as well.
func corrects(p, q *party) bool {
	switch {
	case p.grip&gripPolls != 0 && middle(p.after) < tooSoon:
		return false
	case p.grip&gripSyncs != 0:
		return true
	}
	return p.grip&gripDeploys != 0 && q.grip&gripPerson == 0 && q.grip&(gripStates|gripUpdates) != 0
}

// soon reports whether at least four of five answers come within a time.
func soon(after []int64, in int64) bool { return after[len(after)-1-len(after)/5] <= in }
