// Package peer makes what another program offers capabilities of a bus: a file, capabilities.yaml, says what the peer
// is called, how it is reached and what it can do, with a schema for each side.
//
//	file, err := peer.Read(f, "capabilities.yaml")        // refused with file, line and keyword
//	err = b.Register(file.Capabilities(invoke)...)         // as peer.label_printer.print_label
//
// A peer is another program: nothing that it says of itself makes a call less guarded. Each of its capabilities is of
// class network and is confirmed by a person when an agent calls it; its descriptions and answers are text of others.
// Arguments are validated before anything leaves, and the answer before anybody sees it.
package peer
