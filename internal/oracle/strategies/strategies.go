// Package strategies answers requests with the code of the newest Kubernetes
// release, without a server. It runs strict decoding and defaulting, the
// strategy of the kind, and the recorder of Warning headers.
//
// Parts that need a server are missing: admission, webhooks, values that a
// registry allocates, and the list of served APIs.
package strategies

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kube-aggregator/pkg/registry/apiservice"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/capabilities"

	"github.com/kubevet/kubevet/internal/oracle"
)

// Minor is the minor of the release whose code is used, the release in go.mod.
const Minor = 37

// Oracle answers requests.
type Oracle struct{ schemes []kinds }

// kinds has the kinds of one scheme: built-in kinds, CustomResourceDefinition, or
// APIService.
type kinds struct {
	scheme     *runtime.Scheme
	codecs     serializer.CodecFactory
	strategies map[schema.GroupKind]createUpdateStrategy
}

// New returns an Oracle for a server that allows privileged containers, as all
// installers configure it.
func New() *Oracle {
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
	crds, services := runtime.NewScheme(), runtime.NewScheme()
	apiextensions.Install(crds)
	apiregistration.Install(services)
	return &Oracle{[]kinds{
		{legacyscheme.Scheme, legacyscheme.Codecs, builtIn()},
		{crds, serializer.NewCodecFactory(crds), map[schema.GroupKind]createUpdateStrategy{
			{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: customresourcedefinition.NewStrategy(crds),
		}},
		{services, serializer.NewCodecFactory(services), map[schema.GroupKind]createUpdateStrategy{
			{Group: "apiregistration.k8s.io", Kind: "APIService"}: apiservice.NewStrategy(services),
		}},
	}}
}

// Answer returns the answer to a case that creates, updates or merges an
// object. For an update, Setup must have one object with the same identity. ok
// is false if only a server could answer.
func (o *Oracle) Answer(c *oracle.Case) (a oracle.Answer, ok bool) {
	a = oracle.Answer{File: c.File, ID: c.ID, Op: c.Op}
	head, err := c.Head()
	old := c.Old()
	switch {
	case err != nil, c.Path != "", c.Method != "", c.ContentType != "", c.User != "", c.Header != nil:
		return a, false
	case (c.Op == "" || c.Op == "create") && old == nil:
	case (c.Op == "update" || c.Op == "merge") && old != nil:
	default:
		return a, false
	}
	gvk := schema.FromAPIVersionAndKind(head.APIVersion, head.Kind)
	of, strategy := o.find(gvk)
	if strategy == nil || of.removed(gvk) {
		return a, false
	}
	q := question{
		kinds: of, strategy: strategy, gvk: gvk, name: head.Metadata.Name,
		body: c.Body(), old: old, merge: c.Op == "merge",
		validation: c.Parameter("fieldValidation"),
	}
	if strategy.NamespaceScoped() {
		if q.namespace = head.Metadata.Namespace; q.namespace == "" {
			q.namespace = metav1.NamespaceDefault
		}
	}
	recorded := httptest.NewRecorder()
	filters.WithWarningRecorder(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		a.Code = http.StatusCreated
		if old != nil {
			a.Code = http.StatusOK
		}
		if err := q.answer(r.Context()); err != nil {
			refuse(&a, err)
		}
	})).ServeHTTP(recorded, httptest.NewRequest(http.MethodPost, "/", nil))
	a.Warnings = recorded.Header()["Warning"]
	return a, true
}

func refuse(a *oracle.Answer, err error) {
	refusal, ok := err.(apierrors.APIStatus)
	if !ok {
		a.Code, a.Message = http.StatusInternalServerError, err.Error()
		return
	}
	status := refusal.Status()
	a.Code, a.Reason, a.Message = int(status.Code), string(status.Reason), status.Message
	if status.Details == nil {
		return
	}
	for _, cause := range status.Details.Causes {
		a.Causes = append(a.Causes, oracle.Cause{Reason: string(cause.Type), Message: cause.Message, Field: cause.Field})
	}
}

// Serves reports whether the release has a kind in a version.
func (o *Oracle) Serves(apiVersion, kind string) bool {
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	of, strategy := o.find(gvk)
	return strategy != nil && !of.removed(gvk)
}

