// Package picture converts image files into pictures of a fixed maximum size: JPEG, upright, without metadata.
package picture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif" // the program reads GIF, JPEG and PNG
	"image/jpeg"
	_ "image/png"
	"io"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

const (
	maxFile   = 20 << 20   // limit in bytes
	maxPixels = 32_000_000 // checked before decoding
	maxJPEG   = 200 << 10
	maxSmall  = 16 << 10
	side      = 640 // longer side, in pixels
	smallSide = 96
)

// Picture is a picture with a small version for lists.
type Picture struct {
	JPEG, Small []byte
	Version     string // differs when the bytes differ
}

// end holds the last bytes of every JPEG, which the tables require.
var end = []byte{0xff, 0xd9}

// The errors for refused files.
var (
	ErrTooLarge = errors.New("picture: the file or the picture is too large")
	ErrNotMade  = errors.New("picture: not a JPEG as it is kept")
)

// Read converts the file that the argument file names. A large file takes a second, so Read must run before a
// transaction.
func Read(ctx context.Context, open core.OpenFile, file string) (made Picture, err error) {
	if open == nil {
		return made, core.ErrNoFiles()
	}
	content, _, err := open(ctx, file)
	if err != nil {
		if !errors.As(err, new(*bus.Error)) {
			err = core.Invalid("/file", "The file cannot be opened.").WithCause(err).WithHint("Choose the file again.")
		}
		return made, err
	}
	made, err = Make(content)
	if err := errors.Join(err, content.Close()); err != nil {
		return made, core.Invalid("/file", "The file cannot be used as a picture.").WithCause(err).
			WithHint("Choose a JPEG, PNG or GIF of at most 20 MB and 32 megapixels.")
	}
	return made, nil
}

// Make converts a file to a picture. It checks the size in the file's header before decoding.
func Make(r io.Reader) (p Picture, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return p, err
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return p, err
	}
	if len(data) > maxFile || !fits(config) {
		return p, ErrTooLarge
	}
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return p, err
	}
	return Drawn(upright(scaled(decoded, side), orientation(data)))
}

// Drawn converts an image in memory whose sides are at most 640 pixels.
func Drawn(img image.Image) (p Picture, err error) {
	made, err := encoded(img, maxJPEG)
	if err != nil {
		return p, err
	}
	return kept(made)
}

// Check reports an error if a file cannot become a picture. It reads only the header.
func Check(r io.Reader) error {
	config, _, err := image.DecodeConfig(io.LimitReader(r, maxFile))
	if err == nil && !fits(config) {
		err = ErrTooLarge
	}
	return err
}

// fits reports whether a picture is small enough to decode.
func fits(c image.Config) bool { return c.Width > 0 && c.Height > 0 && c.Width <= maxPixels/c.Height }

// Kept accepts a picture that Make created, and keeps its bytes.
func Kept(r io.Reader) (p Picture, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxJPEG+1))
	if err != nil {
		return p, err
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || format != "jpeg" || !bytes.HasSuffix(data, end) || len(data) > maxJPEG ||
		max(config.Width, config.Height) > side {
		return p, ErrNotMade
	}
	return kept(data)
}

// kept derives the small version from the bytes of a picture. The result is always the same.
func kept(data []byte) (p Picture, err error) {
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return p, ErrNotMade
	}
	sum := sha256.Sum256(data)
	p = Picture{JPEG: data, Version: hex.EncodeToString(sum[:6])}
	p.Small, err = encoded(scaled(img, smallSide), maxSmall)
	return p, err
}

// encoded returns a JPEG of at most limit bytes, in the best possible quality.
func encoded(img image.Image, limit int) ([]byte, error) {
	for quality := 82; quality > 0; quality -= 16 {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
			return nil, err
		}
		if b.Len() <= limit {
			return b.Bytes(), nil
		}
	}
	return nil, ErrTooLarge
}

// scaled shrinks the image to a maximum length of the longer side. Each pixel is the mean of its source pixels, over
// white.
func scaled(decoded image.Image, longest int) *image.RGBA {
	img := decoded.(image.RGBA64Image) // all decoders in use return this type
	from := img.Bounds()
	w, h := from.Dx(), from.Dy()
	if long := max(w, h); long > longest {
		w, h = max(1, w*longest/long), max(1, h*longest/long)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	for y := range h {
		top, bottom := span(y, h, from.Min.Y, from.Dy())
		for x := range w {
			left, right := span(x, w, from.Min.X, from.Dx())
			out.SetRGBA(x, y, mean(img, left, right, top, bottom))
		}
	}
	return out
}

// span returns the source range of pixel i of n.
func span(i, n, from, length int) (first, end int) {
	first = from + i*length/n
	return first, max(first+1, from+(i+1)*length/n)
}

// mean returns the mean colour of a rectangle, over white.
func mean(img image.RGBA64Image, left, right, top, bottom int) color.RGBA {
	var r, g, b, a, n uint64
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			c := img.RGBA64At(x, y)
			r, g, b, a, n = r+uint64(c.R), g+uint64(c.G), b+uint64(c.B), a+uint64(c.A), n+1
		}
	}
	on := func(sum uint64) uint8 { return uint8((sum/n + 0xffff - a/n) >> 8) }
	return color.RGBA{on(r), on(g), on(b), 0xff}
}

// upright rotates a picture by the camera's orientation, 1 to 8 as in Exif.
func upright(img *image.RGBA, held int) image.Image {
	if held < 2 || held > 8 {
		return img
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	turned := image.NewRGBA(image.Rect(0, 0, w, h))
	if held > 4 {
		turned = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			to := [9]image.Point{2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y}, 5: {y, x},
				6: {h - 1 - y, x}, 7: {h - 1 - y, w - 1 - x}, 8: {y, w - 1 - x}}[held]
			turned.SetRGBA(to.X, to.Y, img.RGBAAt(x, y))
		}
	}
	return turned
}

// orientation returns the camera's orientation from the Exif part of a JPEG, or 1 if it has none.
func orientation(data []byte) int {
	at := bytes.Index(data[:min(len(data), 64<<10)], []byte("Exif\x00\x00"))
	if at < 0 || at+14 > len(data) {
		return 1
	}
	tiff := data[at+6:]
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	const entry, tag = 12, 0x0112
	first := uint64(order.Uint32(tiff[4:]))
	if first+2 > uint64(len(tiff)) {
		return 1
	}
	for i := range uint64(order.Uint16(tiff[first:])) {
		at := first + 2 + i*entry
		if at+entry > uint64(len(tiff)) {
			return 1
		}
		if order.Uint16(tiff[at:]) == tag {
			return int(order.Uint16(tiff[at+8:]))
		}
	}
	return 1
}
