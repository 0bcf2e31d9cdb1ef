package sample

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/vector"
)

// drawings defines the products' drawings as parts. The file explains its format.
//
//go:embed pictures.txt
var drawings string

// side is the width and height of a picture, in pixels.
const side = 240

type part struct {
	colour, form string
	numbers      []float32
}

var parts = sync.OnceValue(func() map[string][]part {
	all := map[string][]part{}
	name := ""
	for line := range strings.Lines(drawings) {
		words := strings.Fields(line)
		switch {
		case words[0] == "#":
		case len(words) == 1:
			name = words[0]
		default:
			p := part{colour: words[0], form: words[1]}
			for _, word := range words[2:] {
				n, err := strconv.ParseFloat(word, 32)
				if err != nil {
					panic(fmt.Sprintf("sample: pictures.txt: %q: %v", line, err))
				}
				p.numbers = append(p.numbers, float32(n))
			}
			all[name] = append(all[name], p)
		}
	}
	return all
})

// palette holds the colours that all drawings share.
var palette = map[string]color.RGBA{
	"paper": {0xe9, 0xdc, 0xc3, 0xff}, "light": {0xfb, 0xf8, 0xf2, 0xff}, "dark": {0x3b, 0x32, 0x2c, 0xff},
	"wood": {0xa8, 0x78, 0x4c, 0xff}, "steel": {0x9a, 0xa4, 0xab, 0xff},
}

// tints are the colours of products, and grounds the colours of their backgrounds.
var (
	tints = []color.RGBA{{0x2f, 0x6b, 0x5e, 0xff}, {0xb4, 0x4d, 0x3b, 0xff}, {0x3f, 0x5f, 0x8c, 0xff},
		{0xc8, 0x8a, 0x2c, 0xff}, {0x7a, 0x4b, 0x78, 0xff}, {0x5d, 0x7a, 0x3a, 0xff}, {0x8a, 0x5a, 0x44, 0xff}}
	grounds = []color.RGBA{{0xf1, 0xed, 0xe4, 0xff}, {0xe6, 0xee, 0xea, 0xff}, {0xee, 0xe8, 0xee, 0xff}}
)

// Picture returns the drawing of a product. It is always the same.
func (p Product) Picture() image.Image {
	h := fnv.New32a()
	h.Write([]byte(p.ID)) // never fails
	chosen := h.Sum32()
	own := map[string]color.RGBA{"tint": tints[chosen%uint32(len(tints))],
		"ground": grounds[chosen/7%uint32(len(grounds))]}
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(img, img.Bounds(), image.NewUniform(own["ground"]), image.Point{}, draw.Src)
	for _, one := range parts()[p.Drawing] {
		fill, is := own[one.colour]
		if !is {
			fill = palette[one.colour]
		}
		z := vector.NewRasterizer(side, side)
		one.outline(z)
		z.Draw(img, img.Bounds(), image.NewUniform(fill), image.Point{})
	}
	return img
}

// outline draws the edge of a part. Numbers are hundredths of the side.
func (p part) outline(z *vector.Rasterizer) {
	n := make([]float32, len(p.numbers))
	for i := range n {
		n[i] = p.numbers[i] * side / 100
	}
	switch p.form {
	case "rect":
		left, top, right, bottom := n[0], n[1], n[0]+n[2], n[1]+n[3]
		n = []float32{left, top, right, top, right, bottom, left, bottom}
	case "oval":
		const k = 0.5523 // approximates a quarter circle by a Bézier curve
		x, y, w, h := n[0], n[1], n[2], n[3]
		z.MoveTo(x+w, y)
		z.CubeTo(x+w, y+k*h, x+k*w, y+h, x, y+h)
		z.CubeTo(x-k*w, y+h, x-w, y+k*h, x-w, y)
		z.CubeTo(x-w, y-k*h, x-k*w, y-h, x, y-h)
		z.CubeTo(x+k*w, y-h, x+w, y-k*h, x+w, y)
		z.ClosePath()
		return
	}
	z.MoveTo(n[0], n[1])
	for i := 2; i < len(n); i += 2 {
		z.LineTo(n[i], n[i+1])
	}
	z.ClosePath()
}
