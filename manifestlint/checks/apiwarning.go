package checks

// ruleAPIWarning is the rule for warnings of a server that have no other rule.
const ruleAPIWarning = "apiwarning"