// find returns the strategy of a kind, or nil.
func (o *Oracle) find(gvk schema.GroupVersionKind) (kinds, createUpdateStrategy) {
	for _, k := range o.schemes {
		if !k.scheme.Recognizes(gvk) {
			continue
		}
		obj, err := k.scheme.New(gvk)
		if err != nil {
			continue
		}
		internal, err := k.scheme.UnsafeConvertToVersion(obj, runtime.InternalGroupVersioner)
		if err != nil {
			continue
		}
		all, _, err := k.scheme.ObjectKinds(internal)
		if err != nil {
			continue
		}
		for _, one := range all {
			if s, ok := k.strategies[one.GroupKind()]; ok {
				return k, s
			}
		}
	}
	return kinds{}, nil
}

// removed reports whether a server of this release no longer serves a version.
func (k kinds) removed(gvk schema.GroupVersionKind) bool {
	obj, err := k.scheme.New(gvk)
	if err != nil {
		return true
	}
	limited, ok := obj.(interface{ APILifecycleRemoved() (major, minor int) })
	if !ok {
		return false
	}
	major, minor := limited.APILifecycleRemoved()
	return major == 1 && minor <= Minor
}

type question struct {
	kinds
	strategy        createUpdateStrategy
	gvk             schema.GroupVersionKind
	namespace, name string
	body, old       []byte
	merge           bool
	validation      string
}

// answer does the same as the server's handlers for create and update
// (endpoints/handlers), followed by the registry
// (registry/generic/registry/store.go).
func (q *question) answer(ctx context.Context) error {
	verb := "create"
	if q.old != nil {
		verb = "update"
	}
	resource, _ := meta.UnsafeGuessKindToResource(q.gvk)
	ctx = request.WithNamespace(ctx, q.namespace)
	ctx = request.WithUser(ctx, &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}})
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true, Verb: verb, Namespace: q.namespace, Name: q.name,
		APIGroup: q.gvk.Group, APIVersion: q.gvk.Version, Resource: resource.Resource,
	})

	versioned, err := q.scheme.New(q.gvk)
	if err != nil {
		return err
	}
	versioned.GetObjectKind().SetGroupVersionKind(q.gvk)
	if deprecation.IsDeprecated(versioned, 1, Minor) {
		warning.AddWarning(ctx, "", deprecation.WarningMessage(versioned))
	}

	var old runtime.Object
	if q.old != nil {
		if old, err = q.stored(ctx); err != nil {
			return err
		}
		if q.merge {
			if err := q.mergeInto(old); err != nil {
				return err
			}
		}
	}

	obj, strictErrors, err := q.decode(q.body)
	if err != nil {
		return q.undecodable(err)
	}
	if len(strictErrors) > 0 && q.validation == metav1.FieldValidationStrict {
		return q.undecodable(runtime.NewStrictDecodingError(strictErrors))
	}
	if q.validation != metav1.FieldValidationIgnore {
		for _, err := range strictErrors {
			warning.AddWarning(ctx, "", err.Error())
		}
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	dedupOwners(ctx, m, q.merge)
	m.SetManagedFields(nil)
	if old == nil {
		return q.create(ctx, obj, m)
	}
	return q.update(ctx, obj, old, m)
}

// decode decodes a body. The slice has the errors about unknown and repeated fields. The
// last result is not nil if the body cannot be decoded.
func (q *question) decode(body []byte) (runtime.Object, []error, error) {
	info, _ := runtime.SerializerInfoForMediaType(q.codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	decoder := q.codecs.DecoderToVersion(info.StrictSerializer, runtime.InternalGroupVersioner)
	obj, _, err := decoder.Decode(body, &q.gvk, nil)
	if strict, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		return obj, strict.Errors(), nil
	}
	return obj, nil, err
}

// undecodable re-states transformDecodeError in endpoints/handlers/response.go.
func (q *question) undecodable(err error) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", q.gvk.Kind, q.gvk.Version, q.gvk.Kind, err))
}

