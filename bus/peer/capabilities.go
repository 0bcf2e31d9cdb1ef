package peer

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// LocalName returns the local name of a peer's offer: "peer.label_printer.print_label" for the agent
// "agent://label-printer", or "label-printer", and the offer "print-label". Separators become "_". The file is refused
// if two offers would have the same name, so that each name identifies one offer.
func LocalName(agent, offer string) string {
	plain := strings.NewReplacer("-", "_", ".", "_")
	return "peer." + plain.Replace(strings.TrimPrefix(agent, scheme)) + "." + plain.Replace(offer)
}

func localName(f *File, o Offer) string { return LocalName(f.Agent, o.Name) }

// Offer returns the peer's offer with a local name.
func (f *File) Offer(local string) (Offer, bool) {
	for _, o := range f.Offers {
		if localName(f, o) == local {
			return o, true
		}
	}
	return Offer{}, false
}

// Capabilities returns the peer's offers as capabilities for a local bus. invoke calls the peer with the peer's own
// names. If the peer has no dry run, a card shows the data to be sent.
func (f *File) Capabilities(invoke remote.Invoker) []bus.Capability {
	var m bus.Manifest
	for _, o := range f.Offers {
		m.Capabilities = append(m.Capabilities, bus.ManifestEntry{Name: o.Name, Title: title(f, o),
			Description: o.Description, Since: o.Since,
			InputSchema: o.InputSchema, OutputSchema: tainted(o.OutputSchema), SideEffect: bus.Destructive,
			TimeoutMS: o.TimeoutMS, Idempotent: o.Idempotent, AgentVisible: true, Location: o.Location})
	}
	caps := remote.Mount(m, invoke)
	for i, o := range f.Offers {
		caps[i].Name, caps[i].Listing.Category = localName(f, o), "peer"
		if semver.MatchString(o.Since) { // the peer may count its versions in another way: the call does not name it
			caps[i].Version = o.Since
		}
		if !o.DryRun {
			caps[i].Run.Preview = func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				call.Summarize("Ask %s for %s", f.Agent, o.Name)
				return call.Arguments, nil
			}
		}
	}
	return caps
}

var semver = regexp.MustCompile(`^\d{1,9}\.\d{1,9}\.\d{1,9}$`)

// title returns for example "Label printer: print label".
func title(f *File, o Offer) string {
	words := strings.NewReplacer("-", " ", "_", " ", ".", " ")
	name := words.Replace(f.Name())
	return strings.ToUpper(name[:1]) + name[1:] + ": " + words.Replace(o.Name)
}

// tainted marks every field of an output as text by others, at any depth.
func tainted(raw json.RawMessage) json.RawMessage {
	var doc map[string]any
	if json.Unmarshal(raw, &doc) != nil {
		return raw // no schema: the whole output counts as tainted
	}
	doc["x-tainted"] = true
	marked, err := json.Marshal(doc)
	if err != nil {
		return raw
	}
	return marked
}
