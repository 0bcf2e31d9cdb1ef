type Send = (message: string) => void;

/** The ways from the page to Wails. */
interface Channels {
  WailsInvoke?: Send;
  webkit?: { messageHandlers?: { external?: { postMessage: Send } } };
  chrome?: { webview?: { postMessage: Send } };
}

/** Whether a message is a call of a method of App, or one of the events it sends: the rest of Wails is closed. */
function isNeeded(message: string): boolean {
  if (message.startsWith('EX')) return true; // an event is not listened to any more
  if (!message.startsWith('C')) return false;
  try {
    return String(JSON.parse(message.slice(1)).name).startsWith('main.App.');
  } catch {
    return false;
  }
}

/**
 * Leaves of Wails what the page needs: what else it can do, such as opening an address in a browser or reading the
 * clipboard, would go past the policy of the page.
 */
export function closeRuntime(target: object): void {
  const { WailsInvoke, webkit, chrome } = target as Channels;
  const channel = chrome?.webview ?? webkit?.messageHandlers?.external;
  const post = channel?.postMessage;
  let send = channel && post ? (message: string) => post.call(channel, message) : WailsInvoke;
  const gate = (message: string) => (isNeeded(message) ? send?.(message) : undefined);
  const close = (object: object, name: string, value: unknown) =>
    Reflect.defineProperty(object, name, { value, writable: false, configurable: false });
  // A window's own channel cannot be hidden everywhere; what it sends with can be replaced.
  for (const owner of channel ? [channel, Object.getPrototypeOf(channel)] : []) {
    if (owner !== Object.prototype) close(owner, 'postMessage', gate);
  }
  Reflect.defineProperty(target, 'WailsInvoke', {
    get: () => gate,
    set: (other: Send) => {
      send = other; // it hears what is needed, and no more
    },
  });
  close(target, 'runtime', undefined);
}
