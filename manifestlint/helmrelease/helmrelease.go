// Package helmrelease decodes the releases that Helm stores in a cluster, in a
// Secret of type helm.sh/release.v1 or in a ConfigMap. Helm 3 and Helm 4 use
// one format: a JSON document that is compressed with gzip and encoded in
// base64 (helm.sh/helm/v4 v4.3.1 and v3, pkg/storage/driver/util.go,
// encodeRelease; pkg/release/v1).
package helmrelease

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// SecretType is the type of a Secret that contains a release.
const SecretType = "helm.sh/release.v1"

// Release is one revision of a release. It has only the fields that are needed
// to find the objects that Helm sent to the cluster.
type Release struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	// Revision counts from 1.
	Revision int  `json:"version"`
	Info     Info `json:"info"`
	Chart    struct {
		Metadata Chart `json:"metadata"`
	} `json:"chart"`
	// Manifest is the rendered text. A comment in each document names the
	// template. Manifest has no custom resource definitions of the chart's
	// directory crds.
	Manifest string `json:"manifest"`
	Hooks    []Hook `json:"hooks"`
}

// Info is the state of a revision.
type Info struct {
	// Status is Helm's name of the state: deployed, superseded, failed,
	// uninstalled, uninstalling, pending-install, pending-upgrade,
	// pending-rollback, unknown.
	Status string `json:"status"`
}

// Chart is the name and the version of a chart.
type Chart struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// String returns a text such as "web-1.2.3", as `helm list` prints it.
func (c Chart) String() string {
	if c.Name == "" || c.Version == "" {
		return c.Name
	}
	return c.Name + "-" + c.Version
}

// Hook is a chart hook: an object that Helm sends separately from the manifest.
type Hook struct {
	// Path is the path of the template.
	Path     string   `json:"path"`
	Manifest string   `json:"manifest"`
	Events   []string `json:"events"`
}

// ErrLarge is the error of Decode for a release that exceeds the limit.
var ErrLarge = errors.New("the release is too large")

var gzipMagic = []byte{0x1f, 0x8b, 0x08}

// Decode decodes a release in a ConfigMap. For a Secret, the caller must first
// decode the data with Base64. limit is the largest size of the uncompressed
// release in bytes, and size is its actual size. Errors never contain parts of
// the release.
func Decode(payload []byte, limit int64) (r *Release, size int64, err error) {
	data, err := Base64(payload)
	if err != nil {
		return nil, 0, err
	}
	if bytes.HasPrefix(data, gzipMagic) { // Helm did not compress releases in early versions
		in, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, 0, fmt.Errorf("the release does not unpack: %w", err)
		}
		data, err = io.ReadAll(io.LimitReader(in, limit+1))
		switch {
		case int64(len(data)) > limit:
			return nil, limit, ErrLarge
		case err != nil:
			return nil, int64(len(data)), fmt.Errorf("the release does not unpack: %w", err)
		}
	}
	size = int64(len(data))
	r = &Release{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, size, fmt.Errorf("the release is not what Helm stores: %s", jsonError(err))
	}
	return r, size, nil
}

// Base64 decodes a base64 text and ignores line breaks.
func Base64(text []byte) ([]byte, error) {
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(out, text)
	if err != nil {
		return nil, errors.New("the release is not base64")
	}
	return out[:n], nil
}

// jsonError returns the text of a JSON error without parts of the release.
func jsonError(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		return "the field " + kind.Field + " is no " + kind.Type.String()
	case errors.As(err, &syntax):
		return fmt.Sprintf("no JSON at byte %d", syntax.Offset)
	}
	return "no JSON"
}
