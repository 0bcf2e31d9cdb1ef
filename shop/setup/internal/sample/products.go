package sample

import (
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// coffee is sold by weight, as beans or ground.
type coffee struct {
	name, code  string
	price, kilo int64 // of 250 g and of 1 kg
	tags, taste string
}

var coffees = []coffee{
	{"Guji Natural", "GUJ", 2144, 7490, "single origin, ethiopia, natural, light roast", "Dried in the whole cherry on raised beds. Blueberry, jasmine and a long cocoa finish; our brightest natural this season."},
	{"Yirgacheffe Washed", "YIR", 1990, 6950, "single origin, ethiopia, washed, light roast", "Bergamot, lemon peel and black tea. Brews very clean as a pour-over."},
	{"Sidama Honey", "SID", 1950, 6800, "single origin, ethiopia, honey, light roast", "Apricot and wild honey with a soft, round body."},
	{"Nyeri Peaberry", "NYE", 2290, 7990, "single origin, kenya, washed, light roast", "Only the small round beans. Blackcurrant, rhubarb and brown sugar."},
	{"Kirinyaga AA", "KIR", 2190, 7650, "single origin, kenya, washed, light roast", "Grapefruit and tomato sweetness, lively to the last sip."},
	{"Huila Pink Bourbon", "HUI", 2350, 8190, "single origin, colombia, washed, light roast", "A rare variety from one hillside farm. Pink grapefruit and panela."},
	{"Nariño Washed", "NAR", 1790, 6250, "single origin, colombia, washed, medium roast", "Grown high near the border. Caramel, red apple and milk chocolate."},
	{"Antioquia Caturra", "ANT", 1690, 5890, "single origin, colombia, washed, medium roast", "Toffee and orange; easy to like, hard to spoil."},
	{"Huehuetenango Washed", "HUE", 1820, 6350, "single origin, guatemala, washed, medium roast", "Cocoa, plum and a hint of clove."},
	{"Antigua Volcán", "VOL", 1850, 6450, "single origin, guatemala, washed, medium roast", "Volcanic soil, dark chocolate, toasted almond."},
	{"Tarrazú Honey", "TAR", 1920, 6690, "single origin, costa rica, honey, medium roast", "Brown sugar, peach and a silky body."},
	{"Marcala Washed", "MAR", 1650, 5750, "single origin, honduras, washed, medium roast, organic", "Certified organic. Hazelnut, butter biscuit, mild citrus."},
	{"Cerrado Pulped Natural", "CER", 1550, 5390, "single origin, brazil, natural, medium roast", "Low acidity, peanut brittle, cocoa nib. Good in milk."},
	{"Sul de Minas Natural", "SUL", 1590, 5550, "single origin, brazil, natural, dark roast", "Walnut, molasses and a heavy body for moka pots."},
	{"Cajamarca Organic", "CAJ", 1720, 5990, "single origin, peru, washed, medium roast, organic", "From a women's cooperative. Caramel, fig and cinnamon."},
	{"Gayo Wet-Hulled", "GAY", 1760, 6150, "single origin, indonesia, dark roast", "Cedar, dark cherry and sweet tobacco."},
	{"Toraja Sulotco", "TOR", 1890, 6590, "single origin, indonesia, medium roast", "Syrupy, with maple, spice and ripe plum."},
	{"Kintamani Citrus", "KIN", 1870, 6520, "single origin, indonesia, washed, light roast", "Grown between orange trees, and it shows."},
	{"Lake Kivu Washed", "KIV", 1840, 6420, "single origin, rwanda, washed, light roast", "Red currant, rosehip and cane sugar."},
	{"Kayanza Bourbon", "KAY", 1880, 6560, "single origin, burundi, washed, light roast", "Cranberry, vanilla and a juicy finish."},
	{"Boquete Geisha", "BOQ", 4890, 17900, "single origin, panama, washed, light roast, limited", "Perfumed and delicate: jasmine, mandarin, white peach. A small lot, roasted on Thursdays only."},
	{"Harbor Light Espresso", "HAR", 1640, 5690, "blend, espresso, medium roast", "Our house espresso: chocolate, cherry and thick crema."},
	{"Polar Night Dark Roast", "POL", 1580, 5490, "blend, espresso, dark roast", "Bittersweet chocolate and smoke, for those long evenings."},
	{"First Frost Filter Blend", "FRO", 1620, 5620, "blend, filter, light roast", "Changes with the harvest, always bright and sweet."},
	{"Evening Tide Decaf", "EVE", 1740, 6050, "decaf, medium roast", "Decaffeinated with sugar cane. Praline and red apple, any time of day."},
	{"Cold Deck Brew Blend", "COL", 1490, 5190, "blend, cold brew, dark roast", "Coarse and slow: made to be steeped overnight in cold water."},
	{"Lantern House Blend", "LAN", 1450, 4990, "blend, medium roast", "The one on every breakfast table. Nutty, sweet, dependable."},
}

// good is everything else. Its variants are "value/value price stock", one per entry.
type good struct {
	name, code, kind, tax, tags, taste string
	options                            string // names, comma separated
	variants                           []string
	standard                           int // default variant, -1 for none
}

var goods = []good{
	{"Ridge Ceramic Dripper", "DRI", "Brew gear", "standard", "pour-over, ceramic", "A single-cup dripper with deep ridges that keep the paper off the wall.", "Colour",
		[]string{"White 2800 34", "Slate 2800 21", "Ochre 2950 9"}, 0},
	{"Gooseneck Kettle", "KET", "Brew gear", "standard", "pour-over, electric", "Pours a thin steady line and holds the temperature you set.", "Colour",
		[]string{"Matte black 8900 14", "Brushed steel 8900 8", "Cream 9200 0"}, 0},
	{"Fjord Hand Grinder", "GRI", "Brew gear", "standard", "grinder", "Steel burrs, forty clicks, quiet enough for a shared flat.", "Finish",
		[]string{"Graphite 11900 11", "Walnut 13900 6"}, 0},
	{"Paper Filters", "FIL", "Brew gear", "standard", "pour-over, paper", "Unbleached paper, a hundred to the box.", "Size",
		[]string{"Small 650 120", "Large 750 96"}, -1},
	{"Brew Scale", "SCA", "Brew gear", "standard", "scale", "A tenth of a gram and a timer, rechargeable.", "",
		[]string{" 5400 17"}, 0},
	{"Glass Server", "SER", "Brew gear", "standard", "glass", "Heatproof, with marks for every cup.", "Volume",
		[]string{"400 ml 2400 22", "700 ml 2900 15"}, 1},
	{"Hearth French Press", "PRE", "Brew gear", "standard", "immersion", "Double-walled steel: it stays hot and does not break.", "Volume,Colour",
		[]string{"500 ml/Steel 4900 12", "500 ml/Black 5200 7", "1 l/Steel 6200 10", "1 l/Black 6500 5"}, 2},
	{"Moka Pot", "MOK", "Brew gear", "standard", "stovetop, espresso", "The classic eight-sided pot for the stove, induction included.", "Cups",
		[]string{"3 cups 3600 18", "6 cups 4400 13"}, 0},
	{"Overnight Cold Brew Jar", "JAR", "Brew gear", "standard", "cold brew, glass", "A litre of cold brew by the morning; the filter lifts out.", "",
		[]string{" 3200 25"}, 0},
	{"Cupping Spoon", "SPO", "Brew gear", "standard", "tasting", "Deep and round, for slurping loudly.", "Finish",
		[]string{"Silver 1400 40", "Rainbow 1700 16"}, 0},
	{"Level Tamper", "TAM", "Brew gear", "standard", "espresso", "Stops when it is level.", "Diameter",
		[]string{"53 mm 3900 9", "58 mm 3900 12"}, -1},
	{"Milk Jug", "JUG", "Brew gear", "standard", "espresso, milk", "A sharp spout for people who practise.", "Volume",
		[]string{"350 ml 2200 19", "600 ml 2600 14"}, 0},
	{"Airtight Canister", "CAN", "Brew gear", "standard", "storage", "Presses the air out and keeps a bag of beans fresh for a month.", "Size,Colour",
		[]string{"0.7 l/White 2900 20", "0.7 l/Black 2900 23", "1.2 l/White 3500 11", "1.2 l/Black 3500 13"}, 1},
	{"Grinder Brush", "BRU", "Care", "standard", "cleaning", "Horsehair, with a handle of beech.", "", []string{" 900 44"}, 0},
	{"Descaler", "DES", "Care", "standard", "cleaning", "Citric acid and nothing else, four doses.", "", []string{" 1100 52"}, 0},
	{"Espresso Cleaning Tablets", "TAB", "Care", "standard", "cleaning, espresso", "A tin of sixty for the weekly backflush.", "", []string{" 1500 31"}, 0},
	{"Stoneware Mug", "MUG", "Tableware", "standard", "ceramic", "Thrown in Maine, three hundred millilitres, no two alike.", "Colour",
		[]string{"Fog 2400 28", "Moss 2400 17", "Rust 2400 3", "Midnight 2400 0"}, 0},
	{"Enamel Camp Mug", "ENA", "Tableware", "standard", "outdoor", "Survives the fire and the fall.", "Colour",
		[]string{"Cream 1600 33", "Forest 1600 26"}, 0},
	{"Travel Tumbler", "TUM", "Tableware", "standard", "outdoor", "Keeps coffee hot for six hours and your bag dry.", "Volume,Colour",
		[]string{"350 ml/Sand 3400 12", "350 ml/Navy 3400 15", "480 ml/Sand 3800 8", "480 ml/Navy 3800 10"}, 1},
	{"Espresso Cup Pair", "CUP", "Tableware", "standard", "ceramic, espresso", "Two thick-walled cups with saucers.", "", []string{" 3000 16"}, 0},
	{"Canvas Tote", "TOT", "Merchandise", "standard", "textile", "Carries twelve kilos; we tried.", "Colour",
		[]string{"Natural 1800 47", "Black 1800 38"}, 0},
	{"Northlight T-Shirt", "TEE", "Merchandise", "standard", "textile", "Organic cotton, cut straight, printed by hand.", "Size,Colour",
		[]string{"S/White 2600 9", "S/Navy 2600 8", "M/White 2600 14", "M/Navy 2600 11", "L/White 2600 12", "L/Navy 2600 10", "XL/White 2600 6", "XL/Navy 2600 0"}, -1},
	{"Watch Cap", "CAP", "Merchandise", "standard", "textile, winter", "Merino, made for the pier in February.", "Colour",
		[]string{"Charcoal 2900 18", "Mustard 2900 12"}, 0},
	{"Roaster's Apron", "APR", "Merchandise", "standard", "textile", "Waxed canvas with a pocket for the notebook.", "", []string{" 4800 7"}, 0},
	{"Cold Brew Cans", "CBC", "Drinks", "food", "cold brew, ready to drink", "Brewed for eighteen hours, canned the same day.", "Pack",
		[]string{"4 cans 1400 36", "12 cans 3900 18"}, 0},
	{"Instant Sachets", "INS", "Drinks", "food", "travel", "Freeze-dried from our filter blend: for tents and trains.", "Pack",
		[]string{"6 sachets 1250 42", "24 sachets 4400 15"}, 0},
	{"Drinking Chocolate", "CHO", "Drinks", "food", "cacao", "Seventy per cent, flakes rather than powder.", "Weight",
		[]string{"250 g 1300 29", "1 kg 4400 9"}, 0},
	{"Masala Chai", "CHA", "Drinks", "food", "tea", "Assam leaf with cardamom, ginger and black pepper.", "Weight",
		[]string{"100 g 1150 24", "500 g 4600 8"}, 0},
	{"Maple Syrup", "MAP", "Pantry", "food", "maine", "From Farmington, dark, in glass.", "", []string{" 1900 21"}, 0},
	{"Salted Caramels", "CAR", "Pantry", "food", "maine, sweets", "Cooked with espresso and sea salt.", "Pack",
		[]string{"12 pieces 1200 30", "36 pieces 3200 12"}, 0},
	{"Origins Tasting Flight", "FLI", "Gift sets", "food", "gift, single origin", "Five small tins from five countries, with a tasting sheet.", "Grind",
		[]string{"Whole bean 3800 16", "Ground 3800 13"}, 0},
	{"Brew at Home Kit", "KIT", "Gift sets", "standard", "gift, pour-over", "Dripper, filters, server and a tin of the house blend.", "", []string{" 7900 10"}, 0},
	{"Saturday Roasting Class", "CLA", "Services", "standard", "class", "Three hours at the small roaster, for two; you take home what you roast.", "", []string{" 12000 -1"}, 0},
	{"Gift Card", "GFT", "Gift cards", "none", "gift", "Sent by mail or on paper; valid for anything we sell.", "Value",
		[]string{"$25 2500 -1", "$50 5000 -1", "$100 10000 -1"}, -1},
}

func products(r *dice) []Product {
	var all []Product
	for _, c := range coffees {
		p := start(c.name, c.taste, "Coffee", "food", c.tags)
		p.Options = []string{"Size", "Grind"}
		for _, size := range []struct {
			name, code string
			price      int64
		}{{"250 g", "250", c.price}, {"1 kg", "1K", c.kilo}} {
			for _, grind := range []struct{ name, code string }{{"Whole bean", "WB"}, {"Ground", "GR"}} {
				p.add(fmt.Sprintf("NL-%s-%s-%s", c.code, size.code, grind.code), []string{size.name, grind.name}, size.price, int64(12+r.roll(70)))
			}
		}
		switch c.code {
		case "GUJ":
			p.Variants[0].Stock = 84
		case "BOQ": // a limited lot: little left, no kilos ground
			p.Variants[0].Stock, p.Variants[1].Stock, p.Variants[2].Stock, p.Variants[3].Stock = 4, 0, 1, 0
			p.Variants[3].Withdrawn = true
		}
		all = append(all, p)
	}
	for _, g := range goods {
		p := start(g.name, g.taste, g.kind, g.tax, g.tags)
		p.Default = g.standard
		if g.options != "" {
			p.Options = strings.Split(g.options, ",")
		}
		for i, v := range g.variants {
			words := strings.Split(v, " ")
			n := len(words)
			var values []string
			if name := strings.Join(words[:n-2], " "); name != "" {
				values = strings.Split(name, "/")
			}
			p.add(fmt.Sprintf("NL-%s-%02d", g.code, i+1), values, number(words[n-2]), number(words[n-1]))
		}
		all = append(all, p)
	}
	return all
}

func start(name, description, kind, tax, tags string) Product {
	slug := text.Slug(name, 60)
	return Product{ID: "prd_" + slug, Handle: strings.ReplaceAll(slug, "_", "-"), Name: name, Description: description, Kind: kind, Tax: tax, Tags: strings.Split(tags, ", ")}
}

func (p *Product) add(sku string, values []string, price, stock int64) {
	n := len(p.Variants) + 1
	p.Variants = append(p.Variants, Variant{
		ID: fmt.Sprintf("var_%s_%d", strings.TrimPrefix(p.ID, "prd_"), n), SKU: sku, Barcode: barcode(sku),
		Values: values, Price: price, Stock: stock,
	})
}

// barcode makes an EAN-13 from the range for use inside a shop, with a true check digit.
func barcode(sku string) string {
	var h uint64 = 14695981039346656037
	for _, b := range []byte(sku) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	digits := fmt.Sprintf("200%09d", h%1_000_000_000)
	sum := 0
	for i, d := range digits {
		weight := 1
		if i%2 == 1 {
			weight = 3
		}
		sum += int(d-'0') * weight
	}
	return fmt.Sprintf("%s%d", digits, (10-sum%10)%10)
}

func number(s string) int64 {
	var n int64
	if _, err := fmt.Sscan(s, &n); err != nil {
		panic("sample: " + s + " is not a number") // the tables above are wrong
	}
	return n
}
