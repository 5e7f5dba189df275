package policy

// compiledMutating is a compiled MutatingAdmissionPolicy.
type compiledMutating struct{}

type converters struct{}

// Mutate returns what the MutatingAdmissionPolicies make of an object.
func (c *Cluster) Mutate(a Attributes) Mutation {
	return Mutation{Object: a.Object, Value: a.Request.New}
}
