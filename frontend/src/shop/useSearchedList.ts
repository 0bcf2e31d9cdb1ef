import { usePages } from '../asking/useCapability';
import { useEntry } from '../asking/useManifest';
import type { Request } from '../door/capabilities';
import { namesOf } from '../door/schema';
import type { Json } from '../door/wire';
import { useTyped } from '../ui/list/useTyped';
import { useKept } from '../ui/window/useKept';
import { useDocument } from './useDocument';

/** The kinds of document that lists are exported as, and how each is told which rows are meant. */
const pickedBy = { orders: 'orderIds', customers: 'customerIds', products: 'productIds' } as const;

type SearchName = 'catalog.search' | 'customer.search' | 'order.search';

interface SearchedOptions {
  source: string;
  /** The kind of document that the list is exported as. */
  kind: keyof typeof pickedBy;
  /** The filters of the list beside the words. With one that a document does not know there is none to write. */
  narrowed?: Readonly<Record<string, Json | undefined>>;
}

/**
 * A list that is searched by words: the words are kept while the window is open, the
 * results are read page by page, and can be exported as they are filtered.
 */
export function useSearched<N extends SearchName>(name: N, { source, kind, narrowed }: SearchedOptions) {
  const [text = '', setText] = useKept<string>(`${source} text`);
  const [typed, type] = useTyped(text, setText);
  const asked = { ...narrowed, query: typed || undefined };
  const pages = usePages(name, { ...asked, limit: 50 } as Request<N>, { source });
  const { formats, write, task } = useDocument(kind, source);
  const known = namesOf(useEntry('document.export')?.input_schema);
  const whole = Object.entries(asked).every(([name, value]) => value === undefined || known.includes(name));
  return {
    query: typed,
    pages,
    search: { value: text, onChange: type },
    exporting: {
      formats: whole ? formats : [],
      task,
      onStart: (format: (typeof formats)[number]) => write(format, asked),
    },
    /** Exports some of the rows, whatever the filters. */
    exportingSome: {
      formats,
      busy: task.running,
      onStart: (format: (typeof formats)[number], ids: readonly string[]) =>
        write(format, { [pickedBy[kind]]: [...ids] }),
    },
  };
}
