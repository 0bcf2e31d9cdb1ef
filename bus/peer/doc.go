// Package peer turns the offers of another program into capabilities of a bus. A file, capabilities.yaml, contains the
// peer's name, its transports and its offers, with a schema for the input and output of each.
//
//	file, err := peer.Read(f, "capabilities.yaml")        // refused with file, line and keyword
//	err = b.Register(file.Capabilities(invoke)...)         // as peer.label_printer.print_label
//
// A peer is another program, so its own statements cannot relax the rules. Each of its capabilities has the class
// network and needs a person's confirmation when an agent calls it. Its descriptions and outputs count as text by
// others. The bus validates arguments before they leave, and the output before anyone sees it.
package peer
