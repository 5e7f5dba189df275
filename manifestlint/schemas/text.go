package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// jsonHints are strings in JSON. Each schema contains at least one of them.
var jsonHints = [][]byte{
	[]byte(`"$schema"`), []byte(`"openapi"`), []byte(`"swagger"`), []byte(`"properties"`), []byte(`"serverRelativeURL"`),
	[]byte(`"x-kubernetes-group-version-kind"`), []byte(`"components"`), []byte(`"definitions"`),
}

// yamlHint matches a key that a schema in YAML has at its top level.
var yamlHint = regexp.MustCompile(`(?m)^["']?(\$schema|openapi|swagger|properties|components|definitions|x-kubernetes-group-version-kind)["']?:`)

// parse parses a document that may be a schema; nil if it is not one. A
// document needs one of the hints above, unless named is set because the file
// is an argument. A custom resource definition is not an error here, because it
// is read as an object.
func parse(name string, data []byte, named bool) (*wire.Value, error) {
	data = document.Decode(data)
	if document.IsJSON(data) {
		hinted := false
		for _, hint := range jsonHints {
			hinted = hinted || bytes.Contains(data, hint)
		}
		if !hinted && !named {
			return nil, nil
		}
		v, err := wire.JSON(data)
		var syntax *wire.SyntaxError
		if errors.As(err, &syntax) {
			if bytes.Contains(data, []byte(`"CustomResourceDefinition"`)) {
				return nil, nil
			}
			return nil, fmt.Errorf("%s:%d:%d: %s", name, syntax.Pos.Line, syntax.Pos.Column, syntax.Msg)
		}
		return v, err
	}
	if !yamlHint.Match(data) {
		return nil, nil
	}
	trees, failed := yamltree.Parse(data, 1)
	switch {
	case failed != nil && bytes.Contains(data, []byte("CustomResourceDefinition")):
		return nil, nil
	case failed != nil:
		return nil, fmt.Errorf("%s:%d:%d: %s", name, failed.Pos.Line, failed.Pos.Column, failed.Text)
	case len(trees) != 1:
		return nil, nil
	}
	return trees[0].Root, nil
}
