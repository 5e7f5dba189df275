// Package raw sends files to paths of the server.
package raw

import (
	"net/url"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/kubectl/pkg/rawhttp"
)

type options struct {
	streams genericiooptions.IOStreams
	path    string
	file    string
}

func (o *options) create(c *rest.RESTClient, dryRun bool) error {
	return rawhttp.RawPost(c, o.streams, o.path, o.file) // want `ignores dryRun, so a dry run creates an object; skip the call, because it takes no dry run`
}

func (o *options) remove(c *rest.RESTClient, dryRun bool) error {
	if dryRun {
		return nil
	}
	return rawhttp.RawDelete(c, o.streams, o.path, o.file)
}

func (o *options) get(c *rest.RESTClient, dryRun bool) error {
	return rawhttp.RawGet(c, o.streams, o.path)
}

// replace makes the path itself.
func (o *options) replace(c *rest.RESTClient, dryRun bool) error {
	query := url.Values{}
	if dryRun {
		query.Set("dryRun", "All")
	}
	return rawhttp.RawPut(c, o.streams, o.path+"?"+query.Encode(), o.file)
}
