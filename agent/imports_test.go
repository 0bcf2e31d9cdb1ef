package agent_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// TestTheBridgeCompilesNoModel: package agent imports neither the built-in assistant nor the client for endpoints, so a
// program with its own model does not compile them.
func TestTheBridgeCompilesNoModel(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.HasSuffix(path, "agent/builtin") || strings.HasSuffix(path, "agent/openai") ||
			strings.Contains(path, "go-openai") || strings.Contains(path, "deskhand/shop") {
			t.Errorf("agent imports %s", path)
		}
	}
}

// shopWords match words of one application. The capabilities of audit and agent serve any application.
var shopWords = regexp.MustCompile(
	`(?i)\b(shops?|stores?|baskets?|carts?|customers?|articles?|products?|variants?|skus?|orders?|staff|tills?|counters?)\b`)

// TestNothingIsSaidOfAShop checks that the manifest of the capabilities of audit and agent has no word of a shop.
func TestNothingIsSaidOfAShop(t *testing.T) {
	b := agenttest.OpenBooth(t, policy.Options{})
	plain, _, _ := bustest.New(t)
	plain.MustRegister(capabilities.New(b.Log, capabilities.Options{})...)
	plain.MustRegister(audit.UndoCapability(b.Log), audit.PurgeCapability(b.Log))
	plain.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: b.Store,
		Status:    func() agent.AssistantStatus { return agent.AssistantStatus{} },
		TestModel: func(context.Context, string, string) model.Report { return model.Report{} }})...)
	raw, err := plain.AppendManifest(t.Context(), nil, bus.View{All: true})
	if err != nil {
		t.Fatal(err)
	}
	var manifest map[string]any
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	readAll(manifest, func(text string) {
		if word := shopWords.FindString(strings.ReplaceAll(text, "in order", "")); word != "" {
			t.Errorf("%q: %s", word, text)
		}
	})
}

func readAll(v any, read func(text string)) {
	switch v := v.(type) {
	case string:
		read(v)
	case []any:
		for _, e := range v {
			readAll(e, read)
		}
	case map[string]any:
		for key, e := range v {
			read(key)
			readAll(e, read)
		}
	}
}
