package policydefinition

import "k8s.io/apiserver/pkg/cel/common"

// unspecified implements the parts of a schema that do not affect types.
type unspecified struct{}

func (unspecified) Format() string                            { return "" }
func (unspecified) Items() common.Schema                      { return nil }
func (unspecified) Properties() map[string]common.Schema      { return nil }
func (unspecified) AdditionalProperties() common.SchemaOrBool { return nil }
func (unspecified) Default() any                              { return nil }
func (unspecified) Pattern() string                           { return "" }
func (unspecified) Minimum() *float64                         { return nil }
func (unspecified) IsExclusiveMinimum() bool                  { return false }
func (unspecified) Maximum() *float64                         { return nil }
func (unspecified) IsExclusiveMaximum() bool                  { return false }
func (unspecified) MultipleOf() *float64                      { return nil }
func (unspecified) MinItems() *int64                          { return nil }
func (unspecified) MaxItems() *int64                          { return nil }
func (unspecified) MinLength() *int64                         { return nil }
func (unspecified) MaxLength() *int64                         { return nil }
func (unspecified) MinProperties() *int64                     { return nil }
func (unspecified) MaxProperties() *int64                     { return nil }
func (unspecified) Required() []string                        { return nil }
func (unspecified) Enum() []any                               { return nil }
func (unspecified) Nullable() bool                            { return false }
func (unspecified) UniqueItems() bool                         { return false }
func (unspecified) AllOf() []common.Schema                    { return nil }
func (unspecified) OneOf() []common.Schema                    { return nil }
func (unspecified) AnyOf() []common.Schema                    { return nil }
func (unspecified) Not() common.Schema                        { return nil }
func (unspecified) IsXIntOrString() bool                      { return false }
func (unspecified) IsXEmbeddedResource() bool                 { return false }
func (unspecified) IsXPreserveUnknownFields() bool            { return false }
func (unspecified) XListType() string                         { return "" }
func (unspecified) XListMapKeys() []string                    { return nil }
func (unspecified) XMapType() string                          { return "" }
func (unspecified) XValidations() []common.ValidationRule     { return nil }
