import type { Request } from '../door/capabilities';
import { enumOf } from '../door/schema';
import { useEntry } from './useManifest';
import { useTask } from './useTask';

type Asked = Request<'document.export'>;

/**
 * Writes a kind of document to a file, in one of the formats there are: none for
 * somebody who may not. It goes on when its page is left, and is found there again.
 */
export function useDocument(kind: Asked['kind'], source: string) {
  const entry = useEntry('document.export');
  const { data, start, ...task } = useTask('document.export', source);
  return {
    formats: entry?.available ? enumOf<Asked['format']>(entry.input_schema, 'format') : [],
    write: (format: Asked['format'], of: Omit<Asked, 'kind' | 'format'>) => start({ ...of, kind, format }),
    task: { ...task, written: data && { file: data.file, count: data.rows } },
  };
}
