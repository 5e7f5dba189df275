package rules

// UpgradeCategory reports whether a name is a category of items that `kubevet
// upgrade` reports and that have no rule. Suppression comments may contain the
// name of a category in place of a rule's ID.
func UpgradeCategory(name string) bool {
	switch name {
	case "flag", "gate", "config", "skew", "drain", "webhook", "certificate", "default", "component":
		return true
	}
	return false
}
