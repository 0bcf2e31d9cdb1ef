package cli

import (
	"bytes"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/zalando/go-keyring"
)

// TestLongWorkTellsHowFarItIs: at the terminal, on standard error, in words.
func TestLongWorkTellsHowFarItIs(t *testing.T) {
	var told bytes.Buffer
	d := desktest.Open(t, desk.Options{Folder: t.TempDir(), Create: true, FilePath: true})
	at := &terminal{Process: Process{ErrOut: &told}, ctx: t.Context()}
	desktest.Must(t, d, bus.CallerCLI, "shop.setUp", `{"from":"empty"}`, nil)
	file, err := filepath.Abs("../e2e/testdata/day/shop.json")
	if err != nil {
		t.Fatal(err)
	}
	desktest.Must(t, d, bus.CallerCLI, "shop.import", `{"file":"`+file+`"}`, nil)
	export := func(every time.Duration) {
		stop := at.tellProgress(d, every)
		defer stop()
		desktest.Must(t, d, bus.CallerCLI, "shop.export", `{"file":"`+filepath.Join(t.TempDir(), "out.json")+`"}`, nil)
	}
	for told.Len() == 0 { // on a machine with much to do it may be over before anybody looks
		export(time.Microsecond)
	}
	if !regexp.MustCompile(`(?m)^ *\d+ %  (products|customers|orders): \d+$`).Match(told.Bytes()) {
		t.Errorf("told %q", told.Bytes())
	}
	told.Reset()
	if export(time.Hour); told.Len() > 0 {
		t.Errorf("of what is done at once, %q is told", told.Bytes())
	}
}

// TestWhatIsNotKeptIsTold: a command that sets a password without a keychain says that it is gone afterwards.
func TestWhatIsNotKeptIsTold(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	var told bytes.Buffer
	d := desktest.Sample(t, desk.Options{})
	stop := (&terminal{Process: Process{ErrOut: &told}, ctx: t.Context()}).tellProgress(d, time.Hour)
	desktest.Must(t, d, bus.CallerCLI, "settings.set",
		`{"section":"mail","values":{"host":"smtp.example.com","from":"a@b.example","password":"secret-1"}}`, nil)
	stop()
	want := "warning: There is no keychain here: the password of the mail server is kept until the program ends.\n"
	if told.String() != want {
		t.Errorf("told %q, want %q", told.String(), want)
	}
}
