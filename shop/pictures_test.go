package shop_test

import (
	"slices"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

type addedPictures struct {
	Folder   string
	Pictures int
	Matched  []struct {
		ProductID, Name, File string
		Replaces              bool
	}
	Unmatched, Unusable []string
	Others              int
}

func (a addedPictures) files() (all []string) {
	for _, m := range a.Matched {
		all = append(all, m.ProductID+" "+m.File)
	}
	slices.Sort(all)
	return all
}

// TestPicturesOfAFolderAreTheirProducts: by the address an import brought, by handle, by SKU; a dry run tells the same.
func TestPicturesOfAFolderAreTheirProducts(t *testing.T) {
	d := openEmpty(t)
	d.must("shop.setUp", `{"from":"empty"}`, nil)
	d.as("")
	e := newExport()
	for _, p := range [][4]string{{"jumper", "WJ-1", "1", "https://cdn.example.com/a/Fisher%20Jumper.jpg?v=17"}, {"mug", "MG 7", "2", ""},
		{"tee-pot", "TP-1", "3", ""}, {"bare", "BR-1", "4", ""}, {"torn", "TN-1", "5", ""}} {
		e.row("Handle="+p[0], "Title=Thing "+p[2], "Option1 Name=Title", "Option1 Value=Default Title", "Variant SKU="+p[1],
			"Variant Price=1.00", "Image Src="+p[3], "Variant Inventory Policy=deny", "Status=active", "Published=true")
	}
	d.files["csv"] = e.String()
	d.must("shop.importCSV", `{"file":"csv","kind":"products","currency":"USD"}`, nil)
	d.files = map[string]string{"in/fisher_jumper.JPG": tinyPicture, "in/jumper.png": pngOf(9, 9), "mg-7.png": pngOf(900, 9),
		"Tee Pot.gif": tinyPicture, "TN-1.png": "no picture", "holiday.jpg": tinyPicture, "notes.txt": "MG 7",
		"in/.jumper.png": tinyPicture}

	before := d.hash()
	var looked, added addedPictures
	d.must("catalog.addPictures", `{"file":"photos","dryRun":true}`, &looked)
	if d.hash() != before {
		t.Error("a dry run changed something")
	}
	d.must("catalog.addPictures", `{"file":"photos"}`, &added)
	if got, want := d.said(), "Add 3 pictures from photos"; got != want {
		t.Errorf("said %q", got)
	}
	var found struct {
		Products []struct{ ID, Name, Picture string }
	}
	d.must("catalog.search", `{}`, &found)
	var want []string
	for _, p := range found.Products {
		file := map[string]string{"Thing 1": "in/fisher_jumper.JPG", "Thing 2": "mg-7.png", "Thing 3": "Tee Pot.gif"}[p.Name]
		if file != "" {
			want = append(want, p.ID+" "+file)
		}
		if (file != "") != (p.Picture != "") {
			t.Errorf("%s has the picture %q", p.Name, p.Picture)
		}
	}
	slices.Sort(want)
	for what, got := range map[string]addedPictures{"looked": looked, "added": added} {
		if !slices.Equal(got.files(), want) || got.Pictures != 3 || got.Folder != "photos" || got.Others != 2 ||
			!slices.Equal(got.Unmatched, []string{"holiday.jpg", "in/jumper.png"}) ||
			!slices.Equal(got.Unusable, []string{"TN-1.png"}) || got.Matched[0].Replaces {
			t.Errorf("%s: %+v, want %v", what, got, want)
		}
	}
	d.must("catalog.addPictures", `{"file":"photos","dryRun":true}`, &looked)
	if !looked.Matched[0].Replaces {
		t.Error("it is not told that pictures are replaced")
	}
}

func TestOnlyAPersonAddsPictures(t *testing.T) {
	d := openSample(t, "clerk")
	d.refused("catalog.addPictures", `{"file":"photos"}`, bus.Forbidden, bus.ReasonPermission)
}
