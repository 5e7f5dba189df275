// Package schemas makes custom resource definitions from schemas that users
// already have for other tools. These are JSON Schema files, as in
// CRDs-catalog, and OpenAPI documents of a cluster. The package reads local
// files only.
package schemas
