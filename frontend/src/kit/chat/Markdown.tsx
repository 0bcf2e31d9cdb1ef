import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/*
 * Text of a model links nowhere and loads nothing: an address is shown, not
 * linked, and a picture is its description. HTML is shown as the text it is.
 */
const components: Components = {
  a: ({ children, href }) => (
    <span>
      {children} ({href})
    </span>
  ),
  img: ({ alt }) => <span>{alt}</span>,
};
const plugins = [remarkGfm];

/** Text of the assistant, formatted. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});
