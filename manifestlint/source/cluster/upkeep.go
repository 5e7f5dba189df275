package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Upkeep has the objects that matter for an upgrade of nodes. Scan does not
// read them, because no rule of the linter needs them. Most of them are pods.
type Upkeep struct {
	// Objects are nodes, disruption budgets, workloads and pods as JSON, and
	// ConfigMaps that configure Kubernetes' own programs. All objects have only
	// the fields for versions, labels, replicas and volumes. Pods in
	// kube-system also have their commands.
	Objects []json.RawMessage
	// Unread are the parts of the cluster that could not be read.
	Unread []Unread
}

// maxUpkeep is the largest size of Objects, in bytes.
const maxUpkeep = 256 << 20

// upkeepLists are the lists that Upkeep requests. Servers before 1.21 have no
// policy/v1, and return that it does not exist.
var upkeepLists = []struct{ apiVersion, kind, name, path string }{
	{"v1", "Node", "nodes", "/api/v1/nodes"},
	{"policy/v1", "PodDisruptionBudget", "poddisruptionbudgets.policy", "/apis/policy/v1/poddisruptionbudgets"},
	{"apps/v1", "Deployment", "deployments.apps", "/apis/apps/v1/deployments"},
	{"apps/v1", "StatefulSet", "statefulsets.apps", "/apis/apps/v1/statefulsets"},
	{"v1", "Pod", "pods", "/api/v1/pods"},
}

// programConfigs are the ConfigMaps in kube-system in which kubeadm stores
// configurations.
var programConfigs = []string{"kubeadm-config", "kubelet-config", "kube-proxy"}

// Upkeep reads the objects that matter for an upgrade of nodes. The result
// lists the parts that could not be read. The only error is the error of ctx.
func (c *Connection) Upkeep(ctx context.Context) (*Upkeep, error) {
	u := &Upkeep{}
	size := 0
	add := func(o *trimmed) error {
		text, err := json.Marshal(o)
		if err != nil {
			return err
		}
		if size += len(text); size > maxUpkeep {
			return fmt.Errorf("the objects need more than %d bytes of memory", maxUpkeep)
		}
		u.Objects = append(u.Objects, text)
		return nil
	}
	for _, l := range upkeepLists {
		err := c.list(ctx, request{path: l.path}, func(item json.RawMessage) error {
			var o trimmed
			if err := json.Unmarshal(item, &o); err != nil {
				return err
			}
			o.APIVersion, o.Kind = l.apiVersion, l.kind
			o.reduce()
			return add(&o)
		})
		if err := u.recordFailure(ctx, "list "+l.name, err); err != nil {
			return nil, err
		}
	}
	for _, name := range programConfigs {
		var o trimmed
		err := c.get(ctx, request{path: "/api/v1/namespaces/kube-system/configmaps/" + name}, &o)
		if err == nil {
			o.APIVersion, o.Kind = "v1", "ConfigMap"
			o.Spec, o.Status = nil, nil
			err = add(&o)
		}
		if err := u.recordFailure(ctx, "read configmap kube-system/"+name, err); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// recordFailure records a part that could not be read, unless it does not
// exist.
func (u *Upkeep) recordFailure(ctx context.Context, request string, err error) error {
	switch {
	case err == nil || apierrors.IsNotFound(err):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	u.Unread = append(u.Unread, Unread{What: request, Err: err, Forbidden: isForbidden(err)})
	return nil
}

// trimmed is the part of an object that Upkeep keeps.
type trimmed struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   keptMeta          `json:"metadata"`
	Spec       *keptSpec         `json:"spec,omitempty"`
	Status     *keptStatus       `json:"status,omitempty"`
	Data       map[string]string `json:"data,omitempty"`
}

type keptMeta struct {
	Name            string            `json:"name"`
	Namespace       string            `json:"namespace,omitempty"`
	UID             string            `json:"uid,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
	OwnerReferences []struct {
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		Controller bool   `json:"controller,omitempty"`
	} `json:"ownerReferences,omitempty"`
}

type keptSpec struct {
	Selector       json.RawMessage `json:"selector,omitempty"`
	MinAvailable   json.RawMessage `json:"minAvailable,omitempty"`
	MaxUnavailable json.RawMessage `json:"maxUnavailable,omitempty"`
	Replicas       *int64          `json:"replicas,omitempty"`
	Template       *struct {
		Metadata struct {
			Labels map[string]string `json:"labels,omitempty"`
		} `json:"metadata"`
		Spec keptPod `json:"spec"`
	} `json:"template,omitempty"`
	keptPod
}

type keptPod struct {
	HostNetwork   bool            `json:"hostNetwork,omitempty"`
	RestartPolicy string          `json:"restartPolicy,omitempty"`
	Containers    []keptContainer `json:"containers,omitempty"`
	Volumes       []struct {
		Name     string          `json:"name"`
		EmptyDir json.RawMessage `json:"emptyDir,omitempty"`
	} `json:"volumes,omitempty"`
}

type keptContainer struct {
	Name    string   `json:"name"`
	Image   string   `json:"image,omitempty"`
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
}

type keptStatus struct {
	NodeInfo           json.RawMessage `json:"nodeInfo,omitempty"`
	DisruptionsAllowed *int64          `json:"disruptionsAllowed,omitempty"`
	ExpectedPods       *int64          `json:"expectedPods,omitempty"`
	CurrentHealthy     *int64          `json:"currentHealthy,omitempty"`
	Phase              string          `json:"phase,omitempty"`
}

// reduce removes the fields that only ConfigMaps need, and commands outside of
// kube-system, which can contain secrets.
func (o *trimmed) reduce() {
	o.Data = nil
	if o.Spec == nil || o.Metadata.Namespace == "kube-system" {
		return
	}
	o.Spec.Containers = nil
	if o.Spec.Template != nil {
		o.Spec.Template.Spec.Containers = nil
	}
}
