package main

import "github.com/deskhand/deskhand/agent/page"

// App holds the methods that the page can call. Each takes JSON and returns JSON. [page.Boundary] describes them.
type App struct{ boundary page.Methods }

// Invoke runs one invocation.
func (a *App) Invoke(invocation string) string { return a.boundary.Invoke(invocation) }

// Cancel ends a running invocation.
func (a *App) Cancel(request string) string { return a.boundary.Cancel(request) }

// Manifest lists the capabilities of the signed-in person.
func (a *App) Manifest(request string) string { return a.boundary.Manifest(request) }

// Send passes a sentence to the assistant.
func (a *App) Send(request string) string { return a.boundary.Send(request) }

// Stop ends the running turn of a conversation.
func (a *App) Stop(request string) string { return a.boundary.Stop(request) }

// Decide answers a confirmation card.
func (a *App) Decide(request string) string { return a.boundary.Decide(request) }

// PickFile opens the system's file dialog.
func (a *App) PickFile(request string) string { return a.boundary.PickFile(request) }

// DropFile stores a file dropped onto the window.
func (a *App) DropFile(request string) string { return a.boundary.DropFile(request) }
