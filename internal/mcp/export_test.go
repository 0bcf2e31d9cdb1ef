package mcp

import (
	"context"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler serves the same over HTTP, as the conformance suite wants it: the program itself opens no port.
func (s *Server) Handler(ctx context.Context, stateless bool) (h http.Handler, end func(), err error) {
	end, err = s.begin(ctx)
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk },
		&sdk.StreamableHTTPOptions{Stateless: stateless}), end, err
}
