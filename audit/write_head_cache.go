package audit

// headCache has the heads of the streams since the writer's last commit, unless another program has written since.
type headCache struct {
	heads   map[*stream]head
	version uint32 // of the file after that commit
}

// store keeps heads that were just committed.
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

// valid drops outdated heads, and reports whether some are known. Inside a
// transaction that may write nothing can change afterwards.
func (e *headCache) valid(s *session) bool {
	version, err := s.dataVersion()
	if err != nil || e.heads == nil || version != e.version {
		e.heads = nil
		return false
	}
	return true
}
