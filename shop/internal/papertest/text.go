// Package papertest reads back what package paper printed, for tests.
package papertest

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

var (
	stream = regexp.MustCompile(`(?s)/FlateDecode[^>]*>>\s*stream\n(.*?)\nendstream`)
	shown  = regexp.MustCompile(`(?s)BT ([0-9.]+) ([0-9.]+) Td \(((?:[^\\)]|\\.)*)\) Tj ET`)
)

// Pages are the texts of a document, page by page: a string for each line, in the order they stand from top to bottom,
// its parts from left to right with a space between them.
func Pages(pdf []byte) ([][]string, error) {
	var pages [][]string
	for _, m := range stream.FindAllSubmatch(pdf, -1) {
		r, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			return nil, fmt.Errorf("papertest: %w", err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("papertest: %w", err)
		}
		if lines := linesOf(content); len(lines) > 0 {
			pages = append(pages, lines)
		}
	}
	return pages, nil
}

// part is a piece of text at a place.
type part struct {
	x, y float64
	text string
}

func linesOf(content []byte) []string {
	var parts []part
	for _, m := range shown.FindAllSubmatch(content, -1) {
		x, _ := strconv.ParseFloat(string(m[1]), 64) // the pattern lets numbers through only
		y, _ := strconv.ParseFloat(string(m[2]), 64)
		parts = append(parts, part{x, y, decode(m[3])})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(b.y, a.y), cmp.Compare(a.x, b.x)) })
	var lines []string
	for i, p := range parts {
		if i > 0 && parts[i-1].y == p.y {
			lines[len(lines)-1] += " " + p.text
			continue
		}
		lines = append(lines, p.text)
	}
	return lines
}

// decode is a PDF string of UTF-16 with its escapes.
func decode(raw []byte) string {
	var b []byte
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\\' && i+1 < len(raw) {
			i++
			if c = raw[i]; c == 'r' {
				c = '\r'
			}
		}
		b = append(b, c)
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
}
