package e2e

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
)

// counterShop is a shop with something in a walk-in customer's cart.
type counterShop struct {
	name, country, currency string
	products                [12]string // the first has two pieces in the cart, the second one
	people                  [4]string  // the first has an order of a product with sizes
	held                    string
}

// make returns a maker of the shop.
func (c counterShop) make() func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		steps := [][2]string{{"shop.setUp", fmt.Sprintf(`{"from":"empty","name":%q,"country":%q}`, c.name, c.country)}}
		sized := 0
		for i, name := range c.products {
			variants := fmt.Sprintf(`{"sku":"A%d","price":{"amount":%d,"currency":%q},"stock":40}`, i+1, 390+110*i,
				c.currency)
			options := "[]"
			if of, values, some := strings.Cut(name, ":"); some {
				name, options, variants = of, `["Size"]`, ""
				for v := range strings.SplitSeq(values, ",") {
					sized++
					variants += fmt.Sprintf(`,{"sku":"S%d","options":{"Size":%q},"price":{"amount":1290,"currency":%q},"stock":12}`,
						sized, v, c.currency)
				}
				variants = variants[1:]
			}
			steps = append(steps, [2]string{"catalog.createProduct", fmt.Sprintf(`{"name":%q,"options":%s,"variants":[%s]}`,
				name, options, variants)})
		}
		for _, name := range c.people {
			steps = append(steps, [2]string{"customer.create", fmt.Sprintf(`{"name":%q,"phone":"0151 20001%d"}`, name, len(name))})
		}
		return shopOf(append(steps, [][2]string{
			{"cart.addItem", fmt.Sprintf(`{"productId":"S%d","quantity":1}`, sized)},
			{"checkout.submit", `{"paymentMethodId":"cash"}`},
			{"cart.addItem", `{"productId":"A3","quantity":1}`}, {"cart.hold", fmt.Sprintf(`{"label":%q}`, c.held)},
			{"cart.addItem", `{"productId":"A1","quantity":2}`}, {"cart.addItem", `{"productId":"A2","quantity":1}`},
		}...))
	})
}

func bicycleShop() counterShop {
	return counterShop{name: "Wheelhouse", country: "GB", currency: "GBP", held: "Lowe",
		people: [4]string{"Jörg Müller", "Dmitri Petrov", "Siobhan O'Keefe", "Frances Lowe"},
		products: [12]string{"Bell", "Brake Cable", "Chain Oil", "Bottle Cage", "Front Light", "Rear Light",
			"Inner Tube:26 inch,28 inch", "Helmet:S,L,M", "Floor Pump", "Grips", "Mudguard", "Pannier Bag"}}
}

