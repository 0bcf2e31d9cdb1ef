// Package model is the contract between the bridge and a language model.
//
// A [Model] answers a [Request] with a [Reply]: text, and calls of tools. Package agent asks it and carries the calls
// out; packages agent/openai and agent/builtin are models. A program with a model of its own implements [Model] and
// gives it to agent.Options.Model.
package model
