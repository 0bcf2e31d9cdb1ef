package catalog

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/picture"
	"github.com/deskhand/deskhand/shop/internal/text"
)

const (
	maxPictures   = 2_000  // in a folder: they are in memory together
	maxFolder     = 20_000 // files to inspect
	shownPictures = 200
)

type addPicturesIn struct {
	File   string `json:"file" jsonschema:"minLength=1,maxLength=4096" x:"file=folder"`
	DryRun bool   `json:"dryRun,omitempty"`
}

type matchedPicture struct {
	ProductID string `json:"productId" x:"entity=product"`
	Name      string `json:"name" x:"tainted=true"`
	File      string `json:"file" x:"tainted=true"`
	Replaces  bool   `json:"replaces"`
}

type addPicturesOut struct {
	Folder    string           `json:"folder"`
	DryRun    bool             `json:"dryRun"`
	Pictures  int              `json:"pictures"`
	Matched   []matchedPicture `json:"matched"`
	Unmatched []string         `json:"unmatched" x:"tainted=true"`
	Others    int              `json:"others"`
	Unusable  []string         `json:"unusable" x:"tainted=true"`
}

// foundPictures holds the pictures found in a folder, converted.
type foundPictures struct {
	out  addPicturesOut
	made map[string]picture.Picture // by product; empty in a dry run
}

// findPictures finds a picture for each product in a folder and converts it, before the transaction.
func findPictures(open core.OpenFolder) func(context.Context, *bus.Call) (any, error) {
	return func(ctx context.Context, call *bus.Call) (any, error) {
		var in addPicturesIn
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		if open == nil {
			return nil, core.ErrNoFiles()
		}
		folder, name, err := open(ctx, in.File)
		if err != nil {
			return nil, err
		}
		f := &foundPictures{made: map[string]picture.Picture{}, out: addPicturesOut{Folder: name, DryRun: in.DryRun,
			Matched: []matchedPicture{}, Unmatched: []string{}, Unusable: []string{}}}
		files, err := picturesIn(folder)
		if err == nil {
			err = f.find(ctx, call, folder, files)
		}
		return f, errors.Join(err, folder.Close())
	}
}

// picturesIn returns the paths of the pictures in a folder and its subfolders, by name without extension.
func picturesIn(folder fs.FS) (map[string]string, error) {
	files, looked := map[string]string{}, 0
	err := fs.WalkDir(folder, ".", func(file string, d fs.DirEntry, err error) error {
		switch looked++; {
		case looked > maxFolder:
			return core.Invalid("/file", "There are more than %d files in the folder.", maxFolder)
		case err != nil || !d.Type().IsRegular() || strings.HasPrefix(path.Base(file), "."):
			return nil // unreadable files are no pictures
		}
		switch strings.ToLower(path.Ext(file)) {
		case ".jpg", ".jpeg", ".png", ".gif":
			files[nameKey(file)] = min(cmp.Or(files[nameKey(file)], file), file)
		}
		return nil
	})
	return files, err
}

// nameKey returns a file's name without its folder and extension, folded so that case and accents do not matter.
func nameKey(file string) string {
	name := path.Base(file)
	return text.Fold(strings.TrimSuffix(name, path.Ext(name)))
}

// find matches files with products by the imported addresses of pictures, by handle or by SKU.
func (f *foundPictures) find(ctx context.Context, call *bus.Call, folder fs.FS, files map[string]string) error {
	type product struct{ id, name, image, handle, images, skus, version string }
	products, err := core.List(ctx, func(r core.Row) (p product, err error) {
		return p, r.Scan(&p.id, &p.name, &p.image, &p.handle, &p.images, &p.skus, &p.version)
	}, `SELECT p.id, p.name, p.image, p.handle, COALESCE(group_concat(v.image, char(10) ORDER BY v.position), ''),
		COALESCE(group_concat(v.sku, char(10) ORDER BY v.position), ''), COALESCE(pic.version, '')
		FROM products p LEFT JOIN variants v ON v.product_id = p.id LEFT JOIN product_pictures pic ON pic.product_id = p.id
		GROUP BY p.id ORDER BY p.name_fold, p.id`)
	if err != nil {
		return err
	}
	left := maps.Clone(files)
	for _, p := range products {
		var names []string
		for address := range strings.SplitSeq(p.image+"\n"+p.images, "\n") {
			names = append(names, addressKey(address))
		}
		names = append(names, text.Fold(p.handle))
		for sku := range strings.SplitSeq(p.skus, "\n") {
			names = append(names, text.Fold(sku))
		}
		at := slices.IndexFunc(names, func(name string) bool { return files[name] != "" })
		if at < 0 {
			continue
		}
		file := files[names[at]]
		delete(left, names[at])
		call.Progress(100*(len(files)-len(left))/len(files), p.name)
		if err := ctx.Err(); err != nil {
			return err
		}
		if !f.take(folder, file, p.id) {
			continue
		}
		if f.out.Pictures++; f.out.Pictures > maxPictures {
			return core.Invalid("/file", "There are pictures of more than %d products in the folder.", maxPictures).
				WithHint("Choose smaller folders one after the other.")
		}
		if len(f.out.Matched) < shownPictures {
			f.out.Matched = append(f.out.Matched, matchedPicture{p.id, p.name, file, p.version != ""})
		}
	}
	f.out.Others = len(left)
	f.out.Unmatched = append(f.out.Unmatched, slices.Sorted(maps.Values(left))[:min(len(left), shownPictures)]...)
	return nil
}

// percent matches an escaped byte in an address.
var percent = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// addressKey returns the file name at the end of a picture's address.
func addressKey(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return nameKey(percent.ReplaceAllStringFunc(address, func(s string) string {
		b, _ := hex.DecodeString(s[1:]) // percent matches hexadecimal digits only
		return string(b)
	}))
}

// take converts the picture of a product, or only checks it in a dry run. It reports whether the file is usable.
func (f *foundPictures) take(folder fs.FS, file, productID string) bool {
	content, err := folder.Open(file)
	if err == nil && f.out.DryRun {
		err = errors.Join(picture.Check(content), content.Close())
	} else if err == nil {
		f.made[productID], err = picture.Make(content)
		err = errors.Join(err, content.Close())
	}
	if err != nil {
		delete(f.made, productID)
		if len(f.out.Unusable) < shownPictures && !slices.Contains(f.out.Unusable, file) {
			f.out.Unusable = append(f.out.Unusable, file)
		}
	}
	return err == nil
}

// addPictures stores the pictures that were found.
func addPictures(ctx context.Context, _ *core.Shop, call *bus.Call, _ addPicturesIn) (out addPicturesOut, err error) {
	prepared, err := call.Prepared(ctx)
	if err != nil {
		return out, err
	}
	f := prepared.(*foundPictures)
	if f.out.DryRun {
		call.Summarize("Look which pictures of %s are of products", f.out.Folder)
		return f.out, nil
	}
	call.Summarize("Add %d pictures from %s", f.out.Pictures, f.out.Folder)
	call.Announce("catalog", bus.Textf("Products have other pictures."))
	for _, id := range slices.Sorted(maps.Keys(f.made)) {
		if err := WritePicture(ctx, id, f.made[id]); err != nil {
			return out, err
		}
	}
	return f.out, nil
}
