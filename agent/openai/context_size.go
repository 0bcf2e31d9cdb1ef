package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
)

// The plausible sizes of a context in tokens, the longest wait for an endpoint to report it, and the default with which
// Ollama and LM Studio load a model.
const (
	smallestContext = 512
	largestContext  = 20_000_000
	tellWithin      = 2 * time.Second
	loadedContext   = 4096
)

// ContextSize returns the number of tokens that the model reads: from the options, from the endpoint's refusal of a
// request, or from the endpoint's answer to a query. 0 means unknown.
func (m *endpoint) ContextSize(ctx context.Context) int {
	if m.o.Context > 0 {
		return m.o.Context
	}
	if known := m.size.Load(); known > 0 || m.told.Load() {
		return int(known)
	}
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	size, certain, answered := m.queryContextSize(ctx)
	if certain {
		m.size.CompareAndSwap(0, int64(size))
	}
	m.told.Store(answered && (certain || size == 0)) // ask again for an assumed size: the model may be loaded by then
	return size
}

// queryContextSize queries an endpoint for the context of its model. A server on this computer is queried by its own
// protocol, because it loads a model with less than the model's maximum. If certain is false, the size is the default
// of such a server.
func (m *endpoint) queryContextSize(ctx context.Context) (size int, certain, answered bool) {
	if !model.IsRemote(m.Profile()) {
		if size, certain, answered = m.localContextSize(ctx); size > 0 {
			return size, certain, answered
		}
	}
	var list struct {
		Data []struct {
			ID      string `json:"id"`
			Length  int    `json:"context_length"`     // OpenRouter, Together
			Max     int    `json:"max_model_len"`      // vLLM, SGLang
			Mistral int    `json:"max_context_length"` // Mistral
			Groq    int    `json:"context_window"`     // Groq
		} `json:"data"`
	}
	if !m.get(ctx, http.MethodGet, m.o.BaseURL+"/models", nil, &list) {
		return 0, false, answered
	}
	for _, one := range list.Data {
		if one.ID == m.o.Model {
			size = clampContext(cmp.Or(one.Length, one.Max, one.Mistral, one.Groq))
		}
	}
	return size, size > 0, true
}

// localContextSize queries llama.cpp, Ollama and LM Studio.
func (m *endpoint) localContextSize(ctx context.Context) (size int, certain, answered bool) {
	root := rootOf(m.o.BaseURL)
	var llama struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if m.get(ctx, http.MethodGet, root+"/props", nil, &llama) {
		if size = clampContext(llama.Settings.Context); size > 0 {
			return size, true, true
		}
	}
	var running struct {
		Models []struct {
			Name, Model string
			Context     int `json:"context_length"`
		}
	}
	if m.get(ctx, http.MethodGet, root+"/api/ps", nil, &running) && running.Models != nil {
		for _, one := range running.Models {
			if one.Name == m.o.Model || one.Model == m.o.Model {
				return clampContext(one.Context), one.Context > 0, true
			}
		}
		var shown struct{ Parameters string }
		body, _ := json.Marshal(map[string]string{"model": m.o.Model})
		if m.get(ctx, http.MethodPost, root+"/api/show", body, &shown) {
			if found := ollamaContext.FindStringSubmatch(shown.Parameters); found != nil {
				size, _ = strconv.Atoi(found[1])
				return clampContext(size), true, true
			}
		}
		return loadedContext, false, true
	}
	var studio struct {
		Data []struct {
			ID     string
			Loaded int `json:"loaded_context_length"`
			Max    int `json:"max_context_length"`
		}
	}
	if m.get(ctx, http.MethodGet, root+"/api/v0/models", nil, &studio) {
		for _, one := range studio.Data {
			if one.ID == m.o.Model && one.Loaded > 0 {
				return clampContext(one.Loaded), true, true
			}
			if one.ID == m.o.Model && one.Max > 0 {
				return min(one.Max, loadedContext), false, true
			}
		}
	}
	return 0, false, false
}

// ollamaContext matches a line in the parameters that Ollama reports for a model.
var ollamaContext = regexp.MustCompile(`(?m)^\s*num_ctx\s+(\d{1,9})\s*$`)

// rootOf returns a server's address without the path of the OpenAI protocol.
func rootOf(address string) string { return strings.TrimSuffix(strings.TrimRight(address, "/"), "/v1") }

// get reads a JSON document from the endpoint. It reports whether there was one.
func (m *endpoint) get(ctx context.Context, method, address string, body []byte, into any) bool {
	if u, err := url.Parse(address); err != nil || u.Host == "" {
		return false
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return false
	}
	resp, err := transport{m}.RoundTrip(req)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxEvent))
	return err == nil && json.Unmarshal(raw, into) == nil
}

func clampContext(size int) int {
	if size < smallestContext || size > largestContext {
		return 0
	}
	return size
}

// refusedContext finds the context size in the messages by which endpoints refuse a request that is too long.
var refusedContext = text.Late(`"?n_ctx"?\s*:\s*(\d{3,8})|` +
	`(?:maximum context length|context (?:length|size|window)|maximum number of tokens|max_model_len|limit)` +
	`(?: allowed)?(?: is| of|:)?[ (=]{1,3}(?:only )?(\d{3,8})`)

// learn reads the context size from a refusal. It reports whether the size is new.
func (m *endpoint) learn(e *Error) bool {
	found := refusedContext().FindStringSubmatch(e.body)
	if e.Problem != ProblemTooLong || found == nil {
		return false
	}
	size, _ := strconv.Atoi(found[1] + found[2])
	if size = clampContext(size); size == 0 || int64(size) == m.size.Load() {
		return false
	}
	m.size.Store(int64(size))
	return true
}
