import { memo, type ReactNode, use, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { RecordLink } from '../RecordLink';
import { KnownRecords } from './KnownRecords';
import { linkRecords } from './linkRecords';

/*
 * Text of a model leads to records of the conversation and nowhere else, and loads nothing: an address is shown, not
 * linked, and a picture is its description. HTML is shown as the text it is.
 */
const components: Components = {
  a: ({ children, href, ...rest }) => {
    const { 'data-record': record } = rest as { 'data-record'?: string };
    return record === undefined ? (
      <span>
        {children} ({href})
      </span>
    ) : (
      <KnownRecord word={record}>{children}</KnownRecord>
    );
  },
  img: ({ alt }) => <span>{alt}</span>,
};

/** A record that the conversation knows: a link to its page. */
function KnownRecord({ word, children }: { word: string; children: ReactNode }) {
  return <RecordLink record={use(KnownRecords).get(word)}>{children}</RecordLink>;
}

/**
 * The blocks of a text: parts that mean the same by themselves. A blank line parts them, but not within a fence, and
 * not before what may go on: a list, or an indented line.
 */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let block = '';
  let fence = '';
  let blank = false;
  for (const line of text.split(/(?<=\n)/)) {
    if (blank && !fence && !/^(\s|[-*+]\s|\d+[.)]\s)/.test(line)) {
      blocks.push(block);
      block = '';
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (!fence) fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    blank = line.trim() === '';
    block += line;
  }
  return block ? [...blocks, block] : blocks;
}

const Block = memo(function Block({ text }: { text: string }) {
  const known = use(KnownRecords);
  const plugins = useMemo(() => [remarkGfm, linkRecords(known)], [known]);
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

/** Text of the assistant, formatted. While it comes, only its last block is drawn anew. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added behind the others
  return blocksOf(text).map((block, at) => <Block key={at} text={block} />);
});
