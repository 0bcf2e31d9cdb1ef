package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

// in runs a command on the shop in a folder.
func in(t *testing.T, folder string, args ...string) (code int, out, problems string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Run(t.Context(), Process{In: strings.NewReader(""), Out: &o, ErrOut: &e,
		Args: append([]string{"--data", folder}, args...)})
	return code, o.String(), e.String()
}

// newestRequest is the request of the newest record.
func newestRequest(t *testing.T, folder string) string {
	t.Helper()
	code, out, problems := in(t, folder, "--json", "audit", "tail", "-n", "1")
	var r struct {
		RequestID string `json:"request_id"`
	}
	if err := json.Unmarshal([]byte(out), &r); code != 0 || err != nil {
		t.Fatal(code, err, problems)
	}
	return r.RequestID
}

// TestARecordIsProvedAndCheckedWithAKeyFromEachSource: the keychain, a variable, a credential of systemd. Without any
// the command names the missing key, and nothing else fails.
//
// holds: U13
func TestARecordIsProvedAndCheckedWithAKeyFromEachSource(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	t.Setenv("DESKHAND_AUDIT_KEY", "")
	folder := t.TempDir()
	if code, _, problems := in(t, folder, "init", "--empty", "--name", "Corner"); code != 0 {
		t.Fatal(problems)
	}
	request := newestRequest(t, folder)
	for _, command := range [][]string{{"audit", "prove", request}, {"audit", "key"}} {
		code, out, problems := in(t, folder, command...)
		if code != 1 || out != "" || !strings.Contains(problems, "DESKHAND_AUDIT_KEY") ||
			!strings.Contains(problems, "credential audit.key") {
			t.Errorf("%s without a key: %d %s %s", command, code, out, problems)
		}
	}
	if code, _, problems := in(t, folder, "audit", "export"); code != 0 {
		t.Error(problems)
	}
	seed := func(n byte) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{n}, 32)) }
	given := t.TempDir()
	if err := os.WriteFile(filepath.Join(given, "audit.key"), []byte(seed(1)+"\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	keys, file := map[string]bool{}, filepath.Join(t.TempDir(), "proof.txt")
	for name, prepare := range map[string]func(){
		"credential": func() { t.Setenv("CREDENTIALS_DIRECTORY", given) },
		"variable":   func() { t.Setenv("DESKHAND_AUDIT_KEY", seed(2)) },
		"keychain":   func() { keyring.MockInit() },
	} {
		t.Setenv("CREDENTIALS_DIRECTORY", "")
		t.Setenv("DESKHAND_AUDIT_KEY", "")
		keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
		prepare()
		_, key, problems := in(t, folder, "audit", "key")
		key = strings.TrimSpace(key)
		if keys[key] = true; !strings.HasPrefix(key, "audit.record.v1/") {
			t.Fatal(name, problems)
		}
		if _, again, _ := in(t, folder, "audit", "key"); strings.TrimSpace(again) != key {
			t.Errorf("%s: another key the second time", name)
		}
		for _, how := range [][]string{nil, {"--disclose"}} {
			code, proof, problems := in(t, folder, append([]string{"audit", "prove", request}, how...)...)
			if code != 0 || strings.Contains(proof, "Corner") != (how != nil) {
				t.Fatalf("%s: %s\n%s", name, problems, proof)
			}
			if err := os.WriteFile(file, []byte(proof), 0o600); err != nil {
				t.Fatal(err)
			}
			code, out, problems := in(t, t.TempDir(), "audit", "check-proof", "--key", key, file)
			if code != 0 || !strings.HasPrefix(out, "The proof holds. Record ") || !strings.Contains(out, `"shop.setUp"`) {
				t.Errorf("%s: %d %s %s", name, code, out, problems)
			}
		}
	}
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	if len(keys) != 3 {
		t.Errorf("%d keys", len(keys))
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil || bytes.Contains(raw, []byte(seed(1))) || bytes.Contains(raw, bytes.Repeat([]byte{1}, 32)) {
			t.Errorf("%s has the key: %v", e.Name(), err)
		}
	}
}

// TestAProofThatDoesNotHoldIsRefusedInWords.
//
// holds: U13
func TestAProofThatDoesNotHoldIsRefusedInWords(t *testing.T) {
	keyring.MockInit()
	t.Cleanup(func() { keyring.MockInitWithError(keyring.ErrUnsupportedPlatform) })
	folder := t.TempDir()
	if code, _, problems := in(t, folder, "init", "--empty"); code != 0 {
		t.Fatal(problems)
	}
	_, proof, _ := in(t, folder, "audit", "prove", newestRequest(t, folder))
	if proof != "" {
		t.Error("a key was made by prove")
	}
	_, key, _ := in(t, folder, "audit", "key")
	key = strings.TrimSpace(key)
	_, proof, problems := in(t, folder, "audit", "prove", newestRequest(t, folder))
	if proof == "" {
		t.Fatal(problems)
	}
	huge := filepath.Join(t.TempDir(), "huge")
	f, err := os.Create(huge)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 40); err != nil {
		t.Fatal(err)
	}
	f.Close()
	other := regexp.MustCompile(`.$`).ReplaceAllString(key, "A")
	for name, c := range map[string]struct{ key, text, want string }{
		"a changed word": {key, strings.Replace(proof, "success", "failure", 1), "its text is not the one"},
		"a cut file":     {key, proof[:len(proof)/2], "the proof is refused: it is cut off"},
		"nothing":        {key, "", "the proof is refused: it is cut off, or no proof"},
		"another key":    {other + "x", proof, "the key is not the public key of a log"},
		"no key":         {"", proof, "the key is not the public key of a log"},
	} {
		file := filepath.Join(t.TempDir(), "proof.txt")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, problems := in(t, t.TempDir(), "audit", "check-proof", "--key", c.key, file)
		if code != 1 || out != "" || !strings.Contains(problems, c.want) {
			t.Errorf("%s: %d %s %s", name, code, out, problems)
		}
	}
	if code, _, problems := in(t, t.TempDir(), "audit", "check-proof", "--key", key, huge); code != 1 ||
		!strings.Contains(problems, "is larger than 32 MB: it is no proof") {
		t.Error(code, problems)
	}
	if code, _, problems := in(t, t.TempDir(), "audit", "check-proof", huge); code != 2 ||
		!strings.Contains(problems, "--key") {
		t.Error(code, problems)
	}
	if code, _, problems := in(t, folder, "audit", "prove", "req_none"); code != 1 ||
		!strings.Contains(problems, "no record of request req_none") {
		t.Error(code, problems)
	}
}

// TestTheLogIsSignedWhenADayIsClosed, by the shop as people use it.
//
// holds: U13
func TestTheLogIsSignedWhenADayIsClosed(t *testing.T) {
	t.Setenv("DESKHAND_AUDIT_KEY", base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{3}, 32)))
	folder := t.TempDir()
	if code, _, problems := in(t, folder, "init", "--sample"); code != 0 {
		t.Fatal(problems)
	}
	if code, _, problems := in(t, folder, "invoke", "--approve", "allow", "day.close",
		`{"counted":{"amount":0,"currency":"USD"}}`); code != 0 {
		t.Fatal(problems)
	}
	request := newestRequest(t, folder)
	t.Setenv("DESKHAND_AUDIT_KEY", "")
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	if code, _, problems := in(t, folder, "audit", "prove", request); code != 0 {
		t.Error("the closing is not in a signed head:", problems)
	}
}
