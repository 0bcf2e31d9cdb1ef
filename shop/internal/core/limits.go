package core

// Maximum lengths of texts, in characters.
const (
	NameLimit    = 120
	LabelLimit   = 60
	MessageLimit = 2000
)
