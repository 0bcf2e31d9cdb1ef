//go:build soak && host && linux

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/faulttest"
	"github.com/deskhand/deskhand/internal/natstest"
)

// kindOfWork is work in the middle of which the power is cut.
type kindOfWork struct {
	name, does string
	short      bool // examined by the short form too
	slow       int  // a state costs so many times more than others
	keys       bool // what was answered is sent again
	noShop     bool // the work makes it
	purges     bool // records of answers are removed
	elsewhere  bool // answers are recorded in another folder
	prepare    func(o *outage)
	work       func(o *outage)
	look       func(o *outage, folder string, events int) (wrong []string) // nil: the shop is examined
}

const (
	emptyShop  = `{"from":"empty","name":"Corner Shop","country":"US"}`
	oneProduct = `{"name":"Tin","variants":[{"price":{"amount":100,"currency":"USD"},"stock":9}]}`
	person     = `{"name":"Kim Example %d","email":"kim%d@example.com"}`
)

// newShop makes an empty shop.
func newShop(o *outage, folder string) *desk.Desk {
	o.t.Helper()
	d, err := desk.Open(o.t.Context(), desk.Options{Folder: folder, Door: "cli", Create: true})
	if err != nil {
		o.t.Fatal(err)
	}
	desktest.Must(o.t, d, bus.CallerTest, "shop.setUp", emptyShop, nil)
	return d
}

// small makes a shop with two products and three customers.
func small(o *outage) { beforehand(func(*desk.Desk, *outage) {})(o) }

// beforehand makes the small shop and does work in it that is not traced.
func beforehand(work func(d *desk.Desk, o *outage)) func(*outage) {
	return func(o *outage) {
		o.t.Helper()
		d := newShop(o, o.data)
		for i := range 2 {
			desktest.Must(o.t, d, bus.CallerTest, "catalog.createProduct", fmt.Sprintf(`{"name":"Cup %d","variants":[{"sku":"CUP-%d",
				"price":{"amount":%d,"currency":"USD"},"stock":5000}]}`, i, i, 500+i), nil)
		}
		for i := range 3 {
			desktest.Must(o.t, d, bus.CallerTest, "customer.create", fmt.Sprintf(person, i, i), nil)
		}
		work(d, o)
		if err := d.Close(); err != nil {
			o.t.Fatal(err)
		}
	}
}

// ids are the variants and customers of the shop.
func (p *running) ids() (variants, customers []string) {
	for i := range 2 {
		variants = append(variants, p.look("catalog.search", `{"query":"cup"}`).field(fmt.Sprintf("products.%d.variants.0.id", i)))
	}
	for i := range 3 {
		customers = append(customers, p.look("customer.search", `{}`).field(fmt.Sprintf("customers.%d.id", i)))
	}
	return variants, customers
}

// look sends a person's look-up, which may be stored later than it is answered.
func (p *running) look(capability, args string) answerData {
	p.o.t.Helper()
	p.n++
	return p.talk(&saying{inv: bus.Invocation{Capability: capability, RequestID: fmt.Sprintf("%s-%d", p.name, p.n),
		Arguments: json.RawMessage(args)}, look: true})
}

// sell makes a sale and returns its order.
func (p *running) sell(variant string) string {
	p.o.t.Helper()
	product := p.look("catalog.search", `{"query":"cup"}`)
	for i := range 2 {
		if product.field(fmt.Sprintf("products.%d.variants.0.id", i)) == variant {
			p.say("cart.addItem", `{"productId":%q,"quantity":2}`, product.field(fmt.Sprintf("products.%d.id", i)))
		}
	}
	return p.say("checkout.submit", `{"paymentMethodId":"cash","fulfilment":"takeAway"}`).field("orderId")
}

// mixed sends lines of a day.
func (p *running) mixed(n int) {
	p.o.t.Helper()
	variants, customers := p.ids()
	for range n {
		switch r := p.o.random; r.IntN(9) {
		case 0, 1:
			p.sell(variants[r.IntN(2)])
		case 2:
			p.say("catalog.adjustStock", `{"variantId":%q,"delta":%d,"reason":"counted"}`, variants[r.IntN(2)], 1+r.IntN(9))
		case 3:
			p.say("customer.create", person, 1000+p.n, 1000+p.n)
		case 4:
			p.say("customer.addNote", `{"customerId":%q,"text":%q}`, customers[r.IntN(2)], strings.Repeat("n ", 1+r.IntN(400)))
		case 5:
			p.say("catalog.setPrice", `{"variantId":%q,"price":{"amount":%d,"currency":"USD"}}`, variants[r.IntN(2)], 1000+r.IntN(2000))
		case 6:
			p.line("cart.addItem", true, bus.NotFound, `{"productId":"prd_nothing","quantity":1}`)
		case 7:
			p.line("theme.toggle", false, "", `{}`)
		case 8:
			p.again(fmt.Sprintf("%s-%d", p.name, p.keyed()))
		}
	}
}

