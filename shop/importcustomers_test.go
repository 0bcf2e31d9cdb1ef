package shop_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

var customerHeader = strings.Split("Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address "+
	"Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province "+
	"Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total "+
	"Spent,Total Orders,Note,Tax Exempt,Tags", ",")

// someCustomers returns customers in an export: with apostrophes before values that look like numbers, with notes of
// several lines, and without an address, a name or an email address.
func someCustomers() *export {
	e := newExportOf(customerHeader)
	e.row("Customer ID='6001", "First Name=Jana", "Last Name=Ostrom", "Email=Jana@Example.com",
		"Default Address Company=Ostrom & Co", "Default Address Address1=4 Quay, back door",
		"Default Address City=Boston", "Default Address Province Code=MA", "Default Address Country Code=US",
		"Default Address Zip='02110", "Phone='+16175550101",
		"Note=Rings twice\nand \"waits\"", "Total Spent=120.00", "Total Orders=2")
	e.row("First Name=Ana", "Last Name=Ruiz-Vega", "Email=ANA.RUIZ@example.com", "Default Address Address1=1 New Place",
		"Default Address City=Portland", "Default Address Country Code=US",
		"Default Address Zip=97201", "Default Address Phone=+15035550199")
	e.row("Email=kiosk@example.com", "Accepts Email Marketing=no")
	e.row("First Name=Only", "Last Name=Phone", "Phone='+1 617 555 0102")
	return e
}

func TestCustomersOfAnExport(t *testing.T) {
	for form, text := range map[string]string{
		"as exported":            someCustomers().String(),
		"saved by a spreadsheet": semicolons(someCustomers().String()),
		"of an older form": strings.NewReplacer("Default Address Phone", "x", "Default Address Province Code",
			"Province Code", "Default Address Country Code", "Country Code", "Default Address ", "").
			Replace(someCustomers().String()),
	} {
		t.Run(form, func(t *testing.T) {
			d := openSample(t, "owner")
			var was struct{ Phone, Name string }
			d.must("customer.get", jsonf(`{"customerId":%q}`, d.ana()), &was)
			d.files[form] = text
			before := d.stateHash()
			var dry, done, again imported
			d.must("shop.importCSV", jsonf(`{"file":%q,"kind":"customers","dryRun":true}`, form), &dry)
			if d.stateHash() != before {
				t.Fatal("a dry run changed something")
			}
			if form != "of an older form" {
				if dry.CustomersCreated != 3 || dry.CustomersUpdated != 1 || len(dry.Changes) != 4 {
					t.Errorf("%+v", dry)
				}
				contains(t, strings.Join(dry.Changes[1].Details, "; "),
					"name: "+was.Name+" → Ana Ruiz-Vega; phone: "+was.Phone+" → +15035550199; address 1 New Place, Portland")
				contains(t, strings.Join(dry.IgnoredColumns, ","), "Customer ID,Accepts Email Marketing")
			}
			d.must("shop.importCSV", jsonf(`{"file":%q,"kind":"customers"}`, form), &done)
			if diff := cmp.Diff(dry, done); diff != "" {
				t.Errorf("a dry run tells something else than the import: %s", diff)
			}
			d.must("shop.importCSV", jsonf(`{"file":%q,"kind":"customers"}`, form), &again)
			if again.CustomersUnchanged != 4 || len(again.Changes) != 0 {
				t.Errorf("once more: %+v", again)
			}
			var jana struct {
				Name, Phone string
				Addresses   []struct {
					Line1, Line2, Region, PostalCode, Country string
					Default                                   bool
				}
			}
			d.must("customer.get", jsonf(`{"customerId":%q}`, d.customer("Jana Ostrom")), &jana)
			if a := jana.Addresses; jana.Phone != "+16175550101" || len(a) != 1 || a[0].Line1 != "4 Quay, back door" ||
				a[0].Line2 != "Ostrom & Co" || a[0].PostalCode != "02110" || a[0].Region != "MA" || !a[0].Default {
				t.Errorf("Jana: %+v", jana)
			}
			d.customer("kiosk")
			d.customer("Only Phone")
			d.addsUp()
		})
	}
}

// semicolons is a file as the spreadsheets of many countries save it.
func semicolons(file string) string {
	var b strings.Builder
	quoted := false
	for _, c := range file {
		if c == '"' {
			quoted = !quoted
		}
		if c == ',' && !quoted {
			c = ';'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func TestBrokenCustomersChangeNothingAndNameTheLines(t *testing.T) {
	const head = "First Name,Last Name,Email,Phone\n"
	for name, tc := range map[string]struct {
		file string
		line int
		says string
	}{
		"another export":         {"Handle,Title,Variant Price\na,A,1\n", 1, "is this a customer export"},
		"nobody":                 {head + "Jo,Do,jo@example.com,\n,,,'\n", 3, "neither a name nor an email"},
		"no email":               {head + "Jo,Do,jo at example.com,\n", 2, `"jo at example.com" is not an email address`},
		"twice":                  {head + "Jo,Do,jo@example.com,\nJoe,Do,JO@example.com,\n", 3, "line 2 already"},
		"twice by name":          {head + "Jo,Do,,555\nJO,Do,,5 5 5\n", 3, "line 2 already"},
		"a name of 200 letters":  {head + strings.Repeat("x", 200) + ",Do,jo@example.com,\n", 2, "120"},
		"a number of 50 figures": {head + "Jo,Do,jo@example.com," + strings.Repeat("1", 50) + "\n", 2, "40"},
	} {
		t.Run(name, func(t *testing.T) { brokenExport(t, "customers", tc.file, tc.line, tc.says) })
	}
}

// brokenExport imports a file that must be refused with a line, into a shop that
// stays as it is.
func brokenExport(t *testing.T, kind, file string, line int, says string) {
	t.Helper()
	d := openSample(t, "owner")
	before := d.stateHash()
	d.files["broken"] = file
	e := d.refused("shop.importCSV", jsonf(`{"file":"broken","kind":%q}`, kind), bus.Validation, bus.ReasonArguments)
	if len(e.Violations) == 0 || e.Violations[0].Path != jsonf("/line/%d", line) {
		t.Fatalf("violations: %+v, want line %d", e.Violations, line)
	}
	contains(t, e.Violations[0].Message, says)
	if d.stateHash() != before {
		t.Error("a broken file changed something")
	}
}
