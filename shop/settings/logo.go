package settings

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/picture"
)

type setLogoIn struct {
	File string `json:"file,omitempty" jsonschema:"maxLength=4096" x:"file=picture"`
}

type setLogoOut struct {
	Logo string `json:"logo,omitempty" doc:"Another one for other bytes. Absent: none any more."`
}

// readLogo converts a file to the logo before the transaction.
func readLogo(open core.OpenFile) func(context.Context, *bus.Call) (any, error) {
	return func(ctx context.Context, call *bus.Call) (any, error) {
		var in setLogoIn
		if err := call.Decode(&in); err != nil || in.File == "" {
			return picture.Picture{}, err
		}
		return picture.Read(ctx, open, in.File)
	}
}

// setLogo stores the logo from readLogo, or removes the existing one.
func setLogo(ctx context.Context, s *core.Shop, call *bus.Call, in setLogoIn) (out setLogoOut, err error) {
	call.Announce("settings", bus.Textf("The shop has another logo."), "shop")
	if in.File == "" {
		call.Summarize("Remove the logo of %s", s.Name)
		if s.Logo == "" {
			return out, core.Refused("%s has no logo.", s.Name).WithHint("settings.get shows the shop.")
		}
		return out, core.Exec(ctx, `DELETE FROM shop_logo`)
	}
	call.Summarize("Set the logo of %s", s.Name)
	made, err := call.Prepared(ctx)
	if err != nil {
		return out, err
	}
	p := made.(picture.Picture)
	out.Logo = p.Version
	return out, WriteLogo(ctx, p)
}

// WriteLogo replaces the logo.
func WriteLogo(ctx context.Context, p picture.Picture) error {
	return core.Exec(ctx, `INSERT INTO shop_logo (id, version, jpeg) VALUES ('logo', ?, ?)
		ON CONFLICT (id) DO UPDATE SET version = excluded.version, jpeg = excluded.jpeg`, p.Version, p.JPEG)
}

// Logo returns the logo for receipts as a JPEG, or nil if there is none.
func Logo(ctx context.Context) ([]byte, error) {
	jpeg, _, err := core.Find(ctx, core.ScanBytes, `SELECT jpeg FROM shop_logo`)
	return jpeg, err
}
