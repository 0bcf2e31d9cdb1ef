package sqllex_test

import (
	"fmt"
	"testing"

	"github.com/deskhand/deskhand/internal/sqllex"
)

func TestTokensFollowSQLitesQuoting(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT a -- b\nFROM t":         "select a from t",
		"INSERT /* x; */ INTO [a b];":   "insert into 'a b' ;",
		`UPDATE "or" SET n = 'it''s' ;`: "update 'or' set n = 'it's' ;",
		"VALUES (1, (2))":               "values ( 1 , ( 2 ) )",
		"`open":                         "'open'",
	} {
		var got string
		for _, token := range sqllex.Tokens(sql) {
			text := token.Text
			if token.Quoted {
				text = "'" + text + "'"
			}
			if got != "" {
				got += " "
			}
			got += text
		}
		if got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}

func TestFollowsTakesUnquotedWordsOnly(t *testing.T) {
	tokens := sqllex.Tokens(`ON CONFLICT "replace" ON CONFLICT REPLACE`)
	var got []int
	for i := range tokens {
		if sqllex.Follows(tokens, i, "on", "conflict", "replace") {
			got = append(got, i)
		}
	}
	if fmt.Sprint(got) != "[3]" {
		t.Errorf("found at %v", got)
	}
}