// keyed is the number of the last line of success with a key, of which there is one after the first sale.
func (p *running) keyed() int {
	for n := p.n; n > 0; n-- {
		if l := p.o.said[fmt.Sprintf("%s-%d", p.name, n)]; l != nil && l.inv.IdempotencyKey != "" && l.want == "" {
			return n
		}
	}
	variants, _ := p.ids()
	p.sell(variants[0])
	return p.n
}

// on runs work at one program on the shop.
func on(work func(p *running)) func(*outage) {
	return func(o *outage) {
		o.t.Helper()
		p := o.bus(o.data)
		work(p)
		p.end()
	}
}

// kindsOfWork are all of them.
var kindsOfWork = []kindOfWork{
	{name: "sales", does: "a day at one program: sales, goods, people, refusals, keys that are sent again", short: true,
		keys: true, prepare: small, work: on(func(p *running) { p.mixed(60) })},
	{name: "two programs", does: "two programs sell at once", keys: true, prepare: small, work: func(o *outage) {
		a, b := o.bus(o.data), o.bus(o.data)
		for range 14 {
			a.mixed(2)
			b.mixed(2)
		}
		a.end()
		b.end()
	}},
	{name: "a new shop", does: "the shop is made", noShop: true, short: true, work: func(o *outage) {
		p := o.program("deskhand", "--data", o.data, "init", "--empty", "--name", "Corner Shop")
		if said := p.end(); !strings.Contains(said, "ready") {
			o.t.Fatal(said)
		}
		p = o.bus(o.data)
		p.say("settings.set", `{"section":"shop","values":{"phone":"1"}}`)
		p.end()
	}},
	{name: "undo", does: "changes are undone", keys: true, prepare: small, work: on(func(p *running) {
		variants, customers := p.ids()
		for i := range 8 {
			p.say("catalog.setPrice", `{"variantId":%q,"price":{"amount":%d,"currency":"USD"}}`, variants[i%2], 700+i)
			p.say("audit.undo", `{"requestId":"%s-%d"}`, p.name, p.n)
			p.say("customer.update", `{"customerId":%q,"phone":"+1 212 555 01%02d"}`, customers[i%3], i)
			p.say("audit.undo", `{"requestId":"%s-%d"}`, p.name, p.n)
		}
	})},
	{name: "erasure", does: "people are erased between sales", prepare: small, work: on(func(p *running) {
		variants, customers := p.ids()
		p.say("customer.addNote", `{"customerId":%q,"text":"Likes blue"}`, customers[0])
		p.mixed(6)
		p.say("customer.erase", `{"customerId":%q}`, customers[2])
		p.sell(variants[0])
		p.say("customer.erase", `{"customerId":%q}`, customers[1])
		p.say("audit.rebuildRollups", `{}`)
		p.sell(variants[1])
	})},
	{name: "import", does: "files of products and customers are imported", keys: true, prepare: func(o *outage) {
		small(o)
		text := "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\n"
		for i := range 120 {
			text += fmt.Sprintf("mug-%d,Mug %d,Title,Default Title,MUG-%d,%d.50,%d\n", i, i, i, i+1, i)
		}
		o.file("products.csv", []byte(text))
	}, work: on(func(p *running) {
		variants, _ := p.ids()
		p.sell(variants[0])
		p.say("shop.importCSV", `{"file":%q,"kind":"products","currency":"USD"}`, filepath.Join(p.o.beside, "products.csv"))
		p.sell(variants[0])
		p.say("shop.importCSV", `{"file":%q,"kind":"products","currency":"USD"}`, filepath.Join(p.o.beside, "products.csv"))
	})},
	{name: "a shop from a file", does: "a whole shop is read from its file", noShop: true, prepare: func(o *outage) {
		from := filepath.Join(o.beside, "from")
		d := newShop(o, from)
		r, err := d.Invoke(o.t.Context(), "shop.export", struct{}{}, "test")
		if err != nil || !r.OK() {
			o.t.Fatal(r.Err, err)
		}
		if err := d.Close(); err != nil {
			o.t.Fatal(err)
		}
		file := answerData(r.Data).field("file")
		if !filepath.IsAbs(file) {
			file = filepath.Join(from, file)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			o.t.Fatal(err)
		}
		o.file("shop.json", raw)
	}, work: func(o *outage) {
		p := o.program("deskhand", "--data", o.data, "init", "--from", filepath.Join(o.beside, "shop.json"))
		if said := p.end(); !strings.Contains(said, "ready") {
			o.t.Fatal(said)
		}
	}},
	{name: "copies", does: "copies, exports and documents are written", short: true, keys: true, prepare: small,
		work: on(func(p *running) {
			variants, _ := p.ids()
			order := p.sell(variants[0])
			p.say("shop.backup", `{}`)
			p.say("shop.export", `{}`)
			p.say("document.export", `{"kind":"orders","format":"csv"}`)
			p.say("document.export", `{"kind":"receipt","format":"pdf","orderId":%q}`, order)
			p.say("document.export", `{"kind":"sales","format":"xlsx"}`)
			p.say("audit.export", `{"format":"jsonl"}`)
			p.say("shop.setDailyBackup", `{"daily":true}`)
			p.sell(variants[1])
			p.say("shop.backup", `{}`)
		})},
	{name: "restore", does: "a copy is put back, and work goes on", prepare: beforehand(func(d *desk.Desk, o *outage) {
		desktest.Must(o.t, d, bus.CallerTest, "shop.backup", `{}`, nil)
		for i := range 30 {
			desktest.Must(o.t, d, bus.CallerTest, "customer.create", fmt.Sprintf(person, 100+i, 100+i), nil)
		}
	}), work: on(func(p *running) {
		p.say("shop.restore", `{}`)
		p.mixed(8)
	})},
	{name: "purge", does: "old records are removed", slow: 12, purges: true, prepare: beforehand(func(d *desk.Desk, o *outage) {
		for range 10_050 {
			desktest.Must(o.t, d, bus.CallerTest, "theme.toggle", `{}`, nil)
		}
	}), work: on(func(p *running) {
		variants, _ := p.ids()
		p.sell(variants[0])
		p.say("data.purge", `{"before":"2999-01-01"}`)
		p.sell(variants[1])
	})},
	{name: "drafts", does: "drafts are made, worked in, merged and discarded", prepare: small, work: func(o *outage) {
		p := o.bus(o.data)
		variants, customers := p.ids()
		for i := range 2 {
			draft := p.say("draft.open", `{}`).field("draftId")
			if i == 0 {
				other := o.bus(filepath.Join(o.data, "drafts", draft))
				for n := range 3 { // the records of a draft are its own
					other.look("customer.addNote", fmt.Sprintf(`{"customerId":%q,"text":"Drafted %d"}`, customers[0], n))
				}
				other.end()
				p.sell(variants[0])
				p.line("draft.merge", false, "", `{"draftId":%q}`, draft)
			} else {
				p.line("draft.discard", false, "", `{"draftId":%q}`, draft)
			}
			p.sell(variants[1])
		}
		p.end()
	}},
	{name: "routine", does: "a routine is saved, run and removed", prepare: small, work: on(func(p *running) {
		variants, customers := p.ids()
		for i := range 3 {
			routine := p.say("routine.save", `{"name":"Evening %d","steps":[{"capability":"customer.addNote","arguments":{"customerId":%q,
				"text":"Evening"}},{"capability":"catalog.adjustStock","arguments":{"variantId":%q,"delta":1,"reason":"counted"}}]}`,
				i, customers[0], variants[0]).field("id")
			p.say("routine.run", `{"routineId":%q}`, routine)
			p.say("routine.run", `{"routineId":%q}`, routine)
			p.say("routine.remove", `{"routineId":%q}`, routine)
		}
	})},
	{name: "plan", does: "several things are done as one", keys: true, prepare: small, work: on(func(p *running) {
		variants, customers := p.ids()
		for i := range 8 {
			p.say("plan.propose", `{"steps":[{"capability":"customer.addNote","arguments":{"customerId":%q,"text":"Step %d"}},
				{"capability":"catalog.adjustStock","arguments":{"variantId":%q,"delta":1,"reason":"counted"}}]}`, customers[i%3], i,
				variants[i%2])
		}
	})},
	{name: "closings", does: "the day is closed again and again", prepare: small, work: on(func(p *running) {
		variants, _ := p.ids()
		for i := range 5 {
			p.sell(variants[i%2])
			p.say("day.close", `{"counted":{"amount":%d,"currency":"USD"}}`, 1000+i)
		}
	})},
	{name: "cash", does: "cash is moved", keys: true, prepare: small, work: on(func(p *running) {
		for i := range 16 {
			p.say("cash.move", `{"amount":{"amount":%d,"currency":"USD"},"reason":"change %d"}`, 500-100*(i%4), i)
		}
	})},
	{name: "settings", does: "settings, staff, model and rules are changed", prepare: func(o *outage) {
		small(o)
		var raw bytes.Buffer
		if err := png.Encode(&raw, image.NewRGBA(image.Rect(0, 0, 64, 64))); err != nil {
			o.t.Fatal(err)
		}
		o.file("logo.png", raw.Bytes())
	}, work: on(func(p *running) {
		variants, _ := p.ids()
		logo := filepath.Join(p.o.beside, "logo.png")
		p.say("settings.set", `{"section":"shop","values":{"phone":"+1 212 555 0100","footer":"Come again"}}`)
		p.say("settings.set", `{"section":"model","values":{"endpoint":"http://127.0.0.1:9/v1","model":"small"}}`)
		p.say("settings.setLogo", `{"file":%q}`, logo)
		p.say("settings.set", `{"section":"limits","values":{"discountPercent":10}}`)
		p.say("policy.set", `{"rules":[{"capability":"cart.clear","rule":"forbidden"}]}`)
		p.say("assistant.setRules", `{"text":"Be brief."}`)
		p.say("assistant.setMasked", `{"masked":true}`)
		p.say("view.save", `{"list":"order.search","name":"Mine","values":{}}`)
		p.say("language.set", `{"language":"de"}`)
		p.say("audit.saveFilter", `{"name":"a","filter":{}}`)
		p.sell(variants[0])
	})},
	{name: "orders", does: "orders are delivered, returned and cancelled", keys: true, prepare: small, work: on(func(p *running) {
		variants, customers := p.ids()
		address := p.say("customer.addAddress", `{"customerId":%q,"address":{"line1":"1 Way","city":"Town","postalCode":"10001",
			"country":"US"}}`, customers[0]).field("addressId")
		product := p.look("catalog.search", `{"query":"cup"}`).field("products.0.id")
		for i := range 3 {
			p.say("cart.setCustomer", `{"customerId":%q}`, customers[0])
			p.say("cart.addItem", `{"productId":%q,"quantity":2}`, product)
			order := p.say("checkout.submit", `{"paymentMethodId":"cash","fulfilment":"deliver","shippingAddressId":%q}`,
				address).field("orderId")
			p.say("order.addNote", `{"orderId":%q,"text":"Ring twice"}`, order)
			if i == 0 {
				p.say("order.cancel", `{"orderId":%q,"reason":"no longer needed"}`, order)
				continue
			}
			p.say("order.process", `{"orderId":%q}`, order)
			p.say("order.fulfil", `{"orderId":%q}`, order)
			p.say("order.deliver", `{"orderId":%q}`, order)
		}
		order := p.sell(variants[0])
		p.say("order.returnNow", `{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"restock":true}`, order, variants[0])
	})},
	{name: "people", does: "customers are changed and merged", keys: true, prepare: small, work: on(func(p *running) {
		for i := range 6 {
			a := p.say("customer.create", person, 50+i, 50+i).field("customerId")
			b := p.say("customer.create", person, 70+i, 70+i).field("customerId")
			p.say("customer.addNote", `{"customerId":%q,"text":"Twice"}`, b)
			p.say("customer.update", `{"customerId":%q,"name":"Kim Changed"}`, a)
			p.say("customer.merge", `{"keep":%q,"remove":%q}`, a, b)
		}
	})},
	{name: "assistant", does: "the built-in assistant works in conversations", prepare: small, work: func(o *outage) {
		for _, text := range []string{"show the cart", "add a cup 1 to the cart", "set the price of cup 0 to $9"} {
			p := o.program("deskhand", "--data", o.data, "chat", text)
			p.end()
		}
		p := o.bus(o.data)
		variants, _ := p.ids()
		p.sell(variants[0])
		p.end()
	}},
	{name: "cut again", does: "power is cut again while the program opens what the first cut left", prepare: func(o *outage) {
		at := kindOfWork{name: "first cut", prepare: small, work: on(func(p *running) { p.mixed(16) })}
		first := record(o.t, at)
		d := first.start.Copy()
		for i := range first.events[:len(first.events)*3/4] {
			d.Step(&first.events[i])
		}
		o.write(d.Cut(faulttest.Pages, o.random), o.root)
	}, work: on(func(p *running) { p.mixed(10) })},
	{name: "files", does: "files are replaced", short: true, work: func(o *outage) {
		p := o.program("deskhand-files", filepath.Join(o.data, "kept.json"))
		p.end()
	}, look: filesKept},
	{name: "configuration", does: "the settings of another program are changed", prepare: func(o *outage) {
		small(o)
		p := filepath.Join(o.root, "home", ".cursor")
		if err := os.MkdirAll(p, 0o700); err != nil {
			o.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p, "mcp.json"), []byte(`{"mcpServers":{"other":{"command":"x"}},"keep":"`+
			strings.Repeat("y", 6000)+`"}`), 0o600); err != nil {
			o.t.Fatal(err)
		}
		if code := execute(o.t.Context(), []string{"--data", o.data, "mcp", "enrol", "cursor"}, strings.NewReader(""), io.Discard,
			io.Discard); code != 0 {
			o.t.Fatal("enrol")
		}
	}, work: func(o *outage) {
		p := o.program("env", "HOME="+filepath.Join(o.root, "home"), "deskhand", "--data", o.data, "mcp", "install", "cursor", "--yes")
		if said := p.end(); !strings.Contains(said, "cursor") {
			o.t.Fatal(said)
		}
	}, look: func(_ *outage, folder string, _ int) (wrong []string) {
		raw, err := os.ReadFile(filepath.Join(folder, "home", ".cursor", "mcp.json"))
		var kept struct{ Keep string }
		if err != nil || json.Unmarshal(raw, &kept) != nil || len(kept.Keep) != 6000 {
			return []string{fmt.Sprintf("the settings of the other program: %d bytes, %v", len(raw), err)}
		}
		return nil
	}},
	{name: "a till joins", does: "a till joins a host, and tills sell there", slow: 4, elsewhere: true, prepare: staffedHost, work: tillsSell,
		look: func(o *outage, folder string, events int) (wrong []string) {
			raw, err := os.ReadFile(filepath.Join(folder, "till", "till.json"))
			switch said := o.printed(events); {
			case strings.Contains(said, "Joined.") && !json.Valid(raw):
				wrong = append(wrong, fmt.Sprintf("it said Joined, and till.json has %d bytes: %v", len(raw), err))
			case err == nil && !json.Valid(raw):
				wrong = append(wrong, fmt.Sprintf("till.json is %.40q", raw))
			}
			e := &examination{o: o, folder: folder, data: filepath.Join(folder, "shop"), answers: o.answers(events)}
			e.shop(events)
			return append(wrong, e.wrong...)
		}},
	{name: "published", does: "a host publishes its log, an archive keeps it, old records are removed", slow: 14, purges: true,
		prepare: func(o *outage) {
			beforehand(func(d *desk.Desk, o *outage) {
				for range 10_050 {
					desktest.Must(o.t, d, bus.CallerTest, "theme.toggle", `{}`, nil)
				}
			})(o)
		}, work: publishes},
}

