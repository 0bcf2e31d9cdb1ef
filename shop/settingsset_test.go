package shop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// kept are secrets in memory.
type kept struct {
	mu      sync.Mutex
	known   map[string]string
	lasting bool
}

func (k *kept) Keep(_ context.Context, name, secret string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known[name] = secret; secret == "" {
		delete(k.known, name)
	}
	return nil
}

func (k *kept) Find(_ context.Context, name string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.known[name], nil
}

func (k *kept) Lasting() bool { return k.lasting }

const withMail = `{"section":"mail","values":{"host":"SMTP.example.com","from":"orders@example.com","username":"desk","password":"hunter2hunter2"}}`

const withHook = `{"section":"webhooks","values":{"hooks":[{"id":"stock","url":"https://example.com/orders","secret":"sixteen letters!"}]}}`

const withModel = `{"section":"model","values":{"endpoint":"https://models.example/v1/","model":"small","key":"key-of-the-model","inputPrice":"0.15","outputPrice":"0.6"}}`

func TestSettingsAreSetAndShown(t *testing.T) {
	for name, tt := range map[string]struct{ set, shows string }{
		"shop": {`{"section":"shop","values":{"name":" New  Leaf ","locale":"de-de","timeZone":"Europe/Berlin","pricesIncludeTax":true}}`,
			`{"secrets":"memory","shop":{"country":"US","currency":"USD","locale":"de-DE","name":"New Leaf","pricesIncludeTax":true,"timeZone":"Europe/Berlin"}}`},
		"limits": {`{"section":"limits","values":{"refund":{"amount":2500,"currency":"USD"}}}`,
			`{"limits":{"discountPercent":10,"refund":{"amount":2500,"currency":"USD","text":"$25.00"}},"secrets":"memory"}`},
		"shipping": {`{"section":"shipping","values":{"methods":[{"id":"bike","name":"Bike","price":{"amount":300,"currency":"USD"},"days":1}]}}`,
			`{"secrets":"memory","shipping":[{"days":1,"id":"bike","name":"Bike","price":{"amount":300,"currency":"USD","text":"$3.00"}}]}`},
		"mail": {withMail,
			`{"mail":{"encryption":"starttls","from":"orders@example.com","fromName":"Northlight Coffee","host":"smtp.example.com","passwordSet":true,"port":587,"username":"desk"},"secrets":"memory"}`},
		"model": {withModel,
			`{"model":{"endpoint":"https://models.example/v1","inputPrice":"0.15","keySet":true,"model":"small","outputPrice":"0.6","priceCurrency":"USD"},"secrets":"memory"}`},
		"webhooks": {withHook,
			`{"secrets":"memory","webhooks":[{"id":"stock","name":"stock","secretSet":true,"url":"https://example.com/orders"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			d := openSample(t, "owner")
			said := d.must("settings.set", tt.set, nil)
			shown := d.must("settings.get", jsonf(`{"section":%q}`, name), nil)
			for _, data := range []json.RawMessage{said.Data, shown.Data} {
				var v any
				if err := json.Unmarshal(data, &v); err != nil {
					t.Fatal(err)
				}
				got, _ := json.Marshal(v)
				if diff := cmp.Diff(tt.shows, string(got)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestSettingsOfOtherTimesStay(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", withMail, nil)
	d.must("settings.set", `{"section":"mail","values":{"encryption":"tls"}}`, nil)
	d.must("settings.set", `{"section":"webhooks","values":{"hooks":[{"id":"a","url":"http://127.0.0.1:9/x","secret":"sixteen letters!"},{"id":"b","url":"https://b.example"}]}}`, nil)
	d.must("settings.set", `{"section":"webhooks","values":{"hooks":[{"id":"a","url":"https://a.example"}]}}`, nil)
	var got struct {
		Mail     struct{ Host, Username, Encryption string }
		Webhooks []struct {
			ID        string
			SecretSet bool
		}
	}
	d.must("settings.get", `{}`, &got)
	if got.Mail.Host != "smtp.example.com" || got.Mail.Username != "desk" || got.Mail.Encryption != "tls" ||
		len(got.Webhooks) != 1 || !got.Webhooks[0].SecretSet {
		t.Errorf("%+v", got)
	}
	d.must("settings.set", `{"section":"webhooks","values":{"hooks":[]}}`, nil)
	d.must("settings.set", `{"section":"mail","values":{"host":""}}`, nil)
	if len(d.secrets.known) != 0 {
		t.Errorf("left over: %v", d.secrets.known)
	}
}

func TestSettingsAreRefusedWithAHint(t *testing.T) {
	d := openSample(t, "owner")
	for _, tt := range []struct {
		name, section, values string
		code                  bus.Code
		path, hint            string
	}{
		{"nothing", "shop", `{}`, bus.Validation, "/values", "name, currency"},
		{"of another section", "shop", `{"host":"x"}`, bus.Validation, "/values/host", "timeZone"},
		{"no such zone", "shop", `{"timeZone":"Mars/Olympus"}`, bus.Validation, "/values/timeZone", "IANA"},
		{"the computer's own zone", "shop", `{"timeZone":"Local"}`, bus.Validation, "/values/timeZone", "IANA"},
		{"no such locale", "shop", `{"locale":"xx-yy-zz-q"}`, bus.Validation, "/values/locale", "ja-JP"},
		{"nameless", "shop", "{\"name\":\" \\u200b \"}", bus.Validation, "/values/name", ""},
		{"currency with amounts", "shop", `{"currency":"EUR"}`, bus.PreconditionFailed, "", "new shop"},
		{"another currency", "limits", `{"refund":{"amount":1,"currency":"EUR"}}`, bus.Validation, "/values/refund/currency",
			""},
		{"class in use", "tax", `{"classes":[{"id":"other","name":"Other","ratePpm":1}]}`, bus.PreconditionFailed, "",
			"catalog.updateProduct"},
		{"class twice", "tax", `{"classes":[{"id":"a","name":"A","ratePpm":1},{"id":"a","name":"B","ratePpm":1}]}`,
			bus.Validation, "/values/classes/1/id", ""},
		{"password first", "mail", `{"password":"x"}`, bus.PreconditionFailed, "", "host and from"},
		{"no host", "mail", `{"host":"smtp.example.com:25","from":"a@b.example"}`, bus.Validation, "/values/host",
			"a name alone"},
		{"no sender", "mail", `{"host":"smtp.example.com"}`, bus.Validation, "/values/from", "orders@"},
		{"a sender of two lines", "mail", `{"host":"smtp.example.com","from":"a@b.example\nBcc: c@d.example"}`,
			bus.Validation, "/values/from", ""},
		{"in the clear", "mail", `{"host":"127.0.0.1.example.com","from":"a@b.example","encryption":"none"}`, bus.Validation,
			"/values/encryption", "starttls"},
		{"a model in the clear", "model", `{"endpoint":"http://192.168.0.9:11434/v1","model":"m"}`, bus.Validation,
			"/values/endpoint", "https"},
		{"half a price", "model", `{"endpoint":"http://localhost:11434/v1","model":"m","inputPrice":"1"}`, bus.Validation,
			"/values/outputPrice", "both"},
		{"a price in words", "model",
			`{"endpoint":"http://localhost:11434/v1","model":"m","inputPrice":"a lot","outputPrice":"1"}`, bus.Validation,
			"/values/inputPrice", "schema"},
		{"a price of nothing", "model",
			`{"endpoint":"http://localhost:11434/v1","model":"m","inputPrice":"1","outputPrice":"1","priceCurrency":"QQQ"}`,
			bus.Validation, "/values/priceCurrency", "ISO"},
		{"a model without a name", "model", `{"endpoint":"http://localhost:11434/v1"}`, bus.Validation, "/values/model",
			"llama"},
		{"hook in the clear", "webhooks", `{"hooks":[{"id":"a","url":"http://127.0.0.1.example.com/"}]}`, bus.Validation,
			"/values/hooks/0/url", "https"},
		{"hook with a password", "webhooks", `{"hooks":[{"id":"a","url":"https://me:pw@example.com/"}]}`, bus.Validation,
			"/values/hooks/0/url", "password"},
		{"hook twice", "webhooks", `{"hooks":[{"id":"a","url":"https://a.example"},{"id":"a","url":"https://b.example"}]}`,
			bus.Validation, "/values/hooks/1/id", ""},
		{"short secret", "webhooks", `{"hooks":[{"id":"a","url":"https://a.example","secret":"short"}]}`, bus.Validation,
			"/values/hooks/0/secret", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := d.invoke("settings.set", jsonf(`{"section":%q,"values":%s}`, tt.section, tt.values))
			if res.OK() || res.Err.Code != tt.code || !strings.Contains(res.Err.Hint, tt.hint) {
				t.Fatalf("%+v", res.Err)
			}
			if tt.path != "" && (len(res.Err.Violations) != 1 || res.Err.Violations[0].Path != tt.path) {
				t.Errorf("violations %+v, want %s", res.Err.Violations, tt.path)
			}
		})
	}
	if len(d.secrets.known) != 0 {
		t.Errorf("a refusal left %v", d.secrets.known)
	}
}

// TestC13SecretsAreNowhereButInTheirPlace looks for them in the file itself.
// holds: C13
func TestC13SecretsAreNowhereButInTheirPlace(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", withMail, nil)
	d.must("settings.set", withHook, nil)
	d.must("settings.set", withModel, nil)
	d.invoke("settings.set", strings.Replace(withMail, `"desk"`, `7`, 1)) // refused, and recorded
	d.must("settings.get", `{}`, nil)
	if d.secrets.known["mail.password"] != "hunter2hunter2" || d.secrets.known["webhook.stock"] != "sixteen letters!" {
		t.Errorf("kept: %v", d.secrets.known)
	}
	var onDisk []byte
	for _, part := range []string{"", "-wal"} {
		some, err := os.ReadFile(d.path + part)
		if err != nil {
			t.Fatal(err)
		}
		onDisk = append(onDisk, some...)
	}
	for text, want := range map[string]bool{"smtp.example.com": true, "https://example.com/orders": true,
		"https://models.example/v1": true, "hunter2hunter2": false, "sixteen letters!": false, "key-of-the-model": false} {
		if bytes.Contains(onDisk, []byte(text)) != want {
			t.Errorf("%q in the shop's file: %v", text, !want)
		}
	}
	page, err := d.log.Search(context.Background(), audit.Query{Capability: "settings.set"})
	if err != nil || len(page.Records) != 4 {
		t.Fatalf("%d records, %v", len(page.Records), err)
	}
}

// TestAKeyStaysWithItsEndpoint: another one is not given it.
func TestAKeyStaysWithItsEndpoint(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", withModel, nil)
	d.must("settings.set", `{"section":"model","values":{"model":"large"}}`, nil)
	if n := d.number(`SELECT COUNT(*) FROM model_endpoint WHERE input_price = '' AND price_currency = ''`); n != 1 {
		t.Error("another model has the price of the first")
	}
	if diff := cmp.Diff(map[string]string{"model.key https://models.example/v1": "key-of-the-model"},
		d.secrets.known); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var got struct{ Model *struct{ KeySet bool } }
	d.must("settings.set", `{"section":"model","values":{"endpoint":"http://localhost:11434/v1"}}`, &got)
	if got.Model == nil || got.Model.KeySet || len(d.secrets.known) != 0 {
		t.Errorf("%+v, known %v", got.Model, d.secrets.known)
	}
	d.must("settings.set", `{"section":"model","values":{"endpoint":""}}`, nil)
	if n := d.number(`SELECT COUNT(*) FROM model_endpoint`); n != 0 {
		t.Errorf("%d endpoints are left", n)
	}
}

func TestASecretThatDoesNotLastIsSaid(t *testing.T) {
	for lasting, want := range map[bool]int{true: 0, false: 1} {
		d := openSample(t, "owner")
		d.secrets.lasting = lasting
		said := 0
		for _, e := range d.must("settings.set", withMail, nil).Events {
			if e.Type == bus.EventNotification && strings.Contains(e.Message, "no keychain") {
				said++
			}
		}
		if said != want {
			t.Errorf("lasting %v: said %d times", lasting, said)
		}
	}
}

// TestANewRateCountsFromTheNextLook: carts are recalculated, orders keep their rates.
func TestANewRateCountsFromTheNextLook(t *testing.T) {
	d := openSample(t, "owner")
	var before struct{ Tax []struct{ ID, Name string } }
	d.must("settings.get", `{"section":"tax"}`, &before)
	order := d.anasOrder("PayPal")
	was := d.number(`SELECT tax FROM orders WHERE id = ?`, order)
	d.fillAnasCart()
	var classes []string
	for _, c := range before.Tax {
		classes = append(classes, jsonf(`{"id":%q,"name":%q,"ratePpm":100000}`, c.ID, c.Name))
	}
	d.must("settings.set", `{"section":"tax","values":{"classes":[`+strings.Join(classes, ",")+`]}}`, nil)
	if c := d.cart(); c.Tax.Amount != (c.Subtotal.Amount+5)/10 {
		t.Errorf("10 %% of %s is %s", c.Subtotal.Text, c.Tax.Text)
	}
	if is := d.number(`SELECT tax FROM orders WHERE id = ?`, order); is != was {
		t.Errorf("the tax of an order went from %d to %d", was, is)
	}
}

// TestACartLosesAMethodThatIsGone and is sent by the first there is.
func TestACartLosesAMethodThatIsGone(t *testing.T) {
	d := openSample(t, "owner")
	d.fillAnasCart()
	d.must("cart.setShipping", `{"method":"express"}`, nil)
	d.must("settings.set", `{"section":"shipping","values":{"methods":[{"id":"bike","name":"Bike","price":{"amount":300,"currency":"USD"},"days":1}]}}`, nil)
	if c := d.cart(); c.Shipping.Amount != 300 {
		t.Errorf("shipping is %s", c.Shipping.Text)
	}
	d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, d.cart().address("Home")), nil)
}
