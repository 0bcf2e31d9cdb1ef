package shop_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// tinyPicture is a PNG of one blue row above a red one.
var tinyPicture = pngOf(40, 20)

func pngOf(w, h int) string {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, color.RGBA{B: 255, A: 255})
			if y >= h/2 {
				img.Set(x, y, color.RGBA{R: 255, A: 255})
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.String()
}

// picture reads the picture of Guji Natural.
func (d *desk) picture(small bool) image.Image {
	d.t.Helper()
	var out struct{ JPEG string }
	d.must("catalog.getPicture", jsonf(`{"productId":"prd_guji_natural","small":%v}`, small), &out)
	data, err := base64.StdEncoding.DecodeString(out.JPEG)
	if err != nil {
		d.t.Fatal(err)
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		d.t.Fatal(err)
	}
	return img
}

func TestAPictureIsMadeSmallAndTakenBack(t *testing.T) {
	d := openUndoable(t)
	before := d.hash()
	d.files["picture"] = pngOf(1500, 3000)
	var out struct{ Picture string }
	r := d.must("catalog.setPicture", `{"productId":"NL-GUJ-250-WB","file":"picture"}`, &out)
	if got, want := d.said(), "Set the picture of Guji Natural"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	for small, want := range map[bool]image.Point{false: {320, 640}, true: {48, 96}} {
		img := d.picture(small)
		if img.Bounds().Size() != want {
			t.Errorf("size %v, want %v", img.Bounds().Size(), want)
		}
		_, _, blue, _ := img.At(want.X/2, want.Y/4).RGBA()
		if red, _, _, _ := img.At(want.X/2, 3*want.Y/4).RGBA(); red < 0xe000 || blue < 0xe000 {
			t.Errorf("colours: %x below, %x above", red, blue)
		}
	}
	var found struct{ Products []struct{ Picture string } }
	d.must("catalog.search", `{"query":"NL-GUJ-250-WB"}`, &found)
	if found.Products[0].Picture != out.Picture || out.Picture == "" {
		t.Errorf("the search says %+v, want %q", found, out.Picture)
	}
	d.must("audit.undo", jsonf(`{"requestId":%q}`, r.RequestID), nil)
	if d.hash() != before {
		t.Error("it was not taken back")
	}
	d.must("catalog.setPicture", `{"productId":"prd_guji_natural"}`, nil) // the one of the sample
	d.refused("catalog.setPicture", `{"productId":"prd_guji_natural"}`, bus.PreconditionFailed, bus.ReasonState)
	d.refused("catalog.getPicture", `{"productId":"prd_guji_natural"}`, bus.NotFound, bus.ReasonRecord)
}

// TestACameraHeldOnItsSide: the orientation in the file rotates the picture, and is not stored.
func TestACameraHeldOnItsSide(t *testing.T) {
	d := openSample(t, "manager")
	img, err := png.Decode(strings.NewReader(pngOf(100, 50)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	exif := "\xff\xe1\x00\x2eExif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00" +
		"\x00\x00\x00\x00Secret place"
	d.files["picture"] = "\xff\xd8" + exif + b.String()[2:]
	d.must("catalog.setPicture", `{"productId":"prd_guji_natural","file":"picture"}`, nil)
	made := d.picture(false)
	if red, _, blue, _ := made.At(10, 50).RGBA(); made.Bounds().Size() != (image.Point{50, 100}) || red < blue {
		t.Errorf("%v, red %x and blue %x on the left", made.Bounds().Size(), red, blue)
	}
	if d.number(`SELECT count(*) FROM product_pictures WHERE instr(jpeg, CAST('Secret' AS BLOB)) > 0`) != 0 {
		t.Error("what the camera wrote is kept")
	}
}

func TestOnlyAPictureIsTaken(t *testing.T) {
	d := openSample(t, "manager")
	bomb := []byte(pngOf(10, 10))
	copy(bomb[16:], "\x00\x01\x86\xa0\x00\x01\x86\xa0") // says 100 000 by 100 000 pixels
	before := d.hash()
	for name, content := range map[string]string{"text": "no picture", "empty": "", "half": tinyPicture[:60],
		"bomb": string(bomb), "svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`} {
		d.files["picture"] = content
		e := d.refused("catalog.setPicture", `{"productId":"prd_guji_natural","file":"picture"}`, bus.Validation,
			bus.ReasonArguments)
		if e.Violations[0].Path != "/file" {
			t.Errorf("%s: %+v", name, e.Violations)
		}
	}
	d.refused("catalog.setPicture", `{"productId":"prd_guji_natural","file":"/etc/passwd"}`, bus.Validation,
		bus.ReasonArguments)
	if d.hash() != before {
		t.Error("something was kept")
	}
}