// file writes a file beside the folder that the power cut meets.
func (o *outage) file(name string, text []byte) {
	o.t.Helper()
	if err := os.WriteFile(filepath.Join(o.beside, name), text, 0o600); err != nil {
		o.t.Fatal(err)
	}
}

// filesKept compares the file with the last text that the program said it wrote, or began to write after it.
func filesKept(o *outage, folder string, events int) (wrong []string) {
	said := strings.Fields(o.printed(events))
	raw, err := os.ReadFile(filepath.Join(folder, "shop", "kept.json"))
	n := 0
	if len(raw) > 0 {
		if _, err := fmt.Sscanf(string(raw), `{"n":%d`, &n); err != nil || !json.Valid(raw) {
			return []string{fmt.Sprintf("the file is torn: %.60q", raw)}
		}
	}
	if n != len(said) && n != len(said)+1 || len(raw) == 0 && err == nil {
		return []string{fmt.Sprintf("%d texts were written, and the file has text %d: %v", len(said), n, err)}
	}
	return nil
}

const tillPIN = "804613"

// staffedHost makes the shop of a host, in which a clerk has a PIN.
func staffedHost(o *outage) {
	if err := os.CopyFS(o.data, os.DirFS(desktest.Copy(o.t))); err != nil {
		o.t.Fatal(err)
	}
	if said := o.command("invoke", "staff.setPin", fmt.Sprintf(`{"staffId":"june_park","pin":%q}`, tillPIN)); said == "" {
		o.t.Fatal("the clerk has no PIN")
	}
}

