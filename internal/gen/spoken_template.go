package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"

	"github.com/deskhand/deskhand/internal/sentence"
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

// constant returns the text of a literal, or of several concatenated ones.
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

// template converts an expression to words with numbered gaps for its variable parts.
func template(e ast.Expr) string {
	return number(parts(e))
}

func parts(e ast.Expr) string {
	if text, ok := constant(e); ok {
		return sentence.Escape(text)
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
				return unnumbered(format)
			}
		}
	}
	return "{}"
}

// unnumbered returns the key of a format whose gaps have other numbers than in the format.
func unnumbered(format string) string {
	return gaps.ReplaceAllString(sentence.Parse(format).Key, "{$2}")
}

var gaps = regexp.MustCompile(`\{(\d*)(, number)?\}`)

// number numbers the gaps from 0. A gap that already has a number keeps its place.
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
