package checks

// ruleAPIWarning reports the warnings of a server that no other rule reports.
const ruleAPIWarning = "apiwarning"
