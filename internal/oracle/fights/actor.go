package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
)

// actor is a program or a person who sends requests in a scene.
type actor struct {
	play *play
	// user is the actor's user name on the server. agent is the User-Agent
	// header. manager is the field manager; "" for none.
	user, agent, manager string
	token                string
	// as is the user that the actor impersonates; "" for none.
	as string
	// fast and slow are the shortest and the longest time in which the actor
	// reacts to other writes.
	fast, slow time.Duration
	// http sends requests as the actor.
	http *http.Client
	// keepsHeaders is set if the proxy does not change the User-Agent header of
	// requests, nor their credentials.
	keepsHeaders bool
	// proxy is the address of the actor's proxy; "" before it is started.
	proxy string
}

// reacts sets the time in which the actor reacts to other writes.
func (a *actor) reacts(fast, slow time.Duration) *actor {
	a.fast, a.slow = fast, slow
	return a
}

// RoundTrip sends a request with the actor's identity. It sets an audit ID, by
// which the request's event is found in the log.
func (a *actor) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	id := uuid.NewString()
	if !a.keepsHeaders || r.Header.Get("Authorization") == "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	if a.as != "" {
		r.Header.Set("Impersonate-User", a.as)
		r.Header.Set("Impersonate-Group", "everything")
	}
	if !a.keepsHeaders {
		r.Header.Set("User-Agent", a.agent)
	}
	r.Header.Set("Audit-Id", id)
	r.Header.Del("X-Forwarded-For")
	at := a.play.clock.stamp(a)
	began := time.Now()
	if r.URL.Query().Get("watch") == "" {
		a.play.lastRequest.Store(began.UnixNano())
	}
	a.play.stage.remember(id, stamp{play: a.play, actor: a, at: at, wall: began})
	response, err := a.play.stage.transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if r.URL.Query().Get("watch") == "" {
		a.play.clock.answered(at, time.Since(began))
	}
	return response, nil
}

// answer is the server's response.
type answer struct {
	code int
	body []byte
}

// object returns the object in a response.
func (r answer) object() object {
	var o object
	_ = json.Unmarshal(r.body, &o)
	return o
}

// must returns the response. If the request failed, the scene fails.
func (a *actor) must(r answer) answer {
	if r.code >= 300 {
		a.play.fail("%s: status %d: %s", a.user, r.code, r.body)
	}
	return r
}

// These are the content types of patches.
const (
	applyPatch     = "application/apply-patch+yaml"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	jsonPatch      = "application/json-patch+json"
)

// send sends a request. query has names and values of additional parameters.
func (a *actor) send(method, path, contentType string, body any, query ...string) answer {
	values := url.Values{}
	if a.manager != "" && method != http.MethodGet && method != http.MethodDelete {
		values.Set("fieldManager", a.manager)
	}
	for i := 0; i+1 < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	if len(values) > 0 {
		path += "?" + values.Encode()
	}
	var data []byte
	switch b := body.(type) {
	case nil:
	case string:
		data = []byte(b)
	default:
		var err error
		if data, err = json.Marshal(b); err != nil {
			a.play.fail("%v", err)
		}
	}
	ctx, cancel := context.WithTimeout(a.play.ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, a.play.stage.url+path, bytes.NewReader(data))
	if err != nil {
		a.play.fail("%v", err)
	}
	if contentType == "" {
		contentType = "application/json"
	}
	if data != nil {
		r.Header.Set("Content-Type", contentType)
	}
	response, err := a.http.Do(r)
	if err != nil {
		a.play.fail("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		a.play.fail("%s %s: %v", method, path, err)
	}
	return answer{response.StatusCode, read}
}

func (a *actor) get(t *thing) object {
	return a.must(a.send(http.MethodGet, t.path(), "", nil)).object()
}

func (a *actor) list(t *thing) answer {
	return a.must(a.send(http.MethodGet, t.collection(), "", nil))
}

func (a *actor) create(t *thing) answer {
	return a.must(a.send(http.MethodPost, t.collection(), "", t.object))
}

// apply sends a forced server-side apply, like GitOps tools and operators.
func (a *actor) apply(t *thing, o object) answer {
	return a.must(a.send(http.MethodPatch, t.path(), applyPatch, o, "force", "true"))
}

func (a *actor) merge(t *thing, patch string) answer {
	return a.must(a.send(http.MethodPatch, t.path(), mergePatch, patch))
}

func (a *actor) mergeStatus(t *thing, patch string) answer {
	return a.must(a.send(http.MethodPatch, t.path()+"/status", mergePatch, patch))
}

func (a *actor) strategic(t *thing, patch string) answer {
	return a.must(a.send(http.MethodPatch, t.path(), strategicPatch, patch))
}

func (a *actor) strategicStatus(t *thing, patch string) answer {
	return a.must(a.send(http.MethodPatch, t.path()+"/status", strategicPatch, patch))
}

func (a *actor) json(t *thing, patch string) answer {
	return a.must(a.send(http.MethodPatch, t.path(), jsonPatch, patch))
}

// update reads an object, changes it and replaces the whole object.
func (a *actor) update(t *thing, change func(o object)) answer {
	for {
		o := a.get(t)
		change(o)
		r := a.send(http.MethodPut, t.path(), "", o)
		if r.code != http.StatusConflict {
			return a.must(r)
		}
	}
}

// updateStatus reads an object, changes it and replaces its status.
func (a *actor) updateStatus(t *thing, change func(o object)) answer {
	for {
		o := a.get(t)
		change(o)
		r := a.send(http.MethodPut, t.path()+"/status", "", o)
		if r.code != http.StatusConflict {
			return a.must(r)
		}
	}
}

// replace replaces the stored object like kubectl replace, which reads only the
// resource version.
func (a *actor) replace(t *thing, o object) answer {
	return a.put(t, o.with(a.get(t).text("metadata", "resourceVersion"), "metadata", "resourceVersion"))
}

// put replaces an object without reading it.
func (a *actor) put(t *thing, o object) answer {
	return a.must(a.send(http.MethodPut, t.path(), "", o))
}

func (a *actor) delete(t *thing) answer {
	return a.must(a.send(http.MethodDelete, t.path(), "", `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"}`))
}

// scale reads and writes the scale subresource, like autoscalers.
func (a *actor) scale(t *thing, replicas int) answer {
	for {
		scale := a.must(a.send(http.MethodGet, t.path()+"/scale", "", nil)).object()
		scale.set(float64(replicas), "spec", "replicas")
		r := a.send(http.MethodPut, t.path()+"/scale", "", scale)
		if r.code != http.StatusConflict {
			return a.must(r)
		}
	}
}

// effectiveUser returns the user with whose permissions the actor sends
// requests: the impersonated user, or the actor's own user.
func (a *actor) effectiveUser() string {
	if a.as != "" {
		return a.as
	}
	return a.user
}

// name returns the program's name in the User-Agent header.
func (a *actor) name() string {
	name, _, _ := strings.Cut(a.agent, "/")
	return name
}

func (a *actor) String() string { return fmt.Sprintf("%s (%s)", a.user, a.name()) }
