// Package model is the contract between the bridge and a language model.
//
// A [Model] answers a [Request] with a [Reply]: text and calls of tools. Package agent sends the requests and carries
// out the calls; packages agent/openai and agent/builtin implement models. A program with another model implements
// [Model] and sets it in agent.Options.Model.
package model
