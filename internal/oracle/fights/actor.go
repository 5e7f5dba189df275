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

// actor is a program, or a human with one, that sends requests in a scene.
type actor struct {
	play *play
	// user is the name that the server knows the actor by, agent its User-Agent
	// header, manager its field manager; "" if it names none.
	user, agent, manager string
	token                string
	// as is a user that the actor impersonates; "" for none.
	as string
	// fast and slow bound the time after which it answers a write of others.
	fast, slow time.Duration
	// http sends requests as the actor.
	http *http.Client
	// own is set if requests that come through the proxy keep their User-Agent header
	// and their credentials.
	own bool
	// proxy is the address of the actor's proxy; "" if it has none yet.
	proxy string
}

// reacts sets the time in which an actor answers writes of others.
func (a *actor) reacts(fast, slow time.Duration) *actor {
	a.fast, a.slow = fast, slow
	return a
}

// RoundTrip sends a request with the actor's identity, and an audit ID by which the
// event of the request is found in the log.
func (a *actor) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	id := uuid.NewString()
	if !a.own || r.Header.Get("Authorization") == "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	if a.as != "" {
		r.Header.Set("Impersonate-User", a.as)
		r.Header.Set("Impersonate-Group", "everything")
	}
	if !a.own {
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

// answer is what the server answered.
type answer struct {
	code int
	body []byte
}

// object returns the object of an answer.
func (r answer) object() object {
	var o object
	_ = json.Unmarshal(r.body, &o)
	return o
}

// must fails the scene unless the request succeeded.
func (a *actor) must(r answer) answer {
	if r.code >= 300 {
		a.play.fail("%s: status %d: %s", a.user, r.code, r.body)
	}
	return r
}

// Content types of patches.
const (
	applyPatch     = "application/apply-patch+yaml"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	jsonPatch      = "application/json-patch+json"
)

// send sends a request. query pairs are added to the actor's field manager.
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

// apply applies with force, as GitOps tools and operators do.
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

// update reads an object, changes it and puts it back as a whole.
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

// updateStatus does so with the status.
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

// replace replaces the stored object like kubectl replace: it reads only the version.
func (a *actor) replace(t *thing, o object) answer {
	return a.put(t, o.with(a.get(t).text("metadata", "resourceVersion"), "metadata", "resourceVersion"))
}

// put puts an object without having read anything.
func (a *actor) put(t *thing, o object) answer {
	return a.must(a.send(http.MethodPut, t.path(), "", o))
}

func (a *actor) delete(t *thing) answer {
	return a.must(a.send(http.MethodDelete, t.path(), "", `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"}`))
}

// scale writes the scale subresource as autoscalers do: it reads it before.
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

// known is the user that the actor's requests count for.
func (a *actor) known() string {
	if a.as != "" {
		return a.as
	}
	return a.user
}

// name is the program's name in the User-Agent header.
func (a *actor) name() string {
	name, _, _ := strings.Cut(a.agent, "/")
	return name
}

func (a *actor) String() string { return fmt.Sprintf("%s (%s)", a.user, a.name()) }
