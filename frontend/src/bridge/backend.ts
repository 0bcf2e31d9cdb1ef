/** The application behind the window: each method takes and gives one JSON text. */
export interface Backend {
  invoke(invocation: string): Promise<string>;
  cancel(request: string): Promise<string>;
  manifest(request: string): Promise<string>;
  send(request: string): Promise<string>;
  stop(request: string): Promise<string>;
  decide(request: string): Promise<string>;
  pickFile(request: string): Promise<string>;
  dropFile(request: string): Promise<string>;
  /** Subscribes to a stream of events; the answer ends the subscription. */
  on(stream: Stream, listener: (payload: string) => void): () => void;
}

/** The streams the application sends events on. */
export type Stream = 'bus' | 'chat' | 'approval';
