package policy_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// holds: A9
func TestA9AGrantIsSaidInPlainWords(t *testing.T) {
	b := openBooth(t, policy.Options{})
	for terms, want := range map[string]string{
		`"capability":"remark.add"`: "Add a remark, whenever it wants to",
		`"capability":"remark.add","constraints":{"text":{"in":["a","b"]}},"limits":{"uses":1}`:                                                                                                             "Add a remark: only with text “a” or “b”, once",
		`"capability":"remark.add","constraints":{"/text":{"not_in":["a"]}},"limits":{"conversation":"chat_1"}`:                                                                                             "Add a remark: not with text “a”, in one conversation",
		`"capability":"mail.send","constraints":{"recipient":"ana@example.com"}`:                                                                                                                            "Send a mail: only with recipient “ana@example.com”",
		`"capability":"purse.pay","constraints":{"owner":"cus_ana","amount":{"max":125000}},"limits":{"uses":3},"until":1900000000000`:                                                                      "Pay out: up to $1,250.00 each time, only for Ana Ruiz, 3 times, until Sunday, 17 March 2030, 09:46",
		`"capability":"purse.pay","constraints":{"owner":{"in":["cus_ana","cus_ben"]}},"limits":{"budget":{"amount":5000,"currency":"EUR"}},"until":1900000000000`:                                          "Pay out: only for Ana Ruiz or Ben Silva, up to €50.00 in total, until Sunday, 17 March 2030, 09:46",
		`"capability":"purse.pay","constraints":{"owner":"cus_eve","amount":{"min":{"amount":500,"currency":"USD"},"max":{"amount":900,"currency":"USD"}},"reason":{"not_in":["x"]}},"until":1900000000000`: "Pay out: at least $5.00 and up to $9.00 each time, not with reason “x”, only with owner “cus_eve”, until Sunday, 17 March 2030, 09:46",
		`"capability":"purse.pay","constraints":{"owner":"cus_ana","amount":{"in":[100,200]}},"until":1900000000000`:                                                                                        "Pay out: exactly $1.00 or $2.00 each time, only for Ana Ruiz, until Sunday, 17 March 2030, 09:46",
		`"capability":"purse.pay","constraints":{"owner":"cus_ana","amount":{"max":500}},"limits":{"uses":2,"budget":{"amount":5000,"currency":"EUR"}},"until":1900000000000`:                               "Pay out: up to €5.00 each time, only for Ana Ruiz, up to €50.00 in total, 2 times, until Sunday, 17 March 2030, 09:46",
		`"capability":"remark.add","constraints":{"/text/0":"a"}`:                                                                                                                                           "Add a remark: only with text 0 “a”",
	} {
		var made, list struct {
			Text   string
			Grants []struct{ Text string }
		}
		b.Does(&made, "grant.create", `{"grantee":{"endpoint":"e","model":"m"},%s}`, terms)
		b.Does(&list, "grant.list", `{"limit":1}`)
		if made.Text != want || list.Grants[0].Text != want {
			t.Errorf("%s\nmade   %s\nlisted %s\nwant   %s", terms, made.Text, list.Grants[0].Text, want)
		}
		b.Clock.Advance(1e9)
	}
}

// holds: A9
func TestA9ACardSaysInPlainWordsWhatItOffers(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerDeny} })
	b.Pays("purse_ana", 30)
	b.Agent("purse.burn", `{"purse":"purse_ben"}`)
	if got := (*cards)[0].GrantText; got !=
		"Pay out: up to $0.30 each time, only for Ana Ruiz, 5 times, until Monday, 2 March 2026, 09:00" {
		t.Error(got)
	}
	if c := (*cards)[1]; c.GrantText != "" || c.Grant != nil {
		t.Errorf("%+v", c)
	}
}