// command runs a command that is not traced.
func (o *outage) command(args ...string) string {
	o.t.Helper()
	var out bytes.Buffer
	if code := execute(o.t.Context(), append([]string{"--data", o.data}, args...), strings.NewReader(""), &out, &out); code != 0 {
		return ""
	}
	return out.String()
}

// until waits for something.
func (o *outage) until(what string, is func() bool) {
	o.t.Helper()
	for end := time.Now().Add(tooLong); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			o.t.Fatal("it does not come: " + what)
		}
	}
}

// tillsSell starts a host, lets a till join, and sells there and at the host.
func tillsSell(o *outage) {
	host := o.program("deskhand", "--data", o.data, "host", "--listen", natstest.FreeAddress(o.t))
	if line, err := host.out.ReadString('\n'); err != nil || !strings.Contains(line, "Tills are served") {
		o.t.Fatal(line, err)
	}
	pair := o.program("deskhand", "--data", o.data, "--json", "pair")
	var made struct{ Code string }
	if err := json.Unmarshal([]byte(pair.end()), &made); err != nil {
		o.t.Fatal(err)
	}
	folder := filepath.Join(o.root, "till")
	join := o.program("deskhand", "--data", folder, "join", made.Code, "--name", "Stockroom")
	o.until("the till", func() bool {
		return strings.Contains(o.program("deskhand", "--data", o.data, "tills").end(), "asks to work here")
	})
	o.program("deskhand", "--data", o.data, "tills", "add", "Stockroom").end()
	if said := join.end(); !strings.Contains(said, "Joined.") {
		o.t.Fatal(said)
	}
	at := o.program("deskhand", "--data", folder, "--as", "june park", "--pin-fd", "0", "bus")
	if _, err := io.WriteString(at.in, tillPIN+"\n"); err != nil {
		o.t.Fatal(err)
	}
	here := o.bus(o.data)
	for range 4 {
		for _, p := range []*running{at, here} {
			p.say("cart.setCustomer", `{"walkIn":true}`)
			p.say("cart.addItem", `{"productId":"prd_guji_natural","variantId":"var_guji_natural_1","quantity":1}`)
			p.say("checkout.submit", `{"paymentMethodId":"cash","fulfilment":"takeAway"}`)
		}
	}
	at.end()
	here.end()
	host.interrupt()
}

// publishes starts an archive and a host that publishes, and removes what is published.
func publishes(o *outage) {
	url := natstest.Start(o.t, server.Options{Port: -1, JetStream: true}).Server().ClientURL()
	archive := filepath.Join(o.root, "archive")
	keeper := o.program("deskhand", "archive", "--folder", archive, "run", "--nats", url, "--create", "1")
	host := o.program("deskhand", "--data", o.data, "host", "--listen", natstest.FreeAddress(o.t), "--publish", url, "--shop", "berlin")
	if line, err := host.out.ReadString('\n'); err != nil || !strings.Contains(line, "Tills are served") {
		o.t.Fatal(line, err)
	}
	p := o.bus(o.data)
	variants, _ := p.ids()
	p.sell(variants[0])
	o.until("what is published", func() bool {
		raw, _ := os.ReadFile(filepath.Join(o.data, "shop.db-published"))
		var h struct{ Seq int }
		return json.Unmarshal(raw, &h) == nil && h.Seq > 10_050
	})
	p.say("data.purge", `{"before":"2999-01-01"}`)
	p.sell(variants[1])
	p.end()
	host.interrupt()
	keeper.interrupt()
}
