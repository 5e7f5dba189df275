package report

import (
	"path"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// This file has the part of SARIF 2.1.0 that kubevet writes. The comments have the names
// in the standard.

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

// sarifAutomation is the standard's runAutomationDetails.
type sarifAutomation struct {
	ID string `json:"id"`
}

// sarifDriver is the standard's toolComponent.
type sarifDriver struct {
	Name           string            `json:"name"`
	InformationURI string            `json:"informationUri"`
	Version        string            `json:"version,omitempty"`
	Rules          []sarifRule       `json:"rules"`
	Notifications  []sarifDescriptor `json:"notifications"`
}

// sarifDescriptor is the standard's reportingDescriptor.
type sarifDescriptor struct {
	ID               string     `json:"id"`
	ShortDescription *sarifText `json:"shortDescription,omitempty"`
}

// sarifRule is a reportingDescriptor for a rule.
type sarifRule struct {
	sarifDescriptor
	FullDescription *sarifText          `json:"fullDescription,omitempty"`
	Help            *sarifText          `json:"help,omitempty"`
	HelpURI         string              `json:"helpUri,omitempty"`
	Configuration   sarifConfiguration  `json:"defaultConfiguration"`
	Properties      sarifRuleProperties `json:"properties"`
}

// sarifConfiguration is the standard's reportingConfiguration.
type sarifConfiguration struct {
	Level string `json:"level"`
}

// sarifRuleProperties has the properties of a rule that GitHub code scanning reads.
type sarifRuleProperties struct {
	Tags      []string `json:"tags"`
	Precision string   `json:"precision"`
	Severity  string   `json:"problem.severity"`
}

// sarifText is the standard's message or multiformatMessageString.
type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    *int              `json:"ruleIndex,omitempty"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifRelated    `json:"relatedLocations,omitempty"`
	Fixes        []sarifFix        `json:"fixes,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   *sarifProperties  `json:"properties"`
}

// sarifProperties has the data of a rules.Finding for which SARIF has no field.
type sarifProperties struct {
	Severity    string   `json:"severity"`
	Document    int      `json:"document"`
	Minors      string   `json:"minors,omitempty"`
	Hidden      bool     `json:"hidden,omitempty"`
	Replacement string   `json:"replacement,omitempty"`
	ServerKind  string   `json:"serverKind,omitempty"`
	ServerText  string   `json:"serverText,omitempty"`
	ServerAlso  []string `json:"serverAlso,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

// sarifRelated is the location of a related place of a finding.
type sarifRelated struct {
	ID       int           `json:"id"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  sarifText     `json:"message"`
}

// sarifFix is the standard's fix.
type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

// sarifChange is the standard's artifactChange.
type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

// sarifReplacement is the standard's replacement.
type sarifReplacement struct {
	Deleted  *sarifRegion `json:"deletedRegion"`
	Inserted *sarifText   `json:"insertedContent,omitempty"`
}

// newSARIFRelated returns the related places of a finding, at most relatedKept.
func newSARIFRelated(f *rules.Finding) []sarifRelated {
	var list []sarifRelated
	for i, r := range f.Related {
		if i == relatedKept {
			break
		}
		list = append(list, sarifRelated{
			ID: i + 1,
			Physical: sarifPhysical{
				Artifact: newSARIFArtifact(r.File),
				Region:   newSARIFRegion(&rules.Finding{Line: r.Line, Column: r.Column, EndLine: r.EndLine, EndColumn: r.EndColumn}),
			},
			Message: sarifText{Text: plainMessage(r.Message)},
		})
	}
	return list
}

// newSARIFFixes returns the fix of a finding, with the edits grouped by file.
func newSARIFFixes(f *rules.Finding) []sarifFix {
	if f.Fix == nil || len(f.Fix.Edits) == 0 {
		return nil
	}
	fix := sarifFix{Description: sarifText{Text: plainMessage(f.Fix.Message)}}
	file := ""
	for i, e := range f.Fix.Edits {
		if i == 0 || e.File != file {
			file = e.File
			fix.Changes = append(fix.Changes, sarifChange{Artifact: newSARIFArtifact(file)})
		}
		r := sarifReplacement{Deleted: &sarifRegion{StartLine: e.Line, StartColumn: e.Column, EndLine: e.EndLine, EndColumn: e.EndColumn}}
		if e.New != "" {
			r.Inserted = &sarifText{Text: e.New}
		}
		last := &fix.Changes[len(fix.Changes)-1]
		last.Replacements = append(last.Replacements, r)
	}
	return []sarifFix{fix}
}

// sarifPhysical is the standard's physicalLocation.
type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

// sarifArtifact is the standard's artifactLocation.
type sarifArtifact struct {
	URI         string     `json:"uri"`
	URIBaseID   string     `json:"uriBaseId,omitempty"`
	Description *sarifText `json:"description,omitempty"`
}

