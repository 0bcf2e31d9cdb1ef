package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/components/requestreply"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/mark3labs/mcp-go/client"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var background = context.Background()

// einoTool is a typed tool of cloudwego/eino.
func einoTool() ([]contender, error) {
	t, err := utils.InferTool("cart_addItem", "Adds.", func(_ context.Context, in *lineIn) (lineOut, error) {
		return add(*in), nil
	})
	if err != nil {
		return nil, err
	}
	return []contender{{"cloudwego/eino, inferred tool", "no validation, no permission, no events", func() error {
		out, err := t.InvokableRun(background, arguments)
		if err != nil {
			return err
		}
		return right([]byte(out))
	}}}, nil
}

// watermillCommands is a command over watermill's channels, with and without a reply.
func watermillCommands() ([]contender, error) {
	logger := watermill.NopLogger{}
	channels := gochannel.NewGoChannel(gochannel.Config{BlockPublishUntilSubscriberAck: false}, logger)
	router, err := message.NewRouter(message.RouterConfig{}, logger)
	if err != nil {
		return nil, err
	}
	marshaler := cqrs.JSONMarshaler{GenerateName: cqrs.StructName}
	commands, err := cqrs.NewCommandBusWithConfig(channels, cqrs.CommandBusConfig{
		GeneratePublishTopic: func(p cqrs.CommandBusGeneratePublishTopicParams) (string, error) { return p.CommandName, nil },
		Marshaler:            marshaler, Logger: logger,
	})
	if err != nil {
		return nil, err
	}
	processor, err := cqrs.NewCommandProcessorWithConfig(router, cqrs.CommandProcessorConfig{
		GenerateSubscribeTopic: func(p cqrs.CommandProcessorGenerateSubscribeTopicParams) (string, error) {
			return p.CommandName, nil
		},
		SubscriberConstructor: func(cqrs.CommandProcessorSubscriberConstructorParams) (message.Subscriber, error) {
			return channels, nil
		},
		Marshaler: marshaler, Logger: logger,
	})
	if err != nil {
		return nil, err
	}
	backend, err := requestreply.NewPubSubBackend[lineOut](requestreply.PubSubBackendConfig{
		Publisher: channels,
		SubscriberConstructor: func(requestreply.PubSubBackendSubscribeParams) (message.Subscriber, error) {
			return channels, nil
		},
		GeneratePublishTopic: func(p requestreply.PubSubBackendPublishParams) (string, error) {
			return "reply." + string(p.OperationID), nil
		},
		GenerateSubscribeTopic: func(p requestreply.PubSubBackendSubscribeParams) (string, error) {
			return "reply." + string(p.OperationID), nil
		},
		Logger: logger,
	}, requestreply.BackendPubsubJSONMarshaler[lineOut]{})
	if err != nil {
		return nil, err
	}
	handled := make(chan lineOut, 1)
	type lineSent lineIn // a command of its own, which has no reply
	if err := processor.AddHandlers(
		requestreply.NewCommandHandlerWithResult("asked", backend, func(_ context.Context, in *lineIn) (lineOut, error) {
			return add(*in), nil
		}),
		cqrs.NewCommandHandler("sent", func(_ context.Context, in *lineSent) error {
			handled <- add(lineIn(*in))
			return nil
		})); err != nil {
		return nil, err
	}
	go func() {
		if err := router.Run(background); err != nil {
			panic(err)
		}
	}()
	<-router.Running()
	encoded := func(out lineOut) error {
		raw, err := json.Marshal(out)
		if err != nil {
			return err
		}
		return right(raw)
	}
	return []contender{
		{"watermill, command sent", "delivered to its handler, no reply", func() error {
			var in lineSent
			if err := json.Unmarshal([]byte(arguments), &in); err != nil {
				return err
			}
			if err := commands.Send(background, &in); err != nil {
				return err
			}
			return encoded(<-handled)
		}},
		{"watermill, request and reply", "delivered and answered", func() error {
			var in lineIn
			if err := json.Unmarshal([]byte(arguments), &in); err != nil {
				return err
			}
			reply, err := requestreply.SendWithReply(background, commands, backend, &in)
			if err == nil {
				err = reply.Error
			}
			if err != nil {
				return err
			}
			return encoded(reply.HandlerResult)
		}},
	}, nil
}

// mcpGo is a tool of mark3labs/mcp-go with its client in the same process.
func mcpGo() ([]contender, error) {
	var out []contender
	for _, way := range []struct {
		does    string
		options []server.ServerOption
	}{
		{"a server's tool called by a client, no validation", nil},
		{"the same, both validations", []server.ServerOption{server.WithInputSchemaValidation(),
			server.WithOutputSchemaValidation()}},
	} {
		s := server.NewMCPServer("bench", "1.0.0", way.options...)
		s.AddTool(mcpgo.NewTool("cart_addItem", mcpgo.WithRawInputSchema(line.InputSchema),
			mcpgo.WithRawOutputSchema(line.OutputSchema)),
			mcpgo.NewStructuredToolHandler(func(_ context.Context, _ mcpgo.CallToolRequest, in lineIn) (lineOut, error) {
				return add(in), nil
			}))
		c, err := client.NewInProcessClient(s)
		if err != nil {
			return nil, err
		}
		if err := c.Start(background); err != nil {
			return nil, err
		}
		if _, err := c.Initialize(background, mcpgo.InitializeRequest{Params: mcpgo.InitializeParams{
			ProtocolVersion: mcpgo.LATEST_PROTOCOL_VERSION, ClientInfo: mcpgo.Implementation{
				Name: "bench", Version: "1.0.0"}}}); err != nil {
			return nil, err
		}
		out = append(out, contender{"mark3labs/mcp-go, in process", way.does, func() error {
			r, err := c.CallTool(background, mcpgo.CallToolRequest{
				Params: mcpgo.CallToolParams{Name: "cart_addItem", Arguments: json.RawMessage(arguments)}})
			if err != nil {
				return err
			}
			return structured(r.IsError, r.StructuredContent)
		}})
	}
	return out, nil
}

// goSDK is a tool of the protocol's own SDK over its transport in memory.
func goSDK() ([]contender, error) {
	s := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "cart_addItem", InputSchema: line.InputSchema, OutputSchema: line.OutputSchema},
		func(_ context.Context, _ *mcp.CallToolRequest, in lineIn) (*mcp.CallToolResult, lineOut, error) {
			return nil, add(in), nil
		})
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.Connect(background, far, nil); err != nil {
		return nil, err
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil).Connect(background, near, nil)
	if err != nil {
		return nil, err
	}
	return []contender{{"modelcontextprotocol/go-sdk v1.8, in memory",
		"a server's tool called by a client, both validations, a large buffer each time", func() error {
			r, err := session.CallTool(background, &mcp.CallToolParams{
				Name: "cart_addItem", Arguments: json.RawMessage(arguments)})
			if err != nil {
				return err
			}
			return structured(r.IsError, r.StructuredContent)
		}}}, nil
}

// structured checks what a tool answered, whose keys have lost their order.
func structured(failed bool, content any) error {
	raw, err := json.Marshal(content)
	if err == nil && failed {
		err = fmt.Errorf("failed: %s", raw)
	}
	if err != nil {
		return err
	}
	return right(raw)
}
