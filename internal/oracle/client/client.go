// Package client sends cases to a kube-apiserver and returns its answers.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubevet/kubevet/internal/oracle"
)

// Server is a kube-apiserver and the data to connect to it.
type Server struct {
	// Name is the name of the server in recorded answers. It is the minor, such as 1.32.
	// A server with feature gates has a suffix, such as 1.32-zeroon.
	Name string
	// URL is the address of the server.
	URL string
	// HTTP is a client that trusts the server's certificate.
	HTTP *http.Client
	// Tokens are the tokens of the users of cases.
	Tokens map[string]string
	// Replace replaces words in the bodies of cases, such as $WEBHOOK by the
	// address of a webhook.
	Replace *strings.Replacer
	// If Bodies is true, answers have the objects of successful responses.
	Bodies bool

	resources map[string]*resource // cache by kind
}

// resource says how the server serves a kind.
type resource struct {
	plural     string
	namespaced bool
	served     bool
}

// Record sends cases in order and returns the answers. The objects that a case creates
// are removed after the last case of its file.
func (s *Server) Record(ctx context.Context, cases []oracle.Case) ([]oracle.Answer, error) {
	answers := make([]oracle.Answer, 0, len(cases))
	var made []string // paths of objects
	for i := range cases {
		c := &cases[i]
		if i > 0 && cases[i-1].File != c.File {
			s.remove(ctx, made)
			made = nil
		}
		answer, path, err := s.Ask(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
		if path != "" {
			made = append(made, path)
		}
		answers = append(answers, answer)
	}
	s.remove(ctx, made)
	return answers, ctx.Err()
}

// Ask sends one case. It first creates the objects that the case needs, and removes them
// afterwards. made is the path of the object that the case itself created, or "". Ask
// does not remove this object.
func (s *Server) Ask(ctx context.Context, c *oracle.Case) (a oracle.Answer, made string, err error) {
	if c.Wait > 0 {
		time.Sleep(time.Duration(c.Wait * float64(time.Second)))
	}
	a = oracle.Answer{Server: s.Name, File: c.File, ID: c.ID, Op: c.Op}
	if a.Op == "" {
		a.Op = "create"
	}
	var paths []string
	defer func() { s.remove(ctx, paths) }()
	for _, obj := range c.Setup {
		path, refusal, err := s.make(ctx, obj)
		if err != nil {
			return a, "", err
		}
		if path != "" {
			paths = append(paths, path)
		}
		if refusal != "" && a.SetupError == "" {
			a.SetupError = refusal
		}
	}

	a, r, _, err := s.answer(ctx, c, a)
	if err != nil {
		return a, "", err
	}
	if a.Code == http.StatusCreated && !c.DryRun() {
		made = r.object()
		if err := s.settle(ctx, r.head, made); err != nil {
			return a, made, err
		}
	}
	return a, made, nil
}

// Answer sends a case, without its Setup, and returns the answer and its body.
func (s *Server) Answer(ctx context.Context, c *oracle.Case) (a oracle.Answer, body []byte, err error) {
	a, _, body, err = s.answer(ctx, c, oracle.Answer{Server: s.Name, ID: c.ID, Op: c.Op})
	return a, body, err
}

// answer sends a case and fills a, which already has the case's name.
func (s *Server) answer(ctx context.Context, c *oracle.Case, a oracle.Answer) (oracle.Answer, *request, []byte, error) {
	r, err := s.request(ctx, c)
	if err != nil {
		return a, nil, nil, err
	}
	a.Method, a.Path, a.Name = r.method, r.path, r.head.Metadata.Name
	if r.head.Kind != "" {
		a.GVK = r.head.APIVersion + " " + r.head.Kind
	}
	if r.query != "" {
		a.Path += "?" + r.query
	}
	response, body, err := s.send(ctx, r)
	if err != nil {
		return a, nil, nil, err
	}
	a.Code = response.StatusCode
	a.Warnings = append([]string{}, response.Header["Warning"]...)
	read(&a, body)
	if s.Bodies && a.Code < http.StatusMultipleChoices {
		a.Body = body
	}
	return a, r, body, nil
}

// read copies the fields of a Status to the answer.
func read(a *oracle.Answer, body []byte) {
	if a.Code < http.StatusBadRequest {
		return
	}
	var status struct {
		Kind, Reason, Message string
		Details               struct{ Causes []oracle.Cause }
	}
	if json.Unmarshal(body, &status) != nil || status.Kind != "Status" {
		a.Message = strings.TrimSpace(string(body))
		return
	}
	a.Reason, a.Message, a.Causes = status.Reason, status.Message, status.Details.Causes
}

type request struct {
	head         oracle.Head
	method       string
	path, query  string
	named        string // the path of the object
	contentType  string
	body         []byte
	token        string
	extraHeaders map[string]string
	as           string
	groups       []string
}

// object returns the path of the request's object.
func (r *request) object() string {
	if r.named != "" {
		return r.named
	}
	return r.path
}

var contentTypes = map[string]string{
	"merge":     "application/merge-patch+json",
	"strategic": "application/strategic-merge-patch+json",
	"apply":     "application/apply-patch+yaml",
}

func (s *Server) request(ctx context.Context, c *oracle.Case) (*request, error) {
	r := &request{query: oracle.DefaultQuery, contentType: "application/json", extraHeaders: c.Header, as: c.As, groups: c.Groups}
	if c.Query != nil {
		r.query = *c.Query
	}
	user := c.User
	if user == "" {
		user = "admin"
	}
	r.token = s.Tokens[user]
	r.body = s.fill(c.Body())
	r.head, _ = c.Head()
	if c.Path == "" || r.head.Kind != "" {
		collection, err := s.collection(ctx, r.head)
		if err != nil {
			return nil, err
		}
		r.path = collection
		if name := r.head.Metadata.Name; name != "" {
			r.named = collection + "/" + url.PathEscape(name)
		}
	}
	switch c.Op {
	case "", "create":
		r.method = http.MethodPost
	case "update":
		r.method, r.path = http.MethodPut, r.object()
		if r.body = s.withVersion(ctx, r); r.body == nil {
			r.body = s.fill(c.Body())
		}
	case "merge", "strategic", "apply":
		r.method, r.path, r.contentType = http.MethodPatch, r.object(), contentTypes[c.Op]
	case "delete":
		r.method, r.path, r.body = http.MethodDelete, r.object(), nil
	case "raw":
	default:
		return nil, fmt.Errorf("no such op: %s", c.Op)
	}
	if c.Method != "" {
		r.method = c.Method
	}
	if c.Path != "" {
		r.path = c.Path
	}
	if c.ContentType != "" {
		r.contentType = c.ContentType
	}
	if r.method == http.MethodGet {
		r.body = nil
	}
	return r, nil
}

func (s *Server) fill(body []byte) []byte {
	if s.Replace == nil {
		return body
	}
	return []byte(s.Replace.Replace(string(body)))
}

// withVersion returns the body with the resource version of the stored object, unless the
// case sets one. Some kinds cannot be replaced without it.
func (s *Server) withVersion(ctx context.Context, r *request) []byte {
	var obj map[string]json.RawMessage
	var metadata map[string]any
	if json.Unmarshal(r.body, &obj) != nil || json.Unmarshal(obj["metadata"], &metadata) != nil || metadata["resourceVersion"] != nil {
		return nil
	}
	response, body, err := s.send(ctx, &request{method: http.MethodGet, path: r.path, token: s.Tokens["admin"]})
	var live struct {
		Metadata struct{ ResourceVersion string }
	}
	if err != nil || response.StatusCode != http.StatusOK || json.Unmarshal(body, &live) != nil {
		return nil
	}
	metadata["resourceVersion"] = live.Metadata.ResourceVersion
	if obj["metadata"], err = json.Marshal(metadata); err != nil {
		return nil
	}
	filled, err := json.Marshal(obj)
	if err != nil {
		return nil
	}
	return filled
}

// collection returns the path of all objects of a kind in a namespace. If the server does
// not serve the kind, it returns the path at which other servers do.
func (s *Server) collection(ctx context.Context, head oracle.Head) (string, error) {
	r, err := s.resource(ctx, head.APIVersion, head.Kind)
	if err != nil {
		return "", err
	}
	path := "/apis/" + head.APIVersion
	if !strings.Contains(head.APIVersion, "/") {
		path = "/api/" + head.APIVersion
	}
	if r.namespaced {
		namespace := head.Metadata.Namespace
		if namespace == "" {
			namespace = "default"
		}
		path += "/namespaces/" + url.PathEscape(namespace)
	}
	return path + "/" + r.plural, nil
}

func (s *Server) resource(ctx context.Context, apiVersion, kind string) (*resource, error) {
	key := apiVersion + " " + kind
	if r := s.resources[key]; r != nil {
		return r, nil
	}
	path := "/apis/" + apiVersion
	if !strings.Contains(apiVersion, "/") {
		path = "/api/" + apiVersion
	}
	_, body, err := s.send(ctx, &request{method: http.MethodGet, path: path, token: s.Tokens["admin"]})
	if err != nil {
		return nil, err
	}
	var list struct {
		Resources []struct {
			Name, Kind string
			Namespaced bool
		}
	}
	guess, _ := meta.UnsafeGuessKindToResource(schema.FromAPIVersionAndKind(apiVersion, kind))
	r := &resource{plural: guess.Resource, namespaced: !slices.Contains(clusterScoped, kind)}
	if json.Unmarshal(body, &list) == nil {
		for _, one := range list.Resources {
			if one.Kind == kind && !strings.Contains(one.Name, "/") {
				r = &resource{plural: one.Name, namespaced: one.Namespaced, served: true}
				break
			}
		}
	}
	if r.served {
		if s.resources == nil {
			s.resources = map[string]*resource{}
		}
		s.resources[key] = r
	}
	return r, nil
}

// clusterScoped has kinds without a namespace, for servers that do not serve the kind.
var clusterScoped = []string{
	"APIService", "CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterCIDR", "ClusterRole", "ClusterRoleBinding",
	"ClusterTrustBundle", "CustomResourceDefinition", "DeviceClass", "DeviceTaintRule", "FlowSchema", "IPAddress", "IngressClass",
	"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node",
	"PersistentVolume", "PodSecurityPolicy", "PriorityClass", "PriorityLevelConfiguration", "ResourcePoolStatusRequest",
	"ResourceSlice", "RuntimeClass", "SelfSubjectReview", "ServiceCIDR", "StorageClass", "StorageVersion", "StorageVersionMigration",
	"SubjectAccessReview", "TokenReview", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
	"ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass",
}

func (s *Server) send(ctx context.Context, r *request) (*http.Response, []byte, error) {
	target := s.URL + r.path
	if r.query != "" {
		target += "?" + r.query
	}
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	out, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, nil, err
	}
	out.Header.Set("Accept", "application/json")
	if r.body != nil {
		out.Header.Set("Content-Type", r.contentType)
	}
	if r.token != "" {
		out.Header.Set("Authorization", "Bearer "+r.token)
	}
	for name, value := range r.extraHeaders {
		out.Header.Set(name, value)
	}
	if r.as != "" {
		out.Header.Set("Impersonate-User", r.as)
	}
	for _, group := range r.groups {
		out.Header.Add("Impersonate-Group", group)
	}
	response, err := s.HTTP.Do(out)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return response, data, err
}
