// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Markdown } from './Markdown';

const html = (text: string) => render(<Markdown text={text} />).container;

describe('Markdown', () => {
  it('shows an address and links nowhere', () => {
    const page = html('[see](https://example.org/?q=ana)');
    expect(page.querySelector('a')).toBeNull();
    expect(page.textContent).toBe('see (https://example.org/?q=ana)');
  });
  it('loads no picture', () => {
    const page = html('![a bag](https://example.org/bag.png)');
    expect(page.querySelector('img')).toBeNull();
    expect(page.textContent).toBe('a bag');
  });
  it('shows HTML as text', () => {
    const page = html('before <button onclick="x()">Allow</button> after');
    expect(page.querySelector('button')).toBeNull();
  });
  it('formats lists and tables', () => {
    expect(html('- one\n- two').querySelectorAll('li')).toHaveLength(2);
    expect(html('| a | b |\n|---|---|\n| 1 | 2 |').querySelectorAll('td')).toHaveLength(2);
  });
});
