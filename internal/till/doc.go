// Package till connects a window on one computer, a till, with the shop on another, its host. They are connected at the
// page's boundary, [page.Methods] and its events. The host handles the calls of the page like a window on its own shop,
// and the till forwards them. The link is any io.ReadWriteCloser, with the wire form of package remote.
//
//	# Calls
//
//	till.open  by the till, first and once: {"window", "session"?, "heard"} → {"session"}
//	till.page  by the till: {"number", "answered", "method", "request", "ran"?} → the method's answer
//	till.show  by the host: {"session", "events":[{"number", "stream", "payload"}]} → {}
//
//	# Two buses
//
// A till has its own small bus with the capabilities that only change the content of its window. The hello contains its
// manifest; a host refuses a till with other capabilities than it knows. The page's calls of these capabilities run
// immediately, with or without a link, and go to the host with "ran". The host authorises and records them like any
// other call, and does not show them again. A call of these capabilities at the host, by an assistant or in a plan,
// goes to the till. The host's record marks it as done after the window has shown it. Texts, schemas and permissions
// are those of the host.
//
// A window draws a name when its program starts, and numbers its calls from 1. The host stores the answer of each call
// until the window confirms it. If an answer was lost with the link, the window repeats the call with its number. It
// then gets that answer, or waits for it if the call is still running. So every call runs once.
//
// The host's program draws a session for each till. It numbers its events from 1 and stores each until the till has
// confirmed it, so that an event that arrives twice is shown once. If more than 4096 are unconfirmed, all of them are
// dropped, and the page reloads.
//
// A restarted host has another session and does not know the calls in progress. A call with an idempotency key, or one
// that changes nothing, is repeated there. For any other call the result says that its outcome is unknown.
package till
