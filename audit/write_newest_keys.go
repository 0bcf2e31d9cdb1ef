package audit

import (
	"bytes"
	"errors"
)

// recentKeys is what the writer knows of the end of the order in which keys lie,
// so that most new ones need not be looked for: every stored key behind floor is
// one of the latest.
type recentKeys struct {
	floor           keyName
	latest, earlier map[keyName]struct{}
}

// maxGeneration is how many keys fill one generation. Callers that draw their keys at
// the same time come in another order; as many as this may.
const maxGeneration = 2048

// free reports that no result is stored under name. When it is false nothing is
// known.
func (k *recentKeys) free(name keyName) bool {
	if bytes.Compare(name[:], k.floor[:]) <= 0 {
		return false
	}
	_, latest := k.latest[name]
	_, earlier := k.earlier[name]
	return !latest && !earlier
}

// add is called for every key that is stored, also if it is rolled back later.
func (k *recentKeys) add(name keyName) {
	if len(k.latest) >= maxGeneration {
		for older := range k.earlier {
			k.raise(older)
		}
		k.latest, k.earlier = nil, k.latest
	}
	if k.latest == nil {
		k.latest = make(map[keyName]struct{}, maxGeneration)
	}
	k.latest[name] = struct{}{}
}

func (k *recentKeys) raise(name keyName) {
	if bytes.Compare(name[:], k.floor[:]) > 0 {
		k.floor = name
	}
}

// learn begins anew with what is stored, inside a transaction that may write.
func (k *recentKeys) learn(s *session) error {
	*k = recentKeys{}
	var last []byte
	if err := s.scan("SELECT max(key) FROM audit_keys", nil, &last); err != nil {
		return err
	}
	copy(k.floor[:], last)
	if len(last) > len(k.floor) {
		return errors.New("audit: a key is too long")
	}
	return nil
}
