// Package raw sends files to paths of the server.
package raw

import (
	"net/url"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/kubectl/pkg/rawhttp"
)

func send(c *rest.RESTClient, streams genericiooptions.IOStreams, path, file string) {
	_ = rawhttp.RawPost(c, streams, path, file)   // want `^wrapper create fm=unknown force=unset dryrun=unset validation=unknown own`
	_ = rawhttp.RawPut(c, streams, path, file)    // want `^wrapper update fm=unknown force=unset dryrun=unset validation=unknown own`
	_ = rawhttp.RawDelete(c, streams, path, file) // want `^wrapper delete fm=unset force=unset dryrun=unset validation=unset own`
	_ = rawhttp.RawGet(c, streams, path)
}

func made(c *rest.RESTClient, streams genericiooptions.IOStreams, dryRun bool) {
	query := url.Values{}
	if dryRun {
		query.Set("dryRun", "All")
	}
	path := "/api/v1/namespaces?" + query.Encode()
	_ = rawhttp.RawPost(c, streams, path, "namespace.json")                            // want `^wrapper create .*dryrun=unknown`
	_ = rawhttp.RawPost(c, streams, "/api/v1/namespaces?dryRun=All", "namespace.json") // want `^wrapper create .*dryrun=unknown`
	_ = rawhttp.RawDelete(c, streams, "/api/v1/namespaces/shop", "options.json")       // want `^wrapper delete .*dryrun=unset`
}