// TestA3TheCounterIsUnderstood tries sentences of selling in shops other than the sample. Those of the stationery and
// the garden were written by persons who had not seen the phrases. So were those of the bakery, of which only wrong ones
// were mended, and of the outdoor and the yarn shop, of which general faults were.
//
// holds: A3
func TestA3TheCounterIsUnderstood(t *testing.T) {
	hardware := counterShop{name: "Hansen & Sohn", country: "GB", currency: "GBP", held: "Nair",
		people: [4]string{"Tom Fielding", "Priya Nair", "Anneliese Brandt", "O'Connor Builders"},
		products: [12]string{"Masking Tape", "Claw Hammer", "Duct Tape", "Padlock", "LED Bulb", "Garden Hose",
			"Work Gloves:M,L,XL", "White Emulsion:2.5 l,5 l", "Sandpaper", "Extension Lead", "Paint Brush", "Wood Screws"}}
	eisenwaren := hardware
	eisenwaren.country, eisenwaren.currency = "DE", "EUR"
	eisenwaren.products = [12]string{"Kreppband", "Hammer", "Gewebeband", "Vorhängeschloss", "LED-Lampe",
		"Gartenschlauch", "Arbeitshandschuhe:M,L,XL", "Wandfarbe:2.5 l,5 l", "Schleifpapier", "Verlängerungskabel",
		"Malerpinsel", "Holzschrauben"}
	bicycles := bicycleShop()
	fahrraeder := bicycles
	fahrraeder.name, fahrraeder.country, fahrraeder.currency = "Radhaus", "DE", "EUR"
	fahrraeder.products = [12]string{"Klingel", "Bremszug", "Kettenöl", "Flaschenhalter", "Vorderlicht", "Rücklicht",
		"Schlauch:26 Zoll,28 Zoll", "Helm:S,L,M", "Standpumpe", "Griffe", "Schutzblech", "Packtasche"}
	flowers := counterShop{name: "Fern & Thistle", country: "GB", currency: "GBP", held: "Almeida",
		people: [4]string{"Rose Whitaker", "Marek Nowak", "Ines Almeida", "Hotel Astoria"},
		products: [12]string{"Rose", "Tulip Bunch", "Terracotta Pot", "Watering Can", "Potting Soil", "Fern",
			"Bouquet:small,medium,large", "Candle:lavender,vanilla", "Greeting Card", "Ribbon", "Orchid", "Vase"}}
	blumen := flowers
	blumen.name, blumen.country, blumen.currency, blumen.people[0] = "Farn & Distel", "DE", "EUR", "Rosa Wittig"
	blumen.products = [12]string{"Rose", "Tulpenbund", "Terrakottatopf", "Gießkanne", "Blumenerde", "Farn",
		"Strauß:klein,mittel,groß", "Kerze:Lavendel,Vanille", "Grußkarte", "Schleifenband", "Orchidee", "Vase"}
	toys := counterShop{name: "Paper Kite", country: "GB", currency: "GBP", held: "Lindqvist",
		people: [4]string{"Hanna Berg", "Tomas Silva", "Greta Lindqvist", "Kita Sonnenschein"},
		products: [12]string{"Notebook", "Gel Pen", "Jigsaw Puzzle", "Glue Stick", "Board Game", "Teddy Bear",
			"T-Shirt:small,medium,large", "Balloon:red,blue", "Eraser", "Wrapping Paper", "Ruler", "Calendar"}}
	spielwaren := toys
	spielwaren.name, spielwaren.country, spielwaren.currency = "Papierdrachen", "DE", "EUR"
	spielwaren.products = [12]string{"Notizbuch", "Gelstift", "Puzzle", "Klebestift", "Brettspiel", "Teddybär",
		"T-Shirt:klein,mittel,groß", "Luftballon:rot,blau", "Radiergummi", "Geschenkpapier", "Lineal", "Kalender"}
	garden := counterShop{name: "Hedge & Hound", country: "GB", currency: "GBP", held: "Lind",
		people: [4]string{"Ewan Baxter", "Nadia Rossi", "Oskar Lind", "Tierheim Nord"},
		products: [12]string{"Dog Lead", "Bird Seed", "Garden Fork", "Hose Reel", "Cat Litter", "Squeaky Toy",
			"Rain Jacket:S,M,L", "Collar:black,green", "Lawn Seed", "Trowel", "Bone", "Lantern"}}
	garten := garden
	garten.name, garten.country, garten.currency = "Hecke & Hund", "DE", "EUR"
	garten.products = [12]string{"Hundeleine", "Vogelfutter", "Grabegabel", "Schlauchwagen", "Katzenstreu",
		"Quietschspielzeug", "Regenjacke:S,M,L", "Halsband:schwarz,grün", "Rasensamen", "Handschaufel", "Knochen", "Laterne"}
	bakery := counterShop{name: "Crumb & Quill", country: "GB", currency: "GBP", held: "Turner",
		people: [4]string{"Amira Khan", "Lukas Brandt", "Sophie Turner", "Café Morgenrot"},
		products: [12]string{"Sourdough Loaf", "Cinnamon Roll", "Baguette", "Cheesecake", "Oat Cookie", "Apron",
			"Mug:small,large", "Tote Bag:navy,cream", "Cookbook", "Bookmark", "Fountain Pen", "Tea Tin"}}
	backstube := bakery
	backstube.name, backstube.country, backstube.currency = "Krume & Kiel", "DE", "EUR"
	backstube.products = [12]string{"Sauerteigbrot", "Zimtschnecke", "Baguette", "Käsekuchen", "Haferkeks", "Schürze",
		"Becher:klein,groß", "Stoffbeutel:blau,creme", "Kochbuch", "Lesezeichen", "Füller", "Teedose"}
	outdoor := counterShop{name: "Cairn & Tarn", country: "GB", currency: "GBP", held: "Novak",
		people: [4]string{"Hamish Reid", "Aylin Demir", "Petra Novak", "Mountain Rescue North"},
		products: [12]string{"Camp Stove", "Water Bottle", "Head Torch", "Tent Pegs", "Rope", "Map Case",
			"Fleece:S,M,L", "Dry Bag:small,large", "Compass", "Walking Poles", "Gas Canister", "Trail Mix"}}
	bergladen := outdoor
	bergladen.name, bergladen.country, bergladen.currency, bergladen.people[3] = "Fels & See", "DE", "EUR", "Bergwacht Nord"
	bergladen.products = [12]string{"Gaskocher", "Trinkflasche", "Stirnlampe", "Zeltheringe", "Kletterseil", "Kartenhülle",
		"Fleecejacke:S,M,L", "Packsack:klein,groß", "Kompass", "Wanderstöcke", "Gaskartusche", "Studentenfutter"}
	yarn := counterShop{name: "Yarn & Kettle", country: "GB", currency: "GBP", held: "Hoffmann",
		people: [4]string{"Maisie Grant", "Emre Yilmaz", "Clara Hoffmann", "Guild of Weavers"},
		products: [12]string{"Sock Yarn", "Teapot", "Knitting Needles", "Green Tea", "Honey Jar", "Stitch Markers",
			"Jumper:S,M,L", "Tea Towel:small,large", "Button Box", "Crochet Hook", "Tea Strainer", "Pattern Book"}}
	wolle := yarn
	wolle.name, wolle.country, wolle.currency, wolle.people[3] = "Garn & Kessel", "DE", "EUR", "Weberzunft"
	wolle.products = [12]string{"Sockenwolle", "Teekanne", "Stricknadeln", "Grüntee", "Honigglas", "Maschenmarkierer",
		"Pullover:S,M,L", "Geschirrtuch:klein,groß", "Knopfdose", "Häkelnadel", "Teesieb", "Strickbuch"}
	for name, of := range map[string]struct {
		shop  counterShop
		least int // right at once, within one tap or by a form; it only rises
	}{
		"counter/english.txt": {hardware, 58}, "counter/german.txt": {eisenwaren, 57},
		"bicycles/english.txt": {bicycles, 58}, "bicycles/german.txt": {fahrraeder, 57},
		"garden/english.txt": {garden, 50}, "garden/german.txt": {garten, 52},
		"stationery/english.txt": {toys, 55}, "stationery/german.txt": {spielwaren, 54},
		"flowers/english.txt": {flowers, 57}, "flowers/german.txt": {blumen, 54},
		"bakery/english.txt": {bakery, 42}, "bakery/german.txt": {backstube, 46},
		"outdoor/english.txt": {outdoor, 46}, "outdoor/german.txt": {bergladen, 45},
		"yarn/english.txt": {yarn, 38}, "yarn/german.txt": {wolle, 34},
		"bicycles/siblings.txt": {bicycles, 24}, "bicycles/geschwister.txt": {fahrraeder, 20},
		"bicycles/talks.txt": {bicycles, 13}, "bicycles/gespraeche.txt": {fahrraeder, 11},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			maker := of.shop.make()
			list := readPhrases(t, filepath.Join("internal/e2e/testdata/phrases", name))
			order := orderIn(t, maker)
			for i := range list {
				list[i].number(order)
			}
			m := measure(t, list, maker, desk.DoorWindow)
			for _, line := range m.log {
				t.Log(line)
			}
			t.Logf("%d sentences: %d right at once, %d within one tap or by a form, %d wrong", m.all, m.atOnce, m.within, m.wrong)
			if m.within < of.least || m.wrong > 0 {
				t.Errorf("fewer than %d were understood, or something wrong was done", of.least)
			}
		})
	}
}

