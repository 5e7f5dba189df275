package auditlive

// SyncDirectory does nothing, because Windows cannot synchronize directories.
func SyncDirectory(string) error { return nil }
