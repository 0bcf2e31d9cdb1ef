package catalog

import (
	"context"
	"encoding/base64"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/picture"
)

type setPictureIn struct {
	ProductID string `json:"productId" jsonschema:"minLength=1,maxLength=100" x:"entity=product"`
	File      string `json:"file,omitempty" jsonschema:"maxLength=4096" x:"file=picture"`
}

type setPictureOut struct {
	ProductID string `json:"productId"`
	Picture   string `json:"picture,omitempty" doc:"Another one for other bytes. Absent: none any more."`
}

// setPicture stores a product's new picture or removes the existing one.
func setPicture(ctx context.Context, _ *core.Shop, call *bus.Call, in setPictureIn) (out setPictureOut, err error) {
	ref, err := Resolve(ctx, in.ProductID)
	if err != nil {
		return out, err
	}
	name, _, err := core.Find(ctx, core.ScanText, `SELECT name FROM products WHERE id = ?`, ref.ProductID)
	if err != nil {
		return out, err
	}
	out.ProductID = ref.ProductID
	call.Announce("catalog", bus.Textf("%s has another picture.", name), ref.ProductID)
	if in.File == "" {
		call.Summarize("Remove the picture of %s", name)
		there, err := core.Exists(ctx, `SELECT 1 FROM product_pictures WHERE product_id = ?`, ref.ProductID)
		if err == nil && !there {
			err = core.Refused("%s has no picture.", name).WithHint("catalog.getProduct shows the product.")
		}
		if err != nil {
			return out, err
		}
		return out, core.Exec(ctx, `DELETE FROM product_pictures WHERE product_id = ?`, ref.ProductID)
	}
	call.Summarize("Set the picture of %s", name)
	made, err := call.Prepared(ctx)
	if err != nil {
		return out, err
	}
	p := made.(picture.Picture)
	out.Picture = p.Version
	return out, WritePicture(ctx, ref.ProductID, p)
}

// makePicture converts the picture before the transaction of setPicture, because a large picture takes a second.
func makePicture(open core.OpenFile) func(context.Context, *bus.Call) (any, error) {
	return func(ctx context.Context, call *bus.Call) (any, error) {
		var in setPictureIn
		if err := call.Decode(&in); err != nil || in.File == "" {
			return picture.Picture{}, err
		}
		return picture.Read(ctx, open, in.File)
	}
}

// WritePicture replaces the picture of a product. A picture is a row, so that copies, restores, undo and export include
// it. A handler of addresses would be a second way in, open while the window is locked.
func WritePicture(ctx context.Context, productID string, p picture.Picture) error {
	return core.Exec(ctx, `INSERT INTO product_pictures (product_id, version, jpeg, small) VALUES (?, ?, ?, ?)
		ON CONFLICT (product_id) DO UPDATE SET version = excluded.version, jpeg = excluded.jpeg, small = excluded.small`,
		productID, p.Version, p.JPEG, p.Small)
}

type getPictureIn struct {
	ProductID string `json:"productId" jsonschema:"minLength=1,maxLength=100" x:"entity=product"`
	Small     bool   `json:"small,omitempty" doc:"As lists show it."`
}

type getPictureOut struct {
	JPEG string `json:"jpeg" doc:"In base64."`
}

func getPicture(ctx context.Context, _ *core.Shop, _ *bus.Call, in getPictureIn) (out getPictureOut, err error) {
	none := core.NotFound("The product has no picture.").WithHint("catalog.getProduct shows the product.")
	data, err := core.One(ctx, core.ScanBytes, none,
		`SELECT CASE WHEN ? THEN small ELSE jpeg END FROM product_pictures WHERE product_id = ?`, core.Bit(in.Small),
		in.ProductID)
	out.JPEG = base64.StdEncoding.EncodeToString(data)
	return out, err
}