// orderIn is the number of the only order of a shop, without its letter.
func orderIn(t *testing.T, maker func() (string, error)) (number string) {
	t.Helper()
	err := newTalkRoom(t, maker, desk.DoorWindow).desk.Log.View(t.Context(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, `SELECT substr(id, 3) FROM orders`).Scan(&number)
	})
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// number puts the number of an order in the place of 1001.
func (h *heard) number(order string) {
	for i := range h.said {
		h.said[i] = strings.ReplaceAll(h.said[i], "1001", order)
	}
	for _, w := range h.want {
		if w.args["orderId"] != "" {
			w.args["orderId"] = order
		}
	}
}

// TestA3AnswersAreOneSentence tries answers in the language of the question, and a question about a cart that is empty.
//
// holds: A3
func TestA3AnswersAreOneSentence(t *testing.T) {
	shop := bicycleShop().make()
	for _, of := range []struct {
		said []string
		want string
	}{
		{[]string{"what did we take today"}, "Today: 1 order, £12.90."},
		{[]string{"was haben wir heute eingenommen"}, "Heute: 1 Bestellung, £12.90."},
		{[]string{"what is in the cart"}, "£12.80 for 3 pieces: Bell, Brake Cable."},
		{[]string{"was ist im Warenkorb"}, "£12.80 für 3 Stück: Bell, Brake Cable."},
		{[]string{"empty the cart", "what is in the cart"}, "The cart is empty."},
		{[]string{"empty the cart", "submit my order to my home address"}, "That did not work. The cart is empty."},
		{[]string{"which carts are on hold"}, "Lowe."},
	} {
		t.Run(of.said[len(of.said)-1], func(t *testing.T) {
			if got := newTalkRoom(t, shop, "test").say(t, of.said, false).text; got != of.want {
				t.Errorf("%q", got)
			}
		})
	}
}
