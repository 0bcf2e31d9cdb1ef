import type { Backend } from './backend';
import { buffered } from './buffer';
import { closeRuntime } from './closeRuntime';
import { inSequence } from './inSequence';

/** The bound methods of App and the runtime, as Wails puts them on the window. */
interface WailsWindow {
  go?: { main?: { App?: Record<BoundMethod, (json: string) => Promise<string>> } };
  runtime?: { EventsOn(name: string, listener: (payload: string, number: number) => void): () => void };
}

/** The exported methods of App in app.go. A Go test compares the two. */
type BoundMethod = 'Invoke' | 'Cancel' | 'Manifest' | 'Send' | 'Stop' | 'Decide' | 'PickFile' | 'DropFile';

/** Connects to the application that this page runs in; undefined outside of it. It listens from here on and closes the rest of Wails. */
export function windowBackend(): Backend | undefined {
  const { go, runtime } = window as unknown as WailsWindow;
  const app = go?.main?.App;
  if (!app || !runtime) return undefined;
  const ordered = inSequence();
  closeRuntime(window);
  return {
    invoke: (json) => app.Invoke(json),
    cancel: (json) => app.Cancel(json),
    manifest: (json) => app.Manifest(json),
    send: (json) => app.Send(json),
    stop: (json) => app.Stop(json),
    decide: (json) => app.Decide(json),
    pickFile: (json) => app.PickFile(json),
    dropFile: (json) => app.DropFile(json),
    on: buffered(['bus', 'chat', 'approval'], (stream, listener) => runtime.EventsOn(stream, ordered(listener))),
  };
}
