package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/scene"
)

// stage is a server that plays scenes.
type stage struct {
	*client.Server
	// mutates is the version of MutatingAdmissionPolicy that the server applies, or "".
	mutates string
	// check returns the type errors in a stored ValidatingAdmissionPolicy.
	check func(policy []byte) ([]scene.ExpressionWarning, error)

	scenes int
}

const realQuery = "fieldManager=oracle"

// record creates the objects of a scene, sends the requests, and removes the
// objects.
func (at *stage) record(ctx context.Context, s *scene.Scene) (answers scene.Answers, err error) {
	answers.Scene = s.ID
	at.scenes++
	var made, policies []string
	defer func() {
		// Remove policies first, because they can refuse the deletion of other objects.
		err = errors.Join(err, at.Remove(ctx, policies))
		if len(policies) > 0 {
			err = errors.Join(err, at.canary(ctx, false))
		}
		err = errors.Join(err, at.Remove(ctx, made))
	}()

	for _, obj := range s.Before {
		if _, err := at.make(ctx, obj, &made); err != nil {
			return answers, err
		}
	}
	answers.Context = make([]scene.Answer, len(s.Context))
	var later []int
	for i, obj := range s.Context {
		if createdLate(s, obj) {
			later = append(later, i)
		} else if answers.Context[i], err = at.make(ctx, obj, &made); err != nil {
			return answers, err
		}
	}
	if err := at.makeOld(ctx, s, &made); err != nil {
		return answers, err
	}
	for _, i := range later {
		obj := s.Context[i]
		if replaces(s, obj) {
			if answers.Context[i], err = at.replace(ctx, obj); err != nil {
				return answers, err
			}
		} else if answers.Context[i], err = at.make(ctx, obj, &policies); err != nil {
			return answers, err
		}
	}
	if len(policies) > 0 {
		for _, obj := range append(at.customParams(s.Context), at.canaries()...) {
			if a, err := at.make(ctx, obj, &policies); err != nil || a.Code != http.StatusCreated {
				return answers, fmt.Errorf("the canary: %d %s %w", a.Code, a.Message, err)
			}
		}
		if err := at.canary(ctx, true); err != nil {
			return answers, err
		}
	}
	if err := at.checkTypes(ctx, s, answers.Context); err != nil {
		return answers, err
	}
	answers.Requests, err = at.ask(ctx, s, answers.Context)
	return answers, err
}

// createdLate reports whether an object must be created after the old objects of requests.
func createdLate(s *scene.Scene, obj json.RawMessage) bool {
	return isAdmission(obj) || replaces(s, obj)
}

func isAdmission(obj json.RawMessage) bool {
	return strings.HasPrefix(head(obj).APIVersion, admission)
}

func replaces(s *scene.Scene, obj json.RawMessage) bool {
	return slices.ContainsFunc(s.Before, func(other json.RawMessage) bool { return head(other) == head(obj) })
}

func head(obj json.RawMessage) (h oracle.Head) {
	_ = json.Unmarshal(obj, &h)
	return h
}

// make creates an object, not as a dry run. On success, it adds the object's path to
// made.
func (at *stage) make(ctx context.Context, obj json.RawMessage, made *[]string) (scene.Answer, error) {
	h := head(obj)
	a, _, err := at.Create(ctx, obj, realQuery)
	for try := 0; err == nil && notServed(&a) && try < servedTries; try++ {
		time.Sleep(200 * time.Millisecond)
		a, _, err = at.Create(ctx, obj, realQuery)
	}
	if err != nil {
		return scene.Answer{}, err
	}
	if a.Code == http.StatusConflict {
		return scene.Answer{}, fmt.Errorf("%s %s is there already", h.Kind, h.Metadata.Name)
	}
	answer := converted(h.Kind+"/"+h.Metadata.Name, &a)
	if a.Code == http.StatusCreated {
		*made = append(*made, a.Path)
		return answer, at.Settle(ctx, h, a.Path)
	}
	return answer, nil
}

