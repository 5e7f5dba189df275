package rules

// UpgradeCategory reports whether a name is a category of items that `kubevet upgrade`
// reports without a rule. Suppression comments may name it as they name a rule.
func UpgradeCategory(name string) bool {
	switch name {
	case "flag", "gate", "config", "skew", "drain", "webhook", "certificate", "default", "component":
		return true
	}
	return false
}
