// Package all links the plugins.
package all

import _ "example.org/clients/webhookdryrun/registry/plugin/lb"