// stored returns the stored object before an update. If this release refuses the object,
// an older release has stored it.
func (q *question) stored(ctx context.Context) (runtime.Object, error) {
	old, _, err := q.decode(q.old)
	if err != nil {
		return nil, err
	}
	m, err := meta.Accessor(old)
	if err != nil {
		return nil, err
	}
	_ = q.create(warning.WithWarningRecorder(ctx, dropWarnings{}), old, m)
	if s, ok := old.(*core.Service); ok {
		allocate(s)
	}
	m.SetResourceVersion("5")
	return old, nil
}

// mergeInto applies the body to the stored object as a JSON merge patch. The
// result becomes the body.
func (q *question) mergeInto(old runtime.Object) error {
	info, _ := runtime.SerializerInfoForMediaType(q.codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	current, err := runtime.Encode(q.codecs.EncoderForVersion(info.Serializer, q.gvk.GroupVersion()), old)
	if err != nil {
		return err
	}
	var stored, patch any
	if err := json.Unmarshal(current, &stored); err != nil {
		return err
	}
	if err := json.Unmarshal(q.body, &patch); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	q.body, err = json.Marshal(merged(stored, patch))
	return err
}

func merged(stored, patch any) any {
	fields, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	into, ok := stored.(map[string]any)
	if !ok {
		into = map[string]any{}
	}
	for name, value := range fields {
		if value == nil {
			delete(into, name)
			continue
		}
		into[name] = merged(into[name], value)
	}
	return into
}

func (q *question) create(ctx context.Context, obj runtime.Object, m metav1.Object) error {
	rest.FillObjectMetaSystemFields(m)
	if m.GetGenerateName() != "" && m.GetName() == "" {
		m.SetName(q.strategy.GenerateName(m.GetGenerateName()))
	}
	if m.GetNamespace() == "" {
		m.SetNamespace(q.namespace)
	}
	if p, ok := obj.(*core.Pod); ok && p.Spec.ServiceAccountName == "" {
		// A server with admission would set the service account.
		//lint:ignore SA1019 the API server fills in the deprecated field, too
		p.Spec.ServiceAccountName, p.Spec.DeprecatedServiceAccount = "default", "default"
	}
	if s, ok := obj.(*core.Service); ok && s.Spec.ClusterIP != "" && len(s.Spec.ClusterIPs) == 0 {
		s.Spec.ClusterIPs = []string{s.Spec.ClusterIP}
	}
	return rest.BeforeCreate(q.strategy, ctx, obj)
}

func (q *question) update(ctx context.Context, obj, old runtime.Object, m metav1.Object) error {
	was, err := meta.Accessor(old)
	if err != nil {
		return err
	}
	if m.GetResourceVersion() == "" {
		m.SetResourceVersion(was.GetResourceVersion())
	}
	if m.GetNamespace() == "" {
		m.SetNamespace(q.namespace)
	}
	if s, ok := obj.(*core.Service); ok {
		keepAllocated(s, old.(*core.Service))
	}
	return rest.BeforeUpdate(q.strategy, ctx, obj, old)
}

// dedupOwners re-states dedupOwnerReferencesAndAddWarning in endpoints/handlers/rest.go.
// For a patch (patched), the server calls that function later than for other requests,
// and with another warning.
func dedupOwners(ctx context.Context, m metav1.Object, patched bool) {
	refs := m.GetOwnerReferences()
	var kept []metav1.OwnerReference
	var twice []string
	for _, ref := range refs {
		if !slices.ContainsFunc(kept, func(k metav1.OwnerReference) bool { return equality.Semantic.DeepEqual(k, ref) }) {
			kept = append(kept, ref)
		} else {
			twice = append(twice, string(ref.UID))
		}
	}
	if len(kept) == len(refs) {
		return
	}
	m.SetOwnerReferences(kept)
	format := handlers.DuplicateOwnerReferencesWarningFormat
	if patched {
		format = handlers.DuplicateOwnerReferencesAfterMutatingAdmissionWarningFormat
	}
	warning.AddWarning(ctx, "", fmt.Sprintf(format, strings.Join(twice, ", ")))
}

// dropWarnings is a recorder that drops all warnings.
type dropWarnings struct{}

func (dropWarnings) AddWarning(string, string) {}
