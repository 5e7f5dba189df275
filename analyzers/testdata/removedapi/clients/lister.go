package clients

import listers "k8s.io/client-go/listers/policy/v1beta1"

// The lister follows from the client.
type controller struct {
	budgets listers.PodDisruptionBudgetLister
}
