package document

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/day"
	"github.com/deskhand/deskhand/shop/document/internal/paper"
	"github.com/deskhand/deskhand/shop/document/internal/sheet"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// closings prints closings, with the words of a receipt.
type closings struct {
	*Receipt
	all   []day.Closing
	names map[string]string // names of staff by id
}

// desk returns the desk in the request, or else the desk of the call.
func (in documentIn) desk(call *bus.Call) string { return cmp.Or(in.Desk, core.Desk(call.Person)) }

// closingsOf returns the requested closing, or the closings of a range of days.
func closingsOf(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) (c closings, err error) {
	c = closings{Receipt: &Receipt{Shop: s, Style: style(s), at: call.Now}, names: map[string]string{}}
	if in.Closing > 0 {
		one, err := day.ByNumber(ctx, s, in.desk(call), in.Closing)
		if err != nil {
			return c, err
		}
		c.all = []day.Closing{one}
	} else {
		found, err := day.Closings(ctx, s, call, day.ClosingsIn{Days: in.Days})
		if err != nil {
			return c, err
		}
		c.all = slices.DeleteFunc(found.Rows, func(one day.Closing) bool { return in.Desk != "" && one.Desk != in.Desk })
	}
	if len(c.all) == 0 {
		return c, core.Refused("No day was closed in these days.").WithHint("report.closings lists the closings.")
	}
	_, err = core.List(ctx, func(r core.Row) (struct{}, error) {
		var id, name string
		err := r.Scan(&id, &name)
		c.names[id] = name
		return struct{}{}, err
	}, `SELECT id, name FROM staff`)
	return c, err
}

// closingPart holds the amounts of a closing under one title.
type closingPart struct {
	title string
	sums  []receiptSum
}

// parts returns all amounts of a closing.
func (c closings) parts(one day.Closing) []closingPart {
	takings, taxes := closingPart{title: "Takings"}, closingPart{title: "Tax"}
	for _, m := range one.Methods {
		takings.sums = append(takings.sums, receiptSum{inWords(m.Kind), m.Net.Amount})
	}
	for _, t := range one.Taxes {
		rate := c.Style.Percent(t.PPM)
		taxes.sums = append(taxes.sums, receiptSum{"Net " + rate, t.Net.Amount}, receiptSum{"Tax " + rate, t.Tax.Amount})
	}
	takings.sums = append(takings.sums, receiptSum{"Sales", one.Sales.Amount}, receiptSum{"Returns", -one.Returns.Amount},
		receiptSum{"Rounding", one.Rounding.Amount}, receiptSum{"Total", one.Total.Amount + one.Rounding.Amount})
	cash := closingPart{"Cash", []receiptSum{{"At the closing before", one.CashBefore.Amount},
		{"Taken", one.CashIn.Amount}, {"Given back", -one.CashOut.Amount}}}
	for _, m := range one.Moves {
		cash.sums = append(cash.sums, receiptSum{m.Reason, m.Amount.Amount})
	}
	cash.sums = append(cash.sums, receiptSum{"Expected cash", one.Expected.Amount},
		receiptSum{"Counted", one.Counted.Amount}, receiptSum{"Difference", one.Difference.Amount})
	return []closingPart{takings, taxes, cash, {"Of all closings", []receiptSum{{"Sales", one.LifetimeSales.Amount},
		{"Returns", one.LifetimeReturns.Amount}}}}
}

// listing returns a table with a row for each amount.
func (c closings) listing() listing {
	var rows [][]any
	for _, one := range c.all {
		for _, part := range c.parts(one) {
			for _, sum := range part.sums {
				rows = append(rows, []any{one.Desk, one.Number, c.Shop.Local(one.At), part.title, sum.Label, sum.Amount,
					c.Shop.Currency})
			}
		}
	}
	return reportListing("Closings", rows, text("Desk", 18), count("Closing"),
		listColumn{sheet.Column{Title: "Day", Kind: sheet.Day, Width: 12}, true}, text("What", 18), text("Name", 34),
		amount("Amount"), currency)
}

