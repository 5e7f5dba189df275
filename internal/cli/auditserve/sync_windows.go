package auditserve

// syncDirectory does nothing: Windows cannot synchronize directories.
func syncDirectory(string) error { return nil }
