package core

import (
	"encoding/base64"
	"encoding/json"
)

// PageIn selects a page of a list. The cursor is the nextCursor of the previous page.
type PageIn struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"maxLength=600" doc:"nextCursor of the page before."`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=50" doc:"At most this many."`
}

// PageOut reports whether more rows follow, and the cursor that continues the list.
type PageOut struct {
	NextCursor string `json:"nextCursor,omitempty"`
	HasMore    bool   `json:"hasMore"`
}

// FoundOut is the PageOut of a search by words.
type FoundOut struct {
	PageOut
	NotFound []string `json:"notFound,omitempty" doc:"Where nothing was found: the words that no record has."`
}

// CursorKey marks the end of a page: the position in the ranking, and the kinds whose words were relaxed.
type CursorKey struct {
	Score   int      `json:"s"`
	Sort    string   `json:"o"`
	ID      string   `json:"i"`
	Relaxed []string `json:"k,omitempty"`
}

// cursorAfter returns the cursor that continues after the last hit.
func cursorAfter(hits []Hit, relaxed []string) string {
	last := hits[len(hits)-1]
	return EncodeCursor(CursorKey{last.score, last.sort, last.ID, relaxed})
}

// EncodeCursor encodes a key as a cursor for a response.
func EncodeCursor(k CursorKey) string {
	data, err := json.Marshal(k)
	if err != nil {
		panic("shop: " + err.Error()) // strings and numbers always marshal
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// DecodeCursor decodes a cursor from a request. "" is the zero key, for the first page.
func DecodeCursor(s string) (CursorKey, error) {
	var k CursorKey
	if s == "" {
		return k, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err != nil {
		return k, Invalid("/cursor", "The cursor is not one that this list gave.")
	}
	return k, nil
}
