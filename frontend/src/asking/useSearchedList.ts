import type { Request } from '../door/capabilities';
import { useTyped } from '../ui/list/useTyped';
import { useKept } from '../ui/window/useKept';
import { usePages } from './useCapability';
import { useDocument } from './useDocument';

type SearchName = 'catalog.search' | 'customer.search' | 'order.search';

interface SearchedOptions {
  source: string;
  /** What the file is of that the list is written to. */
  kind: Request<'document.export'>['kind'];
  /** What narrows the list beside the words. */
  narrowed?: Omit<Request<'document.export'>, 'kind' | 'format' | 'query'>;
}

/**
 * A list by the words that are typed: they are kept while the window is open, what
 * they find is read page by page, and is written to a file as it is narrowed.
 */
export function useSearched<N extends SearchName>(name: N, { source, kind, narrowed }: SearchedOptions) {
  const [text = '', setText] = useKept<string>(`${source} text`);
  const [typed, type] = useTyped(text, setText);
  const asked = { ...narrowed, query: typed || undefined };
  const pages = usePages(name, { ...asked, limit: 50 } as Request<N>, { source });
  const { formats, write, task } = useDocument(kind, source);
  return {
    query: typed,
    pages,
    search: { value: text, onChange: type },
    exporting: { formats, task, onStart: (format: (typeof formats)[number]) => write(format, asked) },
  };
}
