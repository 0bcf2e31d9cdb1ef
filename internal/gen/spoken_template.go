package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

func callee(n *ast.CallExpr) (of, name string) {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			of = x.Name
		}
		return of, f.Sel.Name
	}
	return "", ""
}

// constant returns the text of a literal, or of several joined ones.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, l := constant(e.X)
		right, r := constant(e.Y)
		return left + right, l && r && e.Op == token.ADD
	}
	return "", false
}

// template writes an expression as words with numbered gaps for its variable parts.
func template(e ast.Expr) string {
	return number(parts(e))
}

func parts(e ast.Expr) string {
	if text, ok := constant(e); ok {
		return escapeICU(text)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return parts(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return parts(e.X) + parts(e.Y)
		}
	case *ast.CallExpr:
		if of, name := callee(e); of == "fmt" && name == "Sprintf" {
			if format, ok := constant(e.Args[0]); ok {
				return verbs(format)
			}
		}
	}
	return "{}"
}

// fromFormat writes a format of fmt as words with numbered gaps.
func fromFormat(format string) string {
	return number(verbs(format))
}

var verb = regexp.MustCompile(`%([-+# 0]*)(?:\[(\d+)\])?[0-9.]*([a-zA-Z%])`)

// verbs leaves a gap for each verb: {, number} for a count, {} for anything else, and what %q puts around it.
func verbs(format string) string {
	var b strings.Builder
	for format != "" {
		at := verb.FindStringSubmatchIndex(format)
		if at == nil {
			b.WriteString(escapeICU(format))
			break
		}
		b.WriteString(escapeICU(format[:at[0]]))
		which := ""
		if at[4] >= 0 {
			which = format[at[4]:at[5]]
		}
		switch format[at[6]:at[7]] {
		case "%":
			b.WriteString("%")
		case "d":
			b.WriteString("{" + which + ", number}")
		case "q":
			b.WriteString(`"{` + which + `}"`)
		default:
			b.WriteString("{" + which + "}")
		}
		format = format[at[1]:]
	}
	return b.String()
}

var gaps = regexp.MustCompile(`\{(\d*)(, number)?\}`)

// number gives each gap its number, from 0; one that had a number keeps its place.
func number(text string) string {
	next := 0
	return gaps.ReplaceAllStringFunc(text, func(found string) string {
		of := gaps.FindStringSubmatch(found)
		at := next
		if of[1] != "" {
			n, _ := strconv.Atoi(of[1])
			at = n - 1
		} else {
			next++
		}
		return "{" + strconv.Itoa(at) + of[2] + "}"
	})
}

var special = regexp.MustCompile(`[{}]+`)

// escapeICU quotes what the messages of a catalogue would read as a gap.
func escapeICU(text string) string { return special.ReplaceAllString(text, `'$0'`) }
