package podwarning

// labelProblems says why a name is no DNS label: IsDNS1123Label,
// apimachinery/pkg/util/validation/validation.go (1.27–1.37).
func labelProblems(name string) []string {
	const longest = 63
	var problems []string
	if len(name) > longest {
		problems = append(problems, "must be no more than 63 characters")
	}
	switch {
	case isLabel(name):
	case isSubdomain(name):
		problems = append(problems, "must not contain dots")
	default:
		problems = append(problems, "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "+
			"and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', "+
			"regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')")
	}
	return problems
}

// isLabel reports whether a name is a DNS label but for its length.
func isLabel(name string) bool {
	for i := range len(name) {
		if c := name[i]; ('a' > c || c > 'z') && ('0' > c || c > '9') && (c != '-' || i == 0 || i == len(name)-1) {
			return false
		}
	}
	return name != ""
}

// isSubdomain reports whether a name is made of labels with dots between.
func isSubdomain(name string) bool {
	for start, i := 0, 0; i <= len(name); i++ {
		if i == len(name) || name[i] == '.' {
			if !isLabel(name[start:i]) {
				return false
			}
			start = i + 1
		}
	}
	return true
}
