package shop_test

import (
	"bytes"
	"encoding/base64"
	"image/jpeg"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// TestTheLogoStandsOnReceipts: in the preview and in the printed and mailed one, made small, and taken back.
func TestTheLogoStandsOnReceipts(t *testing.T) {
	d := openUndoable(t)
	d.must("settings.set", withMail, nil)
	id := d.anasOrder("PayPal")
	receipt := func() (content, logo string) {
		d.t.Helper()
		var out struct{ Logo string }
		d.must("receipt.preview", jsonf(`{"orderId":%q}`, id), &out)
		content, _, _ = d.document(jsonf(`{"kind":"receipt","format":"pdf","orderId":%q}`, id))
		return content, out.Logo
	}
	plain, logo := receipt()
	if logo != "" || bytes.Contains([]byte(plain), []byte("/DCTDecode")) {
		t.Errorf("a logo where there is none: %q", logo)
	}
	d.refused("settings.setLogo", `{}`, bus.PreconditionFailed, bus.ReasonState)
	d.refused("receipt.getLogo", `{}`, bus.NotFound, bus.ReasonRecord)

	before := d.hash()
	d.files["picture"] = pngOf(3000, 1500)
	var set struct{ Logo string }
	done := d.must("settings.setLogo", `{"file":"picture"}`, &set)
	if got, want := d.said(), "Set the logo of Northlight Coffee"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	var got struct{ JPEG string }
	d.must("receipt.getLogo", `{}`, &got)
	data, err := base64.StdEncoding.DecodeString(got.JPEG)
	if err != nil {
		t.Fatal(err)
	}
	if config, err := jpeg.DecodeConfig(bytes.NewReader(data)); err != nil || config.Width != 640 || config.Height != 320 {
		t.Errorf("the logo is %+v, %v", config, err)
	}
	printed, logo := receipt()
	if logo != set.Logo || logo == "" || !bytes.Contains([]byte(printed), data) {
		t.Errorf("the receipt has the logo %q, of %q", logo, set.Logo)
	}
	d.must("email.sendReceipt", jsonf(`{"orderId":%q}`, id), nil)
	if mailed := d.post.letters[0].Attachments[0].Data; !bytes.Contains(mailed, data) {
		t.Error("the mailed receipt has no logo")
	}
	many, _, _ := d.document(jsonf(`{"kind":"receipt","format":"pdf","orderIds":[%q,%q]}`, id, d.anasOrder("PayPal")))
	if n := bytes.Count([]byte(many), data); n != 1 {
		t.Errorf("two receipts have the bytes of the logo %d times", n)
	}
	d.must("audit.undo", jsonf(`{"requestId":%q}`, done.RequestID), nil)
	if d.number(`SELECT COUNT(*) FROM shop_logo`) != 0 || before == "" {
		t.Error("it was not taken back")
	}

	d.must("settings.setLogo", `{"file":"picture"}`, nil)
	d.must("settings.setLogo", `{}`, nil)
	if _, logo = receipt(); logo != "" {
		t.Error("the logo was not removed")
	}
	d.files["picture"] = "not a picture"
	d.refused("settings.setLogo", `{"file":"picture"}`, bus.Validation, bus.ReasonArguments)
}