// servedTries is the number of attempts to use a resource after its definition was
// replaced.
const servedTries = 25

func notServed(a *oracle.Answer) bool {
	return a.Code == http.StatusNotFound && a.Message == "404 page not found"
}

// replace updates an object. The server does not say when a replaced definition takes
// effect.
func (at *stage) replace(ctx context.Context, obj json.RawMessage) (scene.Answer, error) {
	h, query := head(obj), realQuery
	a, _, err := at.Answer(ctx, &oracle.Case{Op: "update", Obj: obj, Query: &query})
	if err != nil {
		return scene.Answer{}, err
	}
	time.Sleep(2 * time.Second)
	return converted(h.Kind+"/"+h.Metadata.Name, &a), nil
}

// makeOld creates the old objects of requests. Several requests can have the same old
// object.
func (at *stage) makeOld(ctx context.Context, s *scene.Scene, made *[]string) error {
	seen := map[oracle.Head]string{}
	for _, r := range s.Requests {
		if r.Old == nil {
			continue
		}
		h := head(r.Old)
		if other, ok := seen[h]; ok {
			if other != string(r.Old) {
				return fmt.Errorf("request %s: %s %s is another one in another request", r.ID, h.Kind, h.Metadata.Name)
			}
			continue
		}
		seen[h] = string(r.Old)
		a, err := at.make(ctx, r.Old, made)
		if err != nil {
			return fmt.Errorf("request %s: %w", r.ID, err)
		}
		if a.Code != http.StatusCreated {
			return fmt.Errorf("request %s: its old object: %d %s", r.ID, a.Code, a.Message)
		}
	}
	return nil
}

// checkTypes adds the type errors to the answers for policies.
func (at *stage) checkTypes(ctx context.Context, s *scene.Scene, answers []scene.Answer) error {
	for i, obj := range s.Context {
		h := head(obj)
		if h.Kind != "ValidatingAdmissionPolicy" || answers[i].Code != http.StatusCreated || at.check == nil {
			continue
		}
		h.APIVersion = admission + "v1"
		stored, err := at.Get(ctx, h)
		if err != nil {
			return err
		}
		if answers[i].TypeChecking, err = at.check(stored); err != nil {
			return fmt.Errorf("checking types of %s: %w", h.Metadata.Name, err)
		}
	}
	return nil
}

// ask sends the requests of a scene several times. It returns an error if an answer
// changes, because that answer cannot be compared.
func (at *stage) ask(ctx context.Context, s *scene.Scene, made []scene.Answer) ([]scene.Answer, error) {
	served := !slices.ContainsFunc(made, func(a scene.Answer) bool { return a.Code >= http.StatusBadRequest })
	var rounds [4][]scene.Answer
	for i := range rounds {
		for _, r := range s.Requests {
			a, err := at.request(ctx, &r, served)
			if err != nil {
				return nil, fmt.Errorf("request %s: %w", r.ID, err)
			}
			rounds[i] = append(rounds[i], a)
		}
	}
	var err error
	for i, first := range rounds[0] {
		for _, round := range rounds[1:] {
			if !reflect.DeepEqual(first, round[i]) {
				err = errors.Join(err, fmt.Errorf("request %s: not the same twice: %+v and %+v", first.ID, first, round[i]))
				break
			}
		}
	}
	return rounds[0], err
}

