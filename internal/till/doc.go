// Package till connects a window on one computer, a till, with the shop on another, its host. The seam is the boundary
// of the page, [page.Methods] and its events: the host answers the calls of the page as a window on its own shop does,
// and the till passes them on. What carries the link is any io.ReadWriteCloser, in the wire shape of package remote.
//
// # Calls
//
//	till.open  by the till, first and once: {"window", "session"?, "heard"} → {"session"}
//	till.page  by the till: {"number", "answered", "method", "request", "ran"?} → what the method answers
//	till.show  by the host: {"session", "events":[{"number", "stream", "payload"}]} → {}
//
// # Two buses
//
// A till has a small bus of its own, of capabilities that change nothing but what its window shows. The greeting has
// its manifest; a host refuses a till whose capabilities are not those that it knows. What the page calls of them runs
// at once, with a link or without one, and goes to the host with "ran": there it is authorized and recorded as any
// other call, and nothing is shown a second time. What is called of them at the host, by an assistant or in a plan,
// goes to the till by its name: the host's record says that it was done once the window has shown it. Words, schemas
// and permissions are those of the host.
//
// A window draws a name when its program starts, and numbers its calls from 1. The host keeps the answer of each call
// until the window says that it has it: a call whose answer was lost with the link is made again under its number, and
// gets that answer, or waits for it where it is still running. So it is done once, whatever it is.
//
// A session is drawn by the host's program for each till. It numbers its events from 1 and keeps each until the till
// has confirmed it: an event that came twice is shown once. After more than 4096 that were not confirmed they are all
// dropped, and the page is told to load anew.
//
// A host that was started again has another session: it does not know what was under way. A call with an idempotency
// key, or one that changes nothing, is made again there; of any other it is said that nobody knows whether it was done.
package till
