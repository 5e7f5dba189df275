// Package helmrelease reads what Helm stores of a release in a cluster: the
// payload of a Secret of type helm.sh/release.v1, or of a ConfigMap. Helm 3 and
// Helm 4 write the same format, in base64 a JSON document that is compressed
// with gzip (helm.sh/helm/v4 v4.3.1 and v3, pkg/storage/driver/util.go,
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

// SecretType is the type of a Secret that holds a release.
const SecretType = "helm.sh/release.v1"

// Release is one revision of a release, as far as it tells what was sent to the
// cluster.
type Release struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	// Revision counts from 1.
	Revision int  `json:"version"`
	Info     Info `json:"info"`
	Chart    struct {
		Metadata Chart `json:"metadata"`
	} `json:"chart"`
	// Manifest is the rendered text: documents, each with a comment that names
	// its template. CRDs of the chart's crds directory are not part of it.
	Manifest string `json:"manifest"`
	Hooks    []Hook `json:"hooks"`
}

// Info is the state of a revision.
type Info struct {
	// Status is one of Helm's words: deployed, superseded, failed, uninstalled,
	// uninstalling, pending-install, pending-upgrade, pending-rollback, unknown.
	Status string `json:"status"`
}

// Chart names a chart.
type Chart struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// String gives "web-1.2.3", as `helm list` prints it; empty for none.
func (c Chart) String() string {
	if c.Name == "" || c.Version == "" {
		return c.Name
	}
	return c.Name + "-" + c.Version
}

// Hook is an object that Helm sends apart from the manifest.
type Hook struct {
	// Path is that of the template.
	Path     string   `json:"path"`
	Manifest string   `json:"manifest"`
	Events   []string `json:"events"`
}

// ErrLarge is what Decode gives for a payload that is over its limit.
var ErrLarge = errors.New("the release is too large")

var gzipMagic = []byte{0x1f, 0x8b, 0x08}

// Decode reads a payload as it stands in a ConfigMap; that of a Secret has the
// base64 of all its data around it. What it holds uncompressed is read up to
// limit bytes; size says how many they are. Its errors hold nothing of the
// payload.
func Decode(payload []byte, limit int64) (r *Release, size int64, err error) {
	data, err := Base64(payload)
	if err != nil {
		return nil, 0, err
	}
	if bytes.HasPrefix(data, gzipMagic) { // what Helm stored before it compressed has none
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

// Base64 decodes a text, of which line breaks are no part.
func Base64(text []byte) ([]byte, error) {
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(out, text)
	if err != nil {
		return nil, errors.New("the release is not base64")
	}
	return out[:n], nil
}

// jsonError is what a JSON error says without what it found.
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
