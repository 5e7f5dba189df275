package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/oracle/manifests"
)

type object struct {
	*manifests.Object
	live       json.RawMessage // the object that the server has stored, or nil
	answer     oracle.Answer
	served     bool
	difference difference
}

// cluster is a server with the objects that one application needs.
type cluster struct {
	*client.Server
	validation fieldValidation
	made       []string
	// given has the application's own definitions and namespaces, as the server stored
	// them.
	given []json.RawMessage
}

// ask sends all objects of an application like kubectl apply --dry-run=server: as a patch
// if the server has the object, otherwise as a new object. First it creates the objects
// that others need: namespaces, custom resource definitions, and the service accounts and
// classes of Pods. given has the application's own namespaces and definitions, as the
// server stored them.
func (c *cluster) ask(ctx context.Context, all []*object) (given []json.RawMessage, err error) {
	defer func() { given, c.given = c.given, nil }()
	needed := map[string]bool{} // group and kind
	for _, o := range all {
		needed[groupOf(o.Head.APIVersion)+" "+o.Head.Kind] = true
	}
	asked := map[*object]bool{}
	one := func(o *object) error {
		asked[o] = true
		return c.one(ctx, o)
	}
	// Send each kind in a separate pass, after the objects that it needs.
	for _, kind := range []string{"CustomResourceDefinition", "Namespace"} {
		var first []*object
		for _, o := range all {
			if o.Head.Kind != kind {
				continue
			}
			if err := one(o); err != nil {
				return nil, err
			}
			if o.answer.Code == http.StatusCreated && (kind == "Namespace" || needed[defines(o.Body)]) {
				first = append(first, o)
			}
		}
		names := map[string]bool{}
		for _, o := range first {
			if names[o.Head.Metadata.Name] {
				continue
			}
			names[o.Head.Metadata.Name] = true
			if err := c.make(ctx, o.Body, true); err != nil {
				return nil, err
			}
		}
	}
	for _, o := range all {
		namespace := o.Head.Metadata.Namespace
		if namespace == "" {
			continue
		}
		if err := c.make(ctx, bare("v1", "Namespace", "", namespace), false); err != nil {
			return nil, err
		}
	}
	for _, o := range all {
		if !asked[o] && o.Head.Kind != "Pod" {
			if err := one(o); err != nil {
				return nil, err
			}
		}
	}
	for _, o := range all {
		if asked[o] {
			continue
		}
		for _, need := range podNeeds(o) {
			if err := c.make(ctx, need, false); err != nil {
				return nil, err
			}
		}
		if err := one(o); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// one sends one object and records the answer.
func (c *cluster) one(ctx context.Context, o *object) error {
	namespaced, served, err := c.Namespaced(ctx, o.Head.APIVersion, o.Head.Kind)
	if err != nil {
		return err
	}
	o.served = served
	head := o.Head
	if strings.HasSuffix(head.Metadata.Name, "*") {
		head.Metadata.Name = ""
	}
	body := o.Body
	if namespaced && head.Metadata.Namespace == "" {
		head.Metadata.Namespace = "default"
		if body, err = withNamespace(body, "default"); err != nil {
			return fmt.Errorf("%s: %w", o.Stream.Name, err)
		}
	}
	query := "dryRun=All&fieldManager=kubectl-client-side-apply&fieldValidation=" + c.validation.query
	ask := oracle.Case{ID: o.Stream.Name, Obj: body, Query: &query}
	if served && head.Metadata.Name != "" {
		if o.live, err = c.Get(ctx, head); err != nil {
			return err
		}
		if o.live != nil {
			ask.Op = "strategic"
			if !strings.HasSuffix(groupOf(head.APIVersion), ".k8s.io") && strings.Contains(groupOf(head.APIVersion), ".") || head.Kind == "CustomResourceDefinition" || head.Kind == "APIService" {
				ask.Op = "merge"
			}
		}
	}
	o.answer, _, err = c.Ask(ctx, &ask)
	if err != nil {
		return fmt.Errorf("%s: %s %s: %w", o.Stream.Name, o.Head.Kind, o.Head.Metadata.Name, err)
	}
	return nil
}

// make creates an object. If own is true, kubevet also gets the object.
func (c *cluster) make(ctx context.Context, obj json.RawMessage, own bool) error {
	obj, err := withoutWebhook(obj)
	if err != nil {
		return err
	}
	path, _, err := c.Make(ctx, obj)
	if err != nil || path == "" {
		return err
	}
	c.made = append(c.made, path)
	if own {
		c.given = append(c.given, obj)
	}
	return nil
}

// clean removes the objects that were created for an application.
func (c *cluster) clean(ctx context.Context) error {
	err := c.Remove(ctx, c.made)
	c.made = nil
	return err
}

func groupOf(apiVersion string) string {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return ""
	}
	return group
}

// defines returns the group and kind in a custom resource definition.
func defines(body []byte) string {
	var crd struct {
		Spec struct {
			Group string
			Names struct{ Kind string }
		}
	}
	if json.Unmarshal(body, &crd) != nil {
		return ""
	}
	return crd.Spec.Group + " " + crd.Spec.Names.Kind
}

func bare(apiVersion, kind, namespace, name string) json.RawMessage {
	metadata := map[string]any{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	obj := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata}
	switch kind {
	case "RuntimeClass":
		obj["handler"] = "h"
	case "PriorityClass":
		obj["value"] = 1
	}
	data, err := json.Marshal(obj)
	if err != nil {
		panic(err) // a map of strings and a number is always valid
	}
	return data
}

// podNeeds returns the objects that a Pod names and that admission requires.
func podNeeds(o *object) []json.RawMessage {
	var pod struct {
		Spec struct{ ServiceAccountName, ServiceAccount, PriorityClassName, RuntimeClassName string }
	}
	if json.Unmarshal(o.Body, &pod) != nil {
		return nil
	}
	namespace := o.Head.Metadata.Namespace
	if namespace == "" {
		namespace = "default"
	}
	var all []json.RawMessage
	for _, name := range []string{pod.Spec.ServiceAccountName, pod.Spec.ServiceAccount} {
		if name != "" {
			all = append(all, bare("v1", "ServiceAccount", namespace, name))
		}
	}
	if name := pod.Spec.PriorityClassName; name != "" {
		all = append(all, bare("scheduling.k8s.io/v1", "PriorityClass", "", name))
	}
	if name := pod.Spec.RuntimeClassName; name != "" {
		all = append(all, bare("node.k8s.io/v1", "RuntimeClass", "", name))
	}
	return all
}

func withNamespace(body json.RawMessage, namespace string) (json.RawMessage, error) {
	return change(body, func(obj map[string]any) {
		metadata, ok := obj["metadata"].(map[string]any)
		if !ok && obj["metadata"] != nil {
			return // the server reports the mistake
		}
		if !ok {
			metadata = map[string]any{}
			obj["metadata"] = metadata
		}
		metadata["namespace"] = namespace
	})
}

// withoutWebhook returns a definition without the webhook that converts between its
// versions, because this webhook does not run here.
func withoutWebhook(body json.RawMessage) (json.RawMessage, error) {
	if !bytes.Contains(body, []byte(`"conversion"`)) {
		return body, nil
	}
	return change(body, func(obj map[string]any) {
		if spec, ok := obj["spec"].(map[string]any); ok && obj["kind"] == "CustomResourceDefinition" {
			delete(spec, "conversion")
		}
	})
}

// change applies a function to an object. Numbers keep their spelling.
func change(body json.RawMessage, do func(obj map[string]any)) (json.RawMessage, error) {
	var obj map[string]any
	numbers := json.NewDecoder(bytes.NewReader(body))
	numbers.UseNumber()
	if err := numbers.Decode(&obj); err != nil {
		return nil, err
	}
	do(obj)
	return json.Marshal(obj)
}