// sarifRegion is the standard's region. EndColumn is exclusive, as in a finding.
type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

// sarifLogical is the standard's logicalLocation.
type sarifLogical struct {
	Name               string `json:"name"`
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Descriptor sarifDescriptor `json:"descriptor"`
	Level      string          `json:"level"`
	Message    sarifText       `json:"message"`
	Locations  []sarifLocation `json:"locations,omitempty"`
}

// notify adds a notification. A non-empty file, with its line, becomes the location of
// the notification.
func (inv *sarifInvocation) notify(id, level, text, file string, line int) {
	n := sarifNotification{
		Descriptor: sarifDescriptor{ID: id}, Level: level, Message: sarifText{Text: text},
	}
	if file != "" {
		location := sarifLocation{Physical: sarifPhysical{Artifact: newSARIFArtifact(file)}}
		if line > 0 {
			location.Physical.Region = &sarifRegion{StartLine: line}
		}
		n.Locations = []sarifLocation{location}
	}
	inv.Notifications = append(inv.Notifications, n)
}

// maxDescription is the maximal length of a rule's description in characters. GitHub code
// scanning accepts no more.
const maxDescription = 1024

func newSARIFRule(r Rule) sarifRule {
	rule := sarifRule{
		sarifDescriptor: sarifDescriptor{ID: r.ID},
		HelpURI:         r.URL,
		Configuration:   sarifConfiguration{sarifLevel(r.Severity)},
		Properties:      sarifRuleProperties{Tags: []string{"kubernetes"}, Precision: "very-high"},
	}
	switch r.Severity {
	case rules.Error, rules.Warning:
		rule.Properties.Severity = r.Severity.String()
	case rules.Info:
		rule.Properties.Severity = "recommendation"
	default:
		rule.Properties.Severity, rule.Properties.Precision = "recommendation", "medium"
	}
	if r.Title != "" {
		rule.ShortDescription = &sarifText{Text: firstChars(r.Title, maxDescription)}
		rule.FullDescription = rule.ShortDescription
	}
	if r.Description != "" {
		first, _, _ := strings.Cut(r.Description, "\n\n")
		rule.FullDescription = &sarifText{Text: firstChars(first, maxDescription)}
		rule.Help = &sarifText{Text: r.Description, Markdown: r.Description}
	}
	return rule
}

func firstChars(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// newSARIFArtifact returns the location of a file: a path relative to the root of the
// sources, or a file URI for an absolute name.
func newSARIFArtifact(file string) sarifArtifact {
	switch {
	case file == "-":
		return sarifArtifact{URI: "-", Description: &sarifText{Text: "standard input"}}
	case strings.HasPrefix(file, "/"):
		return sarifArtifact{URI: "file://" + escapePath(path.Clean(file))}
	case len(file) > 2 && isLetter(file[0]) && file[1] == ':' && file[2] == '/': // a Windows path such as C:/dir
		return sarifArtifact{URI: "file:///" + file[:2] + escapePath(path.Clean(file[2:]))}
	}
	return sarifArtifact{URI: escapePath(path.Clean(file)), URIBaseID: "%SRCROOT%"}
}

// escapePath percent-encodes a path for a URI. It keeps slashes and the unreserved
// characters of RFC 3986.
func escapePath(p string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case isLetter(c), '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&0xf]})
		}
	}
	return b.String()
}

// newSARIFRegion returns the position of a finding. For a finding about a whole file, it
// is the first line, because GitHub code scanning shows nothing without a line.
func newSARIFRegion(f *rules.Finding) *sarifRegion {
	if f.Line <= 0 {
		return &sarifRegion{StartLine: 1}
	}
	r := &sarifRegion{StartLine: f.Line}
	if f.Column <= 0 {
		return r
	}
	r.StartColumn = f.Column
	if f.EndLine > f.Line && f.EndColumn > 0 || f.EndLine == f.Line && f.EndColumn >= f.Column {
		r.EndLine, r.EndColumn = f.EndLine, f.EndColumn
	}
	return r
}

func newSARIFLogical(f *rules.Finding) []sarifLogical {
	var logical []sarifLogical
	if o := f.Object; o != nil {
		name := o.Name
		if o.Namespace != "" && name != "" {
			name = o.Namespace + "/" + name
		}
		full := strings.TrimSpace(o.APIVersion + " " + o.String())
		if name == "" {
			name = o.Kind
		}
		if full != "" && name != "" {
			logical = append(logical, sarifLogical{Name: name, FullyQualifiedName: full, Kind: "object"})
		}
	}
	if f.Path != "" {
		last := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
		logical = append(logical, sarifLogical{Name: last, FullyQualifiedName: f.Path, Kind: "property"})
	}
	return logical
}
