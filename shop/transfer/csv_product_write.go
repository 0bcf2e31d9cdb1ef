package transfer

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// write brings one product into the state of the file.
func (p *plannedProduct) write(ctx context.Context, call *bus.Call) error {
	f := p.file
	switch {
	case p.id == "":
		p.id, p.head = call.NewID("prd"), true
		class := catalog.TaxStandard
		if !f.Taxable {
			class = catalog.TaxNone
		}
		if err := core.Insert(ctx, `products (id, handle, name, description, vendor, kind, image, option1, option2, option3,
			tax_class, published, name_fold, search_fold, created_at)`, p.id, f.Handle, f.Name, f.Description, f.Vendor,
			f.Kind, f.Image, f.Options[0], f.Options[1], f.Options[2], class, core.Bit(f.Published), text.Fold(f.Name), " ",
			call.Now.UnixMilli()); err != nil {
			return err
		}
	case p.head:
		if err := core.Exec(ctx, `UPDATE products SET name = ?, description = ?, vendor = ?, kind = ?, image = ?, option1 = ?,
			option2 = ?, option3 = ?, published = ?, name_fold = ? WHERE id = ?`,
			f.Name, f.Description, f.Vendor, f.Kind, f.Image, f.Options[0], f.Options[1], f.Options[2], core.Bit(f.Published),
			text.Fold(f.Name), p.id); err != nil {
			return err
		}
	}
	if p.head {
		if err := p.writeTags(ctx); err != nil {
			return err
		}
	}
	for i := range p.variants {
		if err := p.variants[i].Write(ctx, call, p.id, "import"); err != nil {
			return err
		}
	}
	return catalog.Refold(ctx, p.id)
}

func (p *plannedProduct) writeTags(ctx context.Context) error {
	if err := core.Exec(ctx, `DELETE FROM product_tags WHERE product_id = ?`, p.id); err != nil {
		return err
	}
	for _, tag := range p.file.Tags {
		if err := core.Insert(ctx, `product_tags (product_id, tag_fold, tag)`, p.id, text.Fold(tag), tag); err != nil {
			return err
		}
	}
	return nil
}
