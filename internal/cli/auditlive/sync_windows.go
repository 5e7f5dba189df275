package auditlive

// SyncDirectory does nothing: Windows cannot synchronize directories.
func SyncDirectory(string) error { return nil }
