import type { Known } from './KnownRecords';

/** What is used of a node of a formatted text. */
interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
  data?: { hProperties: Record<string, string> };
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Where a text names one of some records: the longest word first, and never a part of a longer one. */
function pattern(known: Known): RegExp | undefined {
  if (known.size === 0) return undefined;
  const words = [...known.keys()].sort((a, b) => b.length - a.length).map(escaped);
  return new RegExp(`(?<![\\w#-])(?:${words.join('|')})(?![\\w-])`, 'g');
}

/** A step of formatting: the ids of known records in a text become links to them. A model cannot write such a link. */
export function linkRecords(known: Known) {
  const words = pattern(known);
  const linked = (text: string, node: Node): Node => {
    return { type: 'link', url: '', data: { hProperties: { 'data-record': text } }, children: [node] };
  };
  const parts = (text: string): Node[] => {
    const nodes: Node[] = [];
    let from = 0;
    for (const found of text.matchAll(words ?? /$^/g)) {
      nodes.push({ type: 'text', value: text.slice(from, found.index) });
      nodes.push(linked(found[0], { type: 'text', value: found[0] }));
      from = found.index + found[0].length;
    }
    return [...nodes, { type: 'text', value: text.slice(from) }];
  };
  const walk = (node: Node): void => {
    if (node.type === 'link' || !node.children) return;
    node.children = node.children.flatMap((child) => {
      if (child.type === 'text') return parts(child.value ?? '');
      if (child.type === 'inlineCode' && known.has(child.value ?? '')) return [linked(child.value ?? '', child)];
      walk(child);
      return [child];
    });
  };
  return () => (tree: Node) => {
    if (words) walk(tree);
  };
}
