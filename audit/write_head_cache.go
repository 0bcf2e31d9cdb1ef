package audit

// headCache is what the writer knows of the ends of the streams since its last
// commit: nothing, if somebody else has written since.
type headCache struct {
	heads   map[*stream]head
	version uint32 // of the file after that commit
}

// store remembers heads that were just committed.
func (e *headCache) store(s *session, heads map[*stream]*head) {
	version, err := s.dataVersion()
	if err != nil {
		e.heads = nil // it is read next time
		return
	}
	if e.heads == nil {
		e.heads = map[*stream]head{}
	}
	for stream, h := range heads {
		e.heads[stream] = *h
	}
	e.version = version
}

// valid forgets what is no longer true, and tells whether something is known.
// It is called inside a transaction that may write, so that nothing can change
// after.
func (e *headCache) valid(s *session) bool {
	version, err := s.dataVersion()
	if err != nil || e.heads == nil || version != e.version {
		e.heads = nil
		return false
	}
	return true
}
