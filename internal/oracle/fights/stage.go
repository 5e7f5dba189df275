package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/server"
)

// stage is a kube-apiserver with an audit log. Scenes are played on it.
type stage struct {
	*client.Server
	url       string
	transport *http.Transport
	dir       string
	// began is the time at which the stage was opened.
	began time.Time
	// helm is the directory of the helm programs. binaries is the directory of
	// released servers.
	helm, binaries, release string

	mu     sync.Mutex
	stamps map[string]stamp
	tokens map[string]string
	spaces map[string]*sync.Once
}

// stamp has the origin and the times of a request.
type stamp struct {
	play  *play
	actor *actor
	// at is the simulated time. wall is the real time.
	at, wall time.Time
}

func (s *stage) remember(id string, at stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stamps[id] = at
}

// humans are users with their own tokens. The tokens of service accounts are
// requested from the server.
var humans = map[string]string{
	"alice@example.com": "developers", "bob@example.com": "developers", "carol@example.com": "sre", "dave@example.com": "sre",
	"erin@example.com": "platform", "frank@example.com": "developers", "ci-bot": "ci", "jenkins": "ci", "gitlab-runner": "ci", "github-actions": "ci",
	"terraform": "platform", "kubernetes-admin": "kubeadm:cluster-admins", "eks:addon-manager": "eks", "aksService": "aks", "masterclient": "aks",
	"system:node:worker-1": "system:nodes", "system:node:worker-2": "system:nodes", "system:node:worker-3": "system:nodes",
	"system:kube-controller-manager": "system:kcm", "system:kube-scheduler": "system:sched", "system:cloud-controller-manager": "system:ccm",
	"system:addon-manager": "addons", "cluster-autoscaler": "ca",
}

// openStage starts a server that logs requests according to the audit policy.
func openStage(ctx context.Context, dir, binary, policy string) (*stage, func(), error) {
	policyFile, log, tokens := filepath.Join(dir, "policy.json"), filepath.Join(dir, "audit.log"), filepath.Join(dir, "users.csv")
	if err := os.WriteFile(policyFile, []byte(policy), 0o600); err != nil {
		return nil, nil, err
	}
	s := &stage{dir: dir, stamps: map[string]stamp{}, tokens: map[string]string{}, spaces: map[string]*sync.Once{}, began: time.Now()}
	var users strings.Builder
	users.WriteString("tok-admin,admin,1,\"system:masters\"\n")
	for user, group := range humans {
		token := "human-" + strings.NewReplacer(":", "-", "@", "-").Replace(user)
		s.tokens[user] = token
		fmt.Fprintf(&users, "%s,%s,%s,\"everything,%s\"\n", token, user, token, group)
	}
	if err := os.WriteFile(tokens, []byte(users.String()), 0o600); err != nil {
		return nil, nil, err
	}
	run := release.Run(binary, filepath.Join(dir, "server.log"))
	var stop func()
	var err error
	s.Server, stop, err = server.Start(ctx, server.Options{Name: "fights", Dir: dir, Run: func(ctx context.Context, args []string) error {
		return run(ctx, append(args, "--audit-policy-file="+policyFile, "--audit-log-path="+log, "--token-auth-file="+tokens,
			"--runtime-config=api/all=false,api/ga=true", "--max-requests-inflight=4000", "--max-mutating-requests-inflight=2000", "--enable-priority-and-fairness=false"))
	}})
	if err != nil {
		return nil, nil, err
	}
	s.url = s.URL
	s.transport = s.HTTP.Transport.(*http.Transport).Clone()
	s.transport.MaxIdleConnsPerHost = 64
	s.transport.ForceAttemptHTTP2 = true
	for _, o := range []string{
		`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"everything"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"everything"},{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"system:serviceaccounts"}]}`,
	} {
		if err := s.make("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", o); err != nil {
			stop()
			return nil, nil, err
		}
	}
	return s, stop, nil
}

// ask sends a request as the administrator, who plays in no scene.
func (s *stage) ask(method, path, body string) (int, []byte, error) {
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer tok-admin")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "stage")
	response, err := s.HTTP.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	var data json.RawMessage
	_ = json.NewDecoder(response.Body).Decode(&data)
	return response.StatusCode, data, nil
}

// make creates an object as the administrator, if it does not exist.
func (s *stage) make(collection, body string) error {
	code, answer, err := s.ask(http.MethodPost, collection, body)
	if err != nil {
		return err
	}
	if code >= 300 && code != http.StatusConflict {
		return fmt.Errorf("%s: status %d: %s", collection, code, answer)
	}
	return nil
}

// namespace creates a namespace and its service account.
func (s *stage) namespace(name string) {
	s.mu.Lock()
	once, found := s.spaces[name]
	if !found {
		once = &sync.Once{}
		s.spaces[name] = once
	}
	s.mu.Unlock()
	once.Do(func() {
		_ = s.make("/api/v1/namespaces", fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, name))
		_ = s.make("/api/v1/namespaces/"+name+"/serviceaccounts", `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}}`)
	})
}

// token returns a token of a service account. The token is bound to a pod.
func (s *stage) token(ns, account, pod string) (string, error) {
	s.mu.Lock()
	token := s.tokens[ns+"/"+account+"/"+pod]
	s.mu.Unlock()
	if token != "" {
		return token, nil
	}
	s.namespace(ns)
	base := "/api/v1/namespaces/" + ns
	if err := s.make(base+"/serviceaccounts", fmt.Sprintf(`{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":%q}}`, account)); err != nil {
		return "", err
	}
	bound := ""
	if pod != "" {
		if err := s.make(base+"/pods", fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"ownerReferences":[]},"spec":{"serviceAccountName":%q,"containers":[{"name":"manager","image":"manager"}]}}`, pod, account)); err != nil {
			return "", err
		}
		bound = fmt.Sprintf(`"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":%q},`, pod)
	}
	code, data, err := s.ask(http.MethodPost, base+"/serviceaccounts/"+account+"/token", `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{`+bound+`"expirationSeconds":86400}}`)
	if err != nil {
		return "", err
	}
	if code >= 300 {
		return "", fmt.Errorf("token of %s/%s: status %d: %s", ns, account, code, data)
	}
	var answer struct{ Status struct{ Token string } }
	if err := json.Unmarshal(data, &answer); err != nil {
		return "", err
	}
	s.mu.Lock()
	s.tokens[ns+"/"+account+"/"+pod] = answer.Status.Token
	s.mu.Unlock()
	return answer.Status.Token, nil
}

// command runs a program that is installed on this machine, and returns its
// output.
func (s *stage) command(ctx context.Context, stdin, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "KUBECONFIG=/dev/null", "HELM_CACHE_HOME="+s.dir+"/helm")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// listen starts a server on a free port of the loopback interface, and returns
// its address.
func listen(h http.Handler) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() { _ = (&http.Server{Handler: h, ReadHeaderTimeout: time.Minute}).Serve(l) }()
	return "http://" + l.Addr().String(), nil
}

// definition creates a custom resource definition and waits until the server serves its
// resource, whose path is list.
func (s *stage) definition(name string, body object, list string) {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	if err := s.make("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", string(data)); err != nil {
		panic(failure{err})
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		code, _, err := s.ask(http.MethodGet, list, "")
		if err == nil && code == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			panic(failure{fmt.Errorf("%s is not served", name)})
		}
	}
}
