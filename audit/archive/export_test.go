package archive

// OpenLogs is how many logs are open.
func OpenLogs(a *Archive) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.open)
}
