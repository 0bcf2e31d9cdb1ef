// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { makeInert } from './makeInert';

describe('makeInert', () => {
  beforeEach(() => {
    document.body.innerHTML = '<div id="desk"><input id="field"></div><div id="dialog"></div><div id="lock"></div>';
  });
  const at = (id: string) => document.getElementById(id) as HTMLElement;
  const inert = () => [...document.body.children].map(({ id }) => (at(id).inert ? `(${id})` : id)).join(' ');

  it('leaves one element alone, and brings the others back as they were', () => {
    at('dialog').inert = true;
    const back = makeInert(at('lock'), null);
    expect(inert()).toBe('(desk) (dialog) lock');
    back();
    expect(inert()).toBe('desk (dialog) lock');
  });
  it('reaches what appears later', async () => {
    const back = makeInert(at('lock'), null);
    document.body.insertAdjacentHTML('beforeend', '<div id="late"></div>');
    await Promise.resolve();
    expect(inert()).toBe('(desk) (dialog) lock (late)');
    back();
    expect(inert()).toBe('desk dialog lock late');
  });
  it('gives the focus back', () => {
    const back = makeInert(at('lock'), at('field'));
    back();
    expect(document.activeElement).toBe(at('field'));
  });
});
