// Package schemas makes custom resource definitions of schemas that people keep for
// other tools: JSON Schema files, such as those of CRDs-catalog, and OpenAPI documents
// of a cluster. It reads local files only.
package schemas