// request sends a request. If served is true, the server will soon serve the kind of the
// request's object, so the request is repeated until then. served is false if the server
// refused an object of the context.
func (at *stage) request(ctx context.Context, r *scene.Request, served bool) (scene.Answer, error) {
	query := oracle.DefaultQuery
	if r.Op == scene.Apply {
		query += "&force=true"
	}
	c := &oracle.Case{ID: r.ID, Op: string(r.Op), Obj: r.Obj, Query: &query, As: r.User, Groups: r.Groups}
	deadline := time.Now().Add(90 * time.Second)
	for try := 0; ; try++ {
		a, body, err := at.Answer(ctx, c)
		if err != nil {
			return scene.Answer{}, err
		}
		// A server learns the types of new custom resources with a delay.
		if a.Code == http.StatusServiceUnavailable && time.Now().Before(deadline) {
			time.Sleep(time.Second)
			continue
		}
		if served && notServed(&a) && try < servedTries {
			time.Sleep(200 * time.Millisecond)
			continue
		}
		answer := converted(r.ID, &a)
		body = withoutRandomName(r.Obj, &answer, body)
		if a.Code < http.StatusBadRequest {
			if answer.Object, err = normalized(body); err != nil {
				return answer, err
			}
		}
		if r.Unordered {
			slices.Sort(answer.Warnings)
		}
		return answer, nil
	}
}

// withoutRandomName replaces the random part of a generated name in an answer.
func withoutRandomName(obj json.RawMessage, a *scene.Answer, body []byte) []byte {
	var generated struct {
		Metadata struct{ Name, GenerateName string }
	}
	if json.Unmarshal(obj, &generated) != nil || generated.Metadata.Name != "" || generated.Metadata.GenerateName == "" {
		return body
	}
	prefix := generated.Metadata.GenerateName
	random := regexp.MustCompile(`\b` + regexp.QuoteMeta(prefix) + `[a-z0-9]{5}\b`)
	a.Message = random.ReplaceAllString(a.Message, prefix+"XXXXX")
	for i := range a.Causes {
		a.Causes[i].Message = random.ReplaceAllString(a.Causes[i].Message, prefix+"XXXXX")
	}
	for i := range a.Warnings {
		a.Warnings[i] = random.ReplaceAllString(a.Warnings[i], prefix+"XXXXX")
	}
	return random.ReplaceAll(body, []byte(prefix+"XXXXX"))
}

func converted(id string, a *oracle.Answer) scene.Answer {
	answer := scene.Answer{ID: id, Code: a.Code, Reason: a.Reason, Message: withoutPointers(a.Message), Warnings: a.Warnings}
	if len(answer.Warnings) == 0 {
		answer.Warnings = nil
	}
	for _, cause := range a.Causes {
		cause.Message = withoutPointers(cause.Message)
		answer.Causes = append(answer.Causes, scene.Cause(cause))
	}
	return answer
}

// pointer matches an address that a server prints instead of a value.
var pointer = regexp.MustCompile(`\(0x[0-9a-f]{6,}\)`)

func withoutPointers(text string) string { return pointer.ReplaceAllString(text, "(0xPOINTER)") }

// accountVolume matches the random part of the name of a volume.
var accountVolume = regexp.MustCompile(`"kube-api-access-[a-z0-9]{5}"`)

// normalized replaces the parts of a body that differ in each run.
func normalized(body []byte) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var obj map[string]any
	if err := decoder.Decode(&obj); err != nil {
		return nil, fmt.Errorf("reading the object: %w", err)
	}
	metadata, ok := obj["metadata"].(map[string]any)
	uid := ""
	if ok {
		delete(metadata, "managedFields")
		uid, _ = metadata["uid"].(string)
		for name, value := range map[string]string{
			"uid": "UID", "creationTimestamp": "TIME", "deletionTimestamp": "TIME", "resourceVersion": "VERSION",
		} {
			if _, ok := metadata[name].(string); ok {
				metadata[name] = value
			}
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(obj); err != nil {
		return nil, err
	}
	data := bytes.TrimSpace(text.Bytes())
	if uid != "" {
		// Jobs also have their UID in labels.
		data = bytes.ReplaceAll(data, []byte(`"`+uid+`"`), []byte(`"UID"`))
	}
	return accountVolume.ReplaceAll(data, []byte(`"kube-api-access-XXXXX"`)), nil
}
