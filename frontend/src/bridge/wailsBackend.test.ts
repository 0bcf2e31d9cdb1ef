// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { closeRuntime } from './closeRuntime';
import { windowBackend } from './wailsBackend';

const call = (name: string) => `C${JSON.stringify({ name, args: ['{}'], callbackID: 'x' })}`;
const tooMuch = ['BO:https://example.com', 'Q', 'WH', 'EEbus', call(':wails:ClipboardGetText'), 'C{', 'x'];

type Wails = Record<string, unknown> & { WailsInvoke: (message: string) => void };

/** Makes a window as Wails does: every part of it sends through WailsInvoke, and that by the system's own channel. */
function withWails(wails: Wails): string[] {
  const sent: string[] = [];
  const external = { postMessage: (message: string) => sent.push(message) };
  Object.assign(wails, {
    webkit: { messageHandlers: { external } },
    WailsInvoke: (message: string) => external.postMessage(message),
    go: { main: { App: { Manifest: () => wails.WailsInvoke(call('main.App.Manifest')) } } },
    runtime: { EventsOn: vi.fn(() => () => {}), BrowserOpenURL: (url: string) => wails.WailsInvoke(`BO:${url}`) },
  });
  return sent;
}

it('leaves the methods of App, and nothing else of Wails', async () => {
  const wails = window as unknown as Wails;
  const sent = withWails(wails);
  const { EventsOn } = wails.runtime as { EventsOn: () => void };
  const backend = windowBackend();
  expect(EventsOn).toHaveBeenCalled();
  expect(wails.runtime).toBeUndefined();
  const { external } = (wails.webkit as { messageHandlers: { external: { postMessage: (message: string) => void } } })
    .messageHandlers;
  for (const message of tooMuch) {
    wails.WailsInvoke(message);
    external.postMessage(message);
  }
  expect(sent, 'neither by Wails nor by the channel below it').toEqual([]);
  await backend?.manifest('{}');
  expect(sent).toEqual([call('main.App.Manifest')]);
});

it('gives what is put in the place of its sender no more', () => {
  const wails = {} as Wails;
  const sent = withWails(wails);
  closeRuntime(wails);
  const heard: string[] = [];
  wails.WailsInvoke = (message) => heard.push(message);
  for (const message of [...tooMuch, call('main.App.Invoke')]) wails.WailsInvoke(message);
  expect(heard).toEqual([call('main.App.Invoke')]);
  expect(sent).toEqual([]);
});
