package e2e

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// served connects a client to the real command on a shop.
func served(t *testing.T, folder string, args ...string) (*sdk.ClientSession, *exec.Cmd) {
	t.Helper()
	command := exec.Command("deskhand", append([]string{"--data", folder, "mcp", "--client", "probe"}, args...)...)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "probe", Version: "1"}, nil).
		Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // it may be closed
	return session, command
}

// TestO1TheCommandServesAClient: the first list of tools is small, counted with the tokenizer of an open model; a call
// is done and recorded; the command ends with its standard input.
//
// holds: O1
func TestO1TheCommandServesAClient(t *testing.T) {
	folder := desktest.Copy(t)
	session, command := served(t, folder)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{"messages": []any{}, "tools": list.Tools})
	if err != nil {
		t.Fatal(err)
	}
	counts := (&played{t: t, bodies: []string{string(raw)}}).tokens()
	t.Logf("%d tools have %d tokens", len(list.Tools), counts[0])
	if counts[0] > 4000 {
		t.Errorf("the first list of tools has %d tokens", counts[0])
	}
	res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "cart_getSummary"})
	if err != nil || res.IsError {
		t.Fatal(err, res)
	}
	if err := session.Close(); err != nil || !command.ProcessState.Success() {
		t.Errorf("%v %v", err, command.ProcessState)
	}
	var told struct {
		RequestID string `json:"request_id"`
	}
	raw, _ = json.Marshal(res.StructuredContent)
	if err := json.Unmarshal(raw, &told); err != nil {
		t.Fatal(err)
	}
	d := desktest.Open(t, desk.Options{Folder: folder})
	page, err := d.Log.Search(t.Context(), audit.Query{RequestID: told.RequestID})
	if err != nil || len(page.Records) != 1 || page.Records[0].Caller.Door != "mcp" || page.Records[0].Model.Name != "probe" {
		t.Errorf("%v %+v", err, page.Records)
	}
}
