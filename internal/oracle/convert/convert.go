package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// conversion is an object with its form in another version, from one server.
type conversion struct {
	ID      string `json:"id"`
	Release string `json:"release"`
	// From is the object that was sent.
	From json.RawMessage `json:"from"`
	// ToVersion is the version of To.
	ToVersion string `json:"toVersion"`
	// Code, Message, Causes and Warnings are the answer to the creation in the old
	// version. For a refused object, the fields below are empty.
	Code     int            `json:"code"`
	Message  string         `json:"message,omitempty"`
	Causes   []oracle.Cause `json:"causes,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
	// DefaultedFrom is the stored object in the old version. To is the stored object in
	// the new version. Both lack the fields that only servers write.
	DefaultedFrom json.RawMessage `json:"defaultedFrom,omitempty"`
	To            json.RawMessage `json:"to,omitempty"`
}

// creation is an object as a server returns it in the object's own version.
type creation struct {
	ID       string          `json:"id,omitempty"`
	Release  string          `json:"release"`
	Code     int             `json:"code"`
	Message  string          `json:"message,omitempty"`
	Causes   []oracle.Cause  `json:"causes,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Object   json.RawMessage `json:"object,omitempty"`
}

// query names the field manager. The request is not a dry run, because only a stored
// object can be read in another version.
const query = "fieldManager=oracle"

// convert creates an object and reads it in both versions. ok is false if the server does
// not serve both versions.
func convert(ctx context.Context, at *client.Server, q question) (c conversion, ok bool, err error) {
	c = conversion{ID: q.ID, Release: at.Name, From: q.Obj, ToVersion: q.To}
	var from oracle.Head
	if err := json.Unmarshal(q.Obj, &from); err != nil {
		return c, false, err
	}
	to := from
	if to.APIVersion = q.To; q.Kind != "" {
		to.Kind = q.Kind
	}
	if to.APIVersion == "" {
		api, known := lifecycle.LookupGV(from.APIVersion, from.Kind)
		next, has := api.Successor()
		if !known || !has {
			return c, false, nil
		}
		to.APIVersion, to.Kind = next.GroupVersion(), next.Kind()
	}
	c.ToVersion = to.APIVersion
	for _, head := range []oracle.Head{from, to} {
		_, served, err := at.Namespaced(ctx, head.APIVersion, head.Kind)
		if err != nil || !served {
			return c, false, err
		}
	}
	made, err := prepare(ctx, at, q.Setup, from.Metadata.Namespace)
	if err != nil {
		return c, false, err
	}
	defer func() {
		if failed := at.Remove(ctx, made); err == nil {
			err = failed
		}
	}()
	answer, body, err := at.Create(ctx, q.Obj, query)
	if err != nil {
		return c, false, err
	}
	c.Code, c.Message, c.Causes, c.Warnings = answer.Code, answer.Message, answer.Causes, answer.Texts()
	if answer.Code != http.StatusCreated {
		return c, true, nil
	}
	var named oracle.Head
	if err := json.Unmarshal(body, &named); err != nil {
		return c, false, err
	}
	to.Metadata, from.Metadata = named.Metadata, named.Metadata
	if path := answer.Path; strings.HasSuffix(path, "/"+named.Metadata.Name) {
		made = append(made, path)
	}
	for _, read := range []struct {
		head oracle.Head
		into *json.RawMessage
	}{{from, &c.DefaultedFrom}, {to, &c.To}} {
		body, err := at.Get(ctx, read.head)
		if err != nil {
			return c, false, err
		}
		if body == nil {
			continue // the server does not store this object
		}
		if *read.into, err = withoutServerFields(body, q.Obj); err != nil {
			return c, false, err
		}
	}
	return c, true, nil
}

// create creates an object and returns it as the server stores it. If dry is true, it
// returns the object in the server's response to a dry run.
func create(ctx context.Context, at *client.Server, line json.RawMessage, dry bool) (c creation, err error) {
	obj := line
	var named struct {
		ID  string          `json:"id"`
		Obj json.RawMessage `json:"obj"`
	}
	if err := json.Unmarshal(line, &named); err == nil && named.Obj != nil {
		obj = named.Obj
	}
	c = creation{ID: named.ID, Release: at.Name}
	var head oracle.Head
	if err := json.Unmarshal(obj, &head); err != nil {
		return c, err
	}
	made, err := prepare(ctx, at, nil, head.Metadata.Namespace)
	if err != nil {
		return c, err
	}
	defer func() {
		if failed := at.Remove(ctx, made); err == nil {
			err = failed
		}
	}()
	with := query
	if dry {
		with += "&dryRun=All&fieldValidation=Warn"
	}
	answer, body, err := at.Create(ctx, obj, with)
	if err != nil {
		return c, err
	}
	c.Code, c.Message, c.Causes, c.Warnings = answer.Code, answer.Message, answer.Causes, answer.Texts()
	if answer.Code != http.StatusCreated {
		return c, nil
	}
	if !dry && strings.HasSuffix(answer.Path, "/"+head.Metadata.Name) {
		made = append(made, answer.Path)
		stored, err := at.Get(ctx, head)
		if err != nil {
			return c, err
		}
		if stored != nil {
			body = stored
		}
	}
	c.Object, err = withoutServerFields(body, obj)
	return c, err
}

// prepare creates the namespace of an object and the objects that it needs.
func prepare(ctx context.Context, at *client.Server, setup []json.RawMessage, namespace string) (made []string, err error) {
	all := setup
	if namespace != "" && namespace != "default" {
		obj, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace}})
		if err != nil {
			return nil, err
		}
		all = append([]json.RawMessage{obj}, setup...)
	}
	for _, obj := range all {
		path, _, err := at.Make(ctx, obj)
		if err != nil {
			return made, err
		}
		if path != "" {
			made = append(made, path)
		}
	}
	return made, nil
}

// withoutServerFields returns body without the fields that only servers write: the
// status, the user in a CertificateSigningRequest, and metadata such as uid. If sent has
// no namespace, the namespace is removed, too.
func withoutServerFields(body, sent []byte) (json.RawMessage, error) {
	var obj map[string]any
	if err := json.Unmarshal(body, &obj); err != nil {
		return nil, err
	}
	var was oracle.Head
	if err := json.Unmarshal(sent, &was); err != nil {
		return nil, err
	}
	delete(obj, "status")
	if metadata, ok := obj["metadata"].(map[string]any); ok {
		for _, field := range []string{"uid", "creationTimestamp", "resourceVersion", "generation", "managedFields", "selfLink"} {
			delete(metadata, field)
		}
		if was.Metadata.Namespace == "" {
			delete(metadata, "namespace")
		}
	}
	if spec, ok := obj["spec"].(map[string]any); ok && obj["kind"] == "CertificateSigningRequest" {
		for _, field := range []string{"username", "uid", "groups", "extra"} {
			delete(spec, field)
		}
	}
	return json.Marshal(obj)
}
