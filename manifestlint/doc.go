// Package manifestlint checks Kubernetes objects in files.
//
// The path of a Deployment from main to the report:
//
//  1. main calls cli.Main, which runs the verb lint (internal/cli/lintcmd).
//  2. The verb reads flags and configuration, and source.Expand lists the
//     files; kustomizations and charts become inputs with rendered text.
//  3. A first pass, objectcontext.Collect, parses only documents that name a
//     context kind and keeps definitions, namespaces and webhook configurations.
//  4. checks.All returns the checks, which use these objects, and New returns a
//     Linter.
//  5. Linter.Run passes the inputs in batches to workers, and a worker reads
//     its input as a whole, or in blocks of whole documents if it is large.
//  6. A checker decodes the text to UTF-8 and splits it into documents
//     (internal/document).
//  7. The document becomes a tree with positions: yamltree.Parse for YAML,
//     wire.JSONStream for JSON.
//  8. The tree becomes Objects, and every Check runs on the Deployment with a
//     Pass; serverAnswer asks rules/apiserver what each server would answer.
//  9. The Pass adds rule, severity, file and position to each finding, the
//     check's Fix adds the edits that package fix makes. Suppression comments
//     remove findings.
//  10. Run emits the results in the order of the inputs, and internal/report
//     writes them.
//
// Embedded manifests, stored Helm releases and shell text take the same path
// from step 6 on. The library has no stable API yet; the JSON that the command
// prints has one.
package manifestlint
