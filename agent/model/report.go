package model

// Report lists the abilities of a model at an endpoint, as a test found them.
type Report struct {
	Models        []string `json:"models" jsonschema_description:"Those the endpoint lists; empty when it lists none."`
	Listed        bool     `json:"listed" jsonschema_description:"The model is among them."`
	Works         bool     `json:"works" jsonschema_description:"It answered."`
	Streaming     bool     `json:"streaming" jsonschema_description:"The answer came piece by piece."`
	Tools         bool     `json:"tools" jsonschema_description:"It called a tool, as an assistant must."`
	ParallelCalls bool     `json:"parallelCalls" jsonschema_description:"It made several calls in one reply."`
	Thinks        bool     `json:"thinks" jsonschema_description:"It thinks before it answers, which takes longer."`
	Context       int      `json:"context,omitempty" jsonschema_description:"Tokens it reads; absent: not known."`
	Assumed       bool     `json:"assumed,omitempty" jsonschema_description:"The context is the usual one."`
	PromptTokens  int      `json:"promptTokens,omitempty" jsonschema_description:"Of the request that it answered."`
	LatencyMS     int64    `json:"latencyMs" jsonschema_description:"Until the whole answer was there."`
	Problem       string   `json:"problem,omitempty" jsonschema_description:"What is wrong, and what to do."`
}

// LocalEndpoint is a model server on this computer.
type LocalEndpoint struct {
	Name     string   `json:"name" jsonschema_description:"What usually answers there."`
	Endpoint string   `json:"endpoint"`
	Models   []string `json:"models"`
	Foreign  bool     `json:"foreign" jsonschema_description:"Another account of this computer, not root, runs it."`
}
