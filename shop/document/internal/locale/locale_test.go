package locale_test

import (
	"math"
	"testing"
	"time"

	"github.com/deskhand/deskhand/shop/document/internal/locale"
)

func TestAmountsAreWrittenAsInTheirPlace(t *testing.T) {
	usd, eur, jpy := locale.Currency{"USD", "$", 2}, locale.Currency{"EUR", "€", 2}, locale.Currency{"JPY", "¥", 0}
	kwd := locale.Currency{"KWD", "", 3}
	for _, tt := range []struct {
		tag   string
		in    locale.Currency
		minor int64
		want  string
	}{
		{"en-US", usd, 4783, "$47.83"}, {"en-US", usd, -5, "-$0.05"}, {"en-US", usd, 123456789, "$1,234,567.89"},
		{"en-US", usd, 0, "$0.00"},
		{"en-US", jpy, 1234567, "¥1,234,567"}, {"en-US", kwd, 1234500, "1,234.500\u00a0KWD"},
		{"en-US", kwd, 7, "0.007\u00a0KWD"},
		{"de-DE", eur, 123456, "1.234,56\u00a0€"}, {"de-DE", eur, -99, "-0,99\u00a0€"},
		{"de-DE", jpy, 5000, "5.000\u00a0¥"}, {"de-DE", kwd, 1234500, "1.234,500\u00a0KWD"},
		{"fr-FR", eur, 123456, "1\u00a0234,56\u00a0€"},
		{"ja-JP", jpy, 123456, "¥123,456"}, {"ja-JP", usd, 123456, "$1,234.56"}, {"ja-JP", kwd, 1, "0.001\u00a0KWD"},
		{"ar-KW", kwd, 1234500, "١٬٢٣٤٫٥٠٠\u00a0KWD"}, {"ar-KW-u-nu-latn", kwd, 1500, "1.500\u00a0KWD"},
		{"ar-MA", kwd, 1500, "1,500\u00a0KWD"}, {"fa-IR", kwd, 1500, "۱٫۵۰۰\u00a0KWD"},
		{"nonsense!", usd, 100, "$1.00"},
		{"en-US", usd, math.MinInt64, "-$92,233,720,368,547,758.08"},
	} {
		if got := locale.New(tt.tag, tt.in).Money(tt.minor); got != tt.want {
			t.Errorf("%s %s %d: %q, want %q", tt.tag, tt.in.Code, tt.minor, got, tt.want)
		}
	}
}

func TestProgramsReadPlainAmounts(t *testing.T) {
	for want, got := range map[string]string{
		"47.83": locale.Plain(4783, 2), "-0.05": locale.Plain(-5, 2), "1234": locale.Plain(1234, 0),
		"-1.500": locale.Plain(-1500, 3), "0.00": locale.Plain(0, 2),
		"-9223372036854775.808": locale.Plain(math.MinInt64, 3),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDaysAreWrittenAsInTheirPlace(t *testing.T) {
	day := time.Date(2026, time.March, 4, 0, 0, 0, 0, time.UTC)
	for tag, want := range map[string]string{
		"en-US": "Mar 4, 2026", "en-GB": "4 Mar 2026", "de-AT": "04.03.2026", "ja-JP": "2026年3月4日",
		"fr-FR": "04/03/2026", "sw-KE": "2026-03-04",
	} {
		if got := locale.New(tag, locale.Currency{Code: "USD"}).Day(day); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}
