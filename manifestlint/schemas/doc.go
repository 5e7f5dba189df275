// Package schemas makes custom resource definitions of the schemas that people
// keep for other tools: JSON Schema files, such as those of CRDs-catalog, and
// OpenAPI documents that a cluster publishes. It reads local files only.
package schemas
