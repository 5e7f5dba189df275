package apiserver

import (
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ReportsDropped reports whether the server reports unknown and repeated fields
// of a body (server-side field validation). From 1.23 to 1.26 this depends on the
// gate ServerSideFieldValidation, which is on by default from 1.25.
func (s Server) ReportsDropped(v FieldValidation) bool {
	return v != Ignore && s.Minor >= 23 && (s.Minor >= 27 || s.Enabled("ServerSideFieldValidation"))
}

// Undecoded returns the answer to a request whose body does not decode. reason is
// the decoder's error, and at is the value that does not decode. inexact is set
// if reason differs from the server's text. Source: transformDecodeError in
// k8s.io/apiserver/pkg/endpoints/handlers/rest.go (1.16–1.37).
func (r Request) Undecoded(reason string, at *wire.Value, inexact bool) Cause {
	version := r.APIVersion[strings.LastIndexByte(r.APIVersion, '/')+1:]
	text := r.Kind + " in version \"" + version + "\" cannot be handled as a " + r.Kind + ": " + reason
	return Cause{Text: text, Code: http.StatusBadRequest, At: at, Inexact: inexact}
}
