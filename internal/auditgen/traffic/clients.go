package traffic

import (
	"fmt"
	"strings"
)

// client is a program or person that sends requests.
type client struct {
	user    string // the value of the key user, as JSON
	name    string // the name of the user
	ips     string // the value of the key sourceIPs, as JSON
	agent   string
	manager string // the value of the parameter fieldManager; "" if the client does not send it
	style   style
	reason  string // the reason why the request is allowed, as JSON without quotes
}

// style is the way in which a client writes objects.
type style uint8

const (
	styleUpdate      style = iota // get the object, then send the whole object
	stylePatch                    // merge patch
	styleForcedApply              // server-side apply with force
	styleApply                    // kubectl apply
	styleTemplate                 // send the whole object from a template, without a get
)

type clients struct {
	apiserver, manager, scheduler *client
	kubelets                      []*client
	controllers                   []*client // controllers in kube-controller-manager
	operators                     []*client
	people                        []*client // people and pipelines
	all                           []*client
}

const (
	nodes     = 250
	operators = 260
	people    = 90
)

var (
	controllerNames = []string{
		"deployment-controller", "replicaset-controller", "statefulset-controller", "daemon-set-controller", "job-controller", "cronjob-controller",
		"endpoint-controller", "endpointslice-controller", "namespace-controller", "node-controller", "service-account-controller", "resourcequota-controller",
		"generic-garbage-collector", "horizontal-pod-autoscaler", "disruption-controller", "pod-garbage-collector", "ttl-after-finished-controller",
		"persistent-volume-binder", "attachdetach-controller", "expand-controller", "root-ca-cert-publisher", "clusterrole-aggregation-controller",
	}
	// programs has operators with the user agents of their releases and the way in which
	// they write.
	programs = []struct {
		name, agent, manager string
		style                style
	}{
		{"argocd-application-controller", "argocd-application-controller/v0.0.0 (linux/amd64) kubernetes/$Format", "argocd-controller", styleForcedApply},
		{"kustomize-controller", "kustomize-controller/v1.4.0 (linux/amd64) kubernetes/$Format", "kustomize-controller", styleForcedApply},
		{"helm-controller", "Helm/3.16.2", "helm", stylePatch},
		{"cert-manager-controller", "cert-manager-certificates-issuing/v1.16.2 (linux/amd64) cert-manager/8ba1f3c", "cert-manager-certificates-issuing", styleForcedApply},
		{"prometheus-operator", "PrometheusOperator/0.79.2", "PrometheusOperator", styleUpdate},
		{"strimzi-cluster-operator", "Strimzi/0.45.0 fabric8-kubernetes-client/6.13.4", "", stylePatch},
		{"keda-operator", "keda/v2.16.0 (linux/amd64) kubernetes/v2", "", styleUpdate},
		{"kyverno-background-controller", "background-controller/v1.13.4 (linux/amd64) kubernetes/$Format", "", stylePatch},
		{"external-secrets", "external-secrets/v0.0.0 (linux/amd64) kubernetes/$Format", "external-secrets", stylePatch},
		{"istiod", "pilot-discovery/v1.24.1 (linux/amd64) kubernetes/$Format", "", styleUpdate},
		{"ingress-nginx-controller", "nginx-ingress-controller/v1.11.3 (linux/amd64) ingress-nginx/0106de6", "", styleUpdate},
		{"cluster-autoscaler", "cluster-autoscaler/v1.31.1 (linux/amd64) kubernetes/$Format", "", styleUpdate},
		{"postgres-operator", "postgres-operator/v1.13.0 (linux/amd64) kubernetes/$Format", "", stylePatch},
		{"velero", "velero-server/v1.15.0 (linux/amd64) 1d4f1475975b5107ec35f4d19ff17f7d1fcb3edf", "", stylePatch},
		{"tekton-pipelines-controller", "tekton-pipelines-controller/v0.65.0 (linux/amd64) kubernetes/v0", "", styleUpdate},
		{"java-operator", "okhttp/4.12.0", "", styleTemplate},
		{"manager", "manager/v0.0.0 (linux/amd64) kubernetes/$Format", "", styleUpdate},
		{"python-controller", "kopf/1.37.2 aiohttp/3.10.5", "", stylePatch},
	}
	tools = []struct {
		agent, manager string
		style          style
	}{
		{"kubectl/v1.31.4 (linux/amd64) kubernetes/a78aa47", "kubectl-client-side-apply", stylePatch},
		{"kubectl/v1.24.3 (darwin/arm64) kubernetes/aef86a9", "kubectl-client-side-apply", stylePatch},
		{"kubectl/v1.32.0 (windows/amd64) kubernetes/70d3cc9", "kubectl", styleApply},
		{"Helm/3.16.2", "helm", stylePatch},
		{"Terraform/1.9.8 (+https://www.terraform.io) Terraform-Plugin-SDK/2.35.0 Terraform-Plugin-SDK/2.35.0", "Terraform", styleForcedApply},
		{"OpenAPI-Generator/31.0.0/python", "", stylePatch},
		{"k9s/v0.32.7 (linux/amd64) kubernetes/9f4f0e2", "", styleUpdate},
		{"Go-http-client/2.0", "", styleTemplate},
	}
	teams = []string{"shop", "payments", "ledger", "search", "identity", "media", "platform", "observability", "data", "ingress", "logistics", "growth"}
)

