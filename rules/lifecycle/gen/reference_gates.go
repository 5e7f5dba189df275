package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// extractReferenceGates reads the list of versioned gates that Kubernetes has for
// its own checks since 1.33. For older releases, the result is nil. Only the
// forms of YAML that the list's generator writes are parsed.
func extractReferenceGates(src sources, minor int) ([]gateFact, error) {
	data, err := os.ReadFile(src.dir(modKubernetes, "test", "compatibility_lifecycle", "reference", "versioned_feature_list.yaml"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseReferenceGates(string(data), minor)
}

func parseReferenceGates(text string, minor int) ([]gateFact, error) {
	var list []gateFact
	var gate, spec gateFact
	use := false
	flush := func() {
		if use {
			list = append(list, gate)
		}
		gate, use = gateFact{}, false
	}
	for n, line := range strings.Split(text, "\n") {
		key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- ")), ":")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		switch key {
		case "name":
			flush()
			gate.Name = value
		case "default":
			spec.Default = value == "true"
		case "lockToDefault":
			spec.Locked = value == "true"
		case "preRelease":
			if spec.Stage = value; value == "" {
				spec.Stage = "GA"
			}
		case "version":
			_, m, _ := strings.Cut(value, ".")
			since, err := strconv.Atoi(m)
			if err != nil {
				return nil, fmt.Errorf("reference gates, line %d: version %q", n+1, value)
			}
			if since <= minor {
				spec.Name = gate.Name
				gate, use = spec, true
			}
			spec = gateFact{}
		}
	}
	flush()
	return list, nil
}

// checkGates compares the extracted gates of each release with ReferenceGates and
// returns the differences. Gates that are only in ReferenceGates belong to other
// components and are ignored.
func checkGates(all []*facts) []string {
	var differences []string
	for _, f := range all {
		reference := map[string]gateFact{}
		for _, g := range f.ReferenceGates {
			reference[g.Name] = g
		}
		for _, g := range f.Gates {
			if r, ok := reference[g.Name]; ok && r != g {
				differences = append(differences, fmt.Sprintf("%s: gate %s is %v in the code and %v in the reference list", f.Release, g.Name, g, r))
			}
		}
	}
	return differences
}