// write prints each closing on a separate page.
func (c closings) write(w io.Writer, font core.FontFor, on string) (out documentOut, err error) {
	out.Rows = int64(len(c.all))
	o := options(c.Shop, c.say("Closing")+" · "+c.Shop.Name, c.at, font)
	out.Missing, err = printPages(w, o, on, len(c.all), func(doc *paper.Doc, i int, _ bool) { c.print(doc, c.all[i]) })
	return out, err
}

// print prints a closing on the current page.
func (c closings) print(doc *paper.Doc, one day.Closing) {
	doc.Heading(c.Shop.Name, fmt.Sprintf("%s %d · %s", c.say("Closing"), one.Number, one.Desk))
	doc.Paragraph(strings.Join(c.head(one), "\n"))
	for _, part := range c.parts(one) {
		if len(part.sums) == 0 {
			continue
		}
		doc.Gap(4)
		doc.Section(c.say(part.title))
		for _, sum := range part.sums {
			doc.Sum(c.sayFirst(sum.Label, " "), c.Style.Money(sum.Amount), slices.Contains(closingTotals, sum.Label))
		}
	}
	doc.Gap(5)
	notFiscal := c.say(strings.TrimSuffix(day.NotFiscal.String(), "."))
	doc.Paragraph(strings.Join(filledLines(one.Note, c.doubt(one), c.logHead(one), notFiscal+"."), "\n"))
}

// closingTotals lists the sums in bold.
var closingTotals = []string{"Total", "Difference"}

// head returns the shop, the time and author of the closing, and its range of receipts.
func (c closings) head(one day.Closing) []string {
	at := c.Shop.Local(one.At)
	receipts := fmt.Sprintf("%s: %d", c.say("Receipts"), one.Receipts)
	if one.Receipts > 0 {
		receipts += fmt.Sprintf(" (%s – %s)", one.FirstReceipt, one.LastReceipt)
	}
	return append(c.letterhead()[1:], c.Style.Day(at)+" "+at.Format(time.TimeOnly)+" "+c.names[one.Person], receipts)
}

// doubt returns the warning about duplicate numbers, if any.
func (c closings) doubt(one day.Closing) string {
	if !one.InDoubt {
		return ""
	}
	return c.say(strings.TrimSuffix(day.GivenTwice.String(), ".")) + "."
}

// logHead describes the last record of the log before a closing.
func (c closings) logHead(one day.Closing) string {
	if one.HeadSeq == 0 {
		return ""
	}
	return fmt.Sprintf("%s %d: %s", c.say("Log"), one.HeadSeq, one.HeadHash)
}

// say translates a word of closings into the shop's language.
func (c closings) say(english string) string {
	language, _, _ := strings.Cut(c.Shop.Locale, "-")
	return cmp.Or(closingWords[language][english], c.Receipt.Say(english))
}

// sayFirst translates the word before a rate, or the whole label if there is no rate.
func (c closings) sayFirst(label, sign string) string {
	if word := c.say(label); word != label {
		return word
	}
	before, rest, found := strings.Cut(label, sign)
	if !found || before != "Net" && before != "Tax" {
		return label
	}
	return c.say(before) + sign + rest
}

var closingWords = map[string]map[string]string{"de": {
	"Closing": "Abschluss", "Takings": "Einnahmen", "Sales": "Verkäufe", "Returns": "Rückgaben", "Rounding": "Rundung",
	"Cash": "Bar", "At the closing before": "Beim Abschluss davor", "Taken": "Eingenommen", "Given back": "Zurückgegeben",
	"Expected cash": "Erwartetes Bargeld", "Counted": "Gezählt", "Difference": "Differenz",
	"Of all closings": "Aller Abschlüsse", "Log": "Protokoll", "Erased": "Gelöscht",
	"A copy was restored since the last closing: numbers of receipts may have been given twice": "Seit dem letzten " +
		"Abschluss wurde eine Kopie eingespielt: Belegnummern können doppelt vergeben sein",
	"Deskhand is not a certified fiscal register; several countries require one for cash": "Deskhand ist keine " +
		"zertifizierte Registrierkasse; mehrere Länder verlangen eine für Bargeld",
}}