func (r *random) ip(network string) string {
	return fmt.Sprintf("%s.%d.%d", network, r.below(250), r.between(2, 250))
}

func newClients(r *random) *clients {
	s := &clients{}
	s.apiserver = s.add(userClient(r, "system:apiserver", []string{"system:masters"}, "kube-apiserver/v1.24.17 (linux/amd64) kubernetes/22a9682", []string{"127.0.0.1"}))
	planes := []string{r.ip("10.0"), r.ip("10.0"), r.ip("10.0")}
	s.manager = s.add(userClient(r, "system:kube-controller-manager", []string{"system:authenticated"}, "kube-controller-manager/v1.24.17 (linux/amd64) kubernetes/22a9682/leader-election", planes[:1]))
	s.scheduler = s.add(userClient(r, "system:kube-scheduler", []string{"system:authenticated"}, "kube-scheduler/v1.24.17 (linux/amd64) kubernetes/22a9682/scheduler", planes[:1]))
	for _, name := range controllerNames {
		agent := "kube-controller-manager/v1.24.17 (linux/amd64) kubernetes/22a9682/system:serviceaccount:kube-system:" + name
		s.controllers = append(s.controllers, s.add(serviceAccountClient(r, "kube-system", name, "", agent, planes[r.below(3):][:1])))
	}
	for i := range nodes {
		ip := []string{r.ip("10.1")}
		s.kubelets = append(s.kubelets, s.add(userClient(r, "system:node:"+nodeName(i), []string{"system:nodes", "system:authenticated"}, "kubelet/v1.24.17 (linux/amd64) kubernetes/22a9682", ip)))
		s.add(serviceAccountClient(r, "kube-system", "kube-proxy", "kube-proxy-"+r.suffix(5), "kube-proxy/v1.24.17 (linux/amd64) kubernetes/22a9682", ip))
	}
	for range operators {
		s.operators = append(s.operators, s.add(newOperator(r)))
	}
	for i := range people {
		t := tools[r.below(len(tools))]
		team := r.pick(teams)
		c := userClient(r, fmt.Sprintf("%s-%d@example.com", team, i), []string{"oidc:" + team, "oidc:engineers", "system:authenticated"}, t.agent, []string{r.ip("203.0"), r.ip("10.0")})
		c.manager, c.style = t.manager, t.style
		s.people = append(s.people, s.add(c))
	}
	return s
}

// newRunners returns the clients for Config.Churn: CI pipelines with random names.
func newRunners(r *random) *clients {
	s := &clients{}
	for i := range 600 {
		name := fmt.Sprintf("system:serviceaccount:ci:%s-%d", r.pick(words), i)
		s.add(&client{
			user: `{"username":"` + name + `","groups":["system:authenticated"]}`, name: name, ips: `["` + r.ip("10.244") + `"]`,
			agent: fmt.Sprintf("runner/v1.%d.0", i%40), style: style(i % 2),
		})
	}
	s.kubelets, s.controllers, s.operators, s.people = s.all, s.all, s.all, s.all
	return s
}

func nodeName(i int) string {
	return fmt.Sprintf("ip-10-1-%d-%d.eu-west-1.compute.internal", i/16, 10+i%16*13)
}

func (s *clients) add(c *client) *client {
	s.all = append(s.all, c)
	return c
}

// newOperator returns a random controller that runs in a pod.
func newOperator(r *random) *client {
	p := programs[r.below(len(programs))]
	c := serviceAccountClient(r, r.pick(teams)+"-system", p.name, p.name+"-"+r.suffix(9)+"-"+r.suffix(5), p.agent, []string{r.ip("10.244")})
	c.manager, c.style = p.manager, p.style
	return c
}

// userClient returns a client that is not a service account.
func userClient(r *random, name string, groups []string, agent string, ips []string) *client {
	return &client{
		user: fmt.Sprintf(`{"username":"%s","uid":"%s","groups":["%s"]}`, name, r.uid(), strings.Join(groups, `","`)),
		name: name, ips: `["` + strings.Join(ips, `","`) + `"]`, agent: agent,
		reason: `RBAC: allowed by ClusterRoleBinding \"` + groups[0] + `\" of ClusterRole \"admin\" to Group \"` + groups[0] + `\"`,
	}
}

// serviceAccountClient returns a client that is a service account. pod is the name of its
// pod, or "" if it does not run in a pod.
func serviceAccountClient(r *random, namespace, name, pod, agent string, ips []string) *client {
	user := "system:serviceaccount:" + namespace + ":" + name
	extra := ""
	if pod != "" {
		extra = fmt.Sprintf(`,"extra":{"authentication.kubernetes.io/pod-name":["%s"],"authentication.kubernetes.io/pod-uid":["%s"]}`, pod, r.uid())
	}
	return &client{
		user: fmt.Sprintf(`{"username":"%s","uid":"%s","groups":["system:serviceaccounts","system:serviceaccounts:%s","system:authenticated"]%s}`, user, r.uid(), namespace, extra),
		name: user, ips: `["` + strings.Join(ips, `","`) + `"]`, agent: agent,
		reason: fmt.Sprintf(`RBAC: allowed by ClusterRoleBinding \"%s\" of ClusterRole \"%s\" to ServiceAccount \"%s/%s\"`, name, name, name, namespace),
	}
}
