// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { linkRecords } from './linkRecords';
import { blocksOf, Markdown } from './Markdown';

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

describe('the blocks of a text', () => {
  it('are parted by blank lines, but not within a fence or a list', () => {
    const list = '- a\n\n- b\n\n  more\n\n1. c\n\n';
    const fence = '```\none\n\ntwo\n```\n\n';
    expect(blocksOf(`First.\n\n${fence}${list}Last`)).toEqual(['First.\n\n', `${fence}${list}`, 'Last']);
    expect(blocksOf('')).toEqual([]);
  });
  it('stay as they are while more comes', () => {
    const text = 'One.\n\n| a |\n|---|\n| 1 |\n\nTwo **bold** words.\n\n~~~\n# no\n\n~~~\n\nEnd';
    for (let n = 1; n < text.length; n += 1) {
      const [before, after] = [blocksOf(text.slice(0, n)), blocksOf(text.slice(0, n + 1))];
      expect(before.join('')).toBe(text.slice(0, n));
      expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    }
  });
});

describe('a record in a text', () => {
  const order = { entity: 'order', id: '#W1' };
  const known = new Map([
    ['#W1', order],
    ['W1', order],
    ['#W12', { entity: 'order', id: '#W12' }],
  ]);
  const linked = (value: string, type = 'text') => {
    const tree = { type: 'root', children: [{ type: 'paragraph', children: [{ type, value }] }] };
    linkRecords(known)()(tree);
    const [{ children = [] } = {}] = tree.children as { children?: { data?: { hProperties: object } }[] }[];
    return children.flatMap(({ data }) => (data ? [Object.values(data.hProperties)[0]] : []));
  };
  it('is found by its id, alone or without its sign, and in no longer word', () => {
    expect(linked('Order #W12 and (W1), not XW1, #W123 or W1-a.')).toEqual(['#W12', 'W1']);
    expect(linked('#W1', 'inlineCode')).toEqual(['#W1']);
    expect(linked('see #W1', 'inlineCode')).toEqual([]);
  });
  it('is none that a model names in a link of its own', () => {
    const page = html('[#W1](#) <a data-record="#W1">x</a>');
    expect(page.querySelector('button, a')).toBeNull();
  });
});
