// @vitest-environment jsdom
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepFocus } from './keepFocus';

beforeAll(() => keepFocus(window));
afterEach(async () => {
  document.body.replaceChildren();
  await Promise.resolve(); // the observer runs before the page goes
});

const line = (name: string) => `<li id="${name}"><input aria-label="${name}"><button>Remove ${name}</button></li>`;
const cart = (...names: string[]) => {
  document.body.innerHTML = `<div id="root"><main><button>Back</button><ul>${names.map(line).join('')}</ul></main></div>`;
};
const removal = (name: string) => document.querySelector<HTMLElement>(`#${name} button`);
const focused = () => document.activeElement?.textContent;

/** Removes it, and waits until what observes the page was told. */
async function remove(selector: string): Promise<void> {
  document.querySelector(selector)?.remove();
  await Promise.resolve();
}

describe('keepFocus', () => {
  it('goes to the same button of the next line, at the end to that of the line before, and then to what is around', async () => {
    cart('guji', 'kayanza', 'mug');
    removal('kayanza')?.focus();
    removal('kayanza')?.setAttribute('disabled', ''); // while the answer is awaited
    await remove('#kayanza');
    expect(focused()).toBe('Remove mug');
    await remove('#mug');
    expect(focused()).toBe('Remove guji');
    await remove('#guji');
    expect(focused()).toBe('Back');
  });

  it('leaves the focus where somebody has put it', async () => {
    cart('guji', 'kayanza');
    removal('guji')?.focus();
    removal('kayanza')?.focus();
    await remove('#guji');
    expect(focused()).toBe('Remove kayanza');
    (document.activeElement as HTMLElement).blur();
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true })); // on nothing that takes the focus
    await remove('#kayanza');
    expect(document.activeElement).toBe(document.body);
  });

  it('goes to the page, and not to the link that skips to it', async () => {
    document.body.innerHTML =
      '<div id="root"><div><a href="#main">Skip</a><p id="bar"><button>Not now</button></p><main id="main" tabindex="-1">Page</main></div></div>';
    document.querySelector<HTMLElement>('#bar button')?.focus();
    await remove('#bar');
    expect(focused()).toBe('Page');
  });

  it('leaves it to a dialog that closes', async () => {
    cart('guji');
    document.body.insertAdjacentHTML('beforeend', '<div id="dialog"><button>Keep</button></div>');
    document.querySelector<HTMLElement>('#dialog button')?.focus();
    await remove('#dialog');
    expect(document.activeElement).toBe(document.body);
  });
});
