import type { Request, Response } from '../bridge/capabilities';
import { namesOf } from '../bridge/schema';
import type { JsonObject } from '../bridge/wire';
import { useListValues } from '../kit/views/useListValues';
import { useEntry } from '../queries/useManifest';
import { usePages } from '../queries/usePages';
import { useTyped } from '../ui/list/useTyped';
import { useDocument } from './useDocument';

/** The kinds of document that lists are exported as, and how each is told which rows are meant. */
const pickedBy = { orders: 'orderIds', customers: 'customerIds', products: 'productIds' } as const;

type SearchName = 'catalog.search' | 'customer.search' | 'order.search';

interface SearchedOptions<N extends SearchName, Row> {
  source: string;
  rowsOf: (answer: Response<N>) => readonly Row[];
  keyOf: (row: Row) => string;
  /** The kind of document that the list is exported as. */
  kind: keyof typeof pickedBy;
}

/**
 * A list that is searched by words: the words are kept while the window is open, the
 * results are read page by page, and can be exported as they are filtered.
 */
export function useSearched<N extends SearchName, Row>(name: N, options: SearchedOptions<N, Row>) {
  const { source, kind, rowsOf, keyOf } = options;
  const [values, setValues] = useListValues(name);
  const text = typeof values.query === 'string' ? values.query : '';
  const [typed, type] = useTyped(text, (query) => setValues({ ...values, query }));
  const asked = { ...values, query: typed || undefined, forgiving: typed ? true : undefined };
  const pages = usePages(name, { ...asked, limit: 50 } as Request<N>, { source, rowsOf, keyOf });
  const { formats, write, task } = useDocument(kind, source);
  const known = namesOf(useEntry('document.export')?.input_schema);
  // With a filter that a document does not know there is none to write. It has an order of its own.
  const { sort: _, ...filters } = asked as JsonObject;
  const whole = Object.entries(filters).every(([name, value]) => value === undefined || known.includes(name));
  return {
    query: typed,
    /** The words that no record has, where nothing was found. */
    missing: pages.list.notFound,
    /** What the list is narrowed to and sorted by. */
    narrowing: { of: name, values, onChange: setValues },
    /** Takes the words and all filters away. */
    showAll: () => {
      type('');
      setValues({});
    },
    pages,
    keyOf,
    search: { value: text, onChange: type },
    exporting: {
      formats: whole ? formats : [],
      task,
      onStart: (format: (typeof formats)[number]) => write(format, filters),
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
