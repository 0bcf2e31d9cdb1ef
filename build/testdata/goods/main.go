// Goods writes the goods of a large shop into a folder: products.csv with so many products, and in pictures/ a
// photograph of each of the first ones, named by its SKU. The same ones each time.
// Usage: goods FOLDER PRODUCTS PICTURES
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: goods FOLDER PRODUCTS PICTURES")
	}
	if err := write(os.Args[1], number(os.Args[2]), number(os.Args[3])); err != nil {
		log.Fatal(err)
	}
}

func number(arg string) int {
	n, err := strconv.Atoi(arg)
	if err != nil {
		log.Fatal(err)
	}
	return n
}

func write(folder string, products, pictures int) error {
	if err := os.MkdirAll(filepath.Join(folder, "pictures"), 0o755); err != nil {
		return err
	}
	table := "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\n"
	for n := 1; n <= products; n++ {
		table += fmt.Sprintf("product-%[1]d,Product number %05[1]d,Title,Default Title,SKU-%[1]d,%[2]d.50,%[3]d\n",
			n, n%90+9, n%40)
	}
	for n := 1; n <= pictures; n++ {
		if err := photograph(filepath.Join(folder, "pictures", fmt.Sprintf("SKU-%d.jpg", n)), uint64(n)); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, "products.csv"), []byte(table), 0o644)
}

// photograph writes a picture that has as much to say as one of a camera: shades, edges and grain.
func photograph(name string, seed uint64) error {
	const width, height = 960, 720
	random := rand.New(rand.NewPCG(seed, 0))
	var wave [3]struct{ x, y, at float64 }
	for i := range wave {
		wave[i].x, wave[i].y, wave[i].at = random.Float64()/90, random.Float64()/90, 7*random.Float64()
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			var c [3]uint8
			for i, w := range wave {
				shade := 110 + 90*math.Sin(float64(x)*w.x+float64(y)*w.y+w.at)
				if (x/60+y/45+i)%7 == 0 {
					shade += 30
				}
				c[i] = uint8(shade + 20*random.Float64())
			}
			img.SetRGBA(x, y, color.RGBA{c[0], c[1], c[2], 0xff})
		}
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := jpeg.Encode(file, img, &jpeg.Options{Quality: 85}); err != nil {
		return err
	}
	return file.Close()
}
