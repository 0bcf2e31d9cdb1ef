package catalog_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/deskhand/deskhand/shop/catalog"
)

// TestACopyReadsCodesAsTheShopDoes: in each form. A withdrawn product does not hide another.
func TestACopyReadsCodesAsTheShopDoes(t *testing.T) {
	var c catalog.Copy
	product := func(id, barcode, more string) string {
		return fmt.Sprintf(`{"id":"prd_%s","name":"Tea %s","tags":[],"optionNames":[]%s,"variants":[{"id":"var_%s",`+
			`"sku":"Tea %s","barcode":%q,"label":"","options":{}}]}`, id, id, more, id, id, barcode)
	}
	page := fmt.Sprintf(`{"products":[%s,%s,%s,%s],"hasMore":false}`, product("a", "0036000291452", ""),
		product("b", "4006381333931", `,"archived":true`), product("c", "04006381333931", ""), product("d", "4006381333931", ""))
	if err := c.Fill(func(string, any) (json.RawMessage, error) { return json.RawMessage(page), nil }); err != nil {
		t.Fatal(err)
	}
	find := func(query string) (matched []string) {
		args, _ := json.Marshal(map[string]string{"query": query})
		data, _, err := c.Answer("catalog.search", args)
		raw, wrong := json.Marshal(data)
		var found struct {
			Products []struct{ ID, MatchedVariantID string }
		}
		if err != nil || wrong != nil || json.Unmarshal(raw, &found) != nil {
			t.Fatal(err, wrong)
		}
		for _, p := range found.Products {
			matched = append(matched, p.ID+" "+p.MatchedVariantID)
		}
		return matched
	}
	for _, form := range []string{"036000291452", "(01)00036000291452(10)7", "]C10100036000291452",
		"https://id.gs1.org/01/00036000291452", "0 36000 29145 2", "TEA A", "var_a"} {
		if got := fmt.Sprint(find(form)); got != "[prd_a var_a]" {
			t.Errorf("%s finds %s", form, got)
		}
	}
	if got := fmt.Sprint(find("4006381333931")); got != "[prd_b  prd_c  prd_d ]" { // two are for sale: a person chooses
		t.Errorf("two are %s", got)
	}
	if _, _, err := c.Answer("catalog.getProduct", json.RawMessage(`{"productId":"036000291452"}`)); err != nil {
		t.Error(err)
	}
	if _, _, err := c.Answer("catalog.getProduct", json.RawMessage(`{"productId":"4006381333931"}`)); err == nil {
		t.Error("one of several was chosen")
	}
}
