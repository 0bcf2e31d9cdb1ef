// @vitest-environment jsdom
import { beforeAll, describe, expect, it } from 'vitest';
import { containNavigation } from './containNavigation';

function click(html: string): boolean {
  document.body.innerHTML = html;
  const event = new MouseEvent('click', { bubbles: true, cancelable: true });
  document.querySelector('a, button')?.dispatchEvent(event);
  return event.defaultPrevented;
}

describe('containNavigation', () => {
  beforeAll(() => containNavigation(window));
  it('stops a link that leads out', () => expect(click('<a href="https://example.org">x</a>')).toBe(true));
  it('lets a link within the page be', () => expect(click('<a href="#main">x</a>')).toBe(false));
  it('lets a button be', () => expect(click('<button>x</button>')).toBe(false));
  it('opens no window', () => expect(window.open('https://example.org')).toBeNull());
  it('sends no form', () => {
    document.body.innerHTML = '<form></form>';
    const event = new Event('submit', { bubbles: true, cancelable: true });
    document.querySelector('form')?.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
  });
});
