// Package schemas makes custom resource definitions from schemas that users
// already have for other tools: JSON Schema files, as in CRDs-catalog, and
// OpenAPI documents of a cluster. It reads only local files.
package schemas
