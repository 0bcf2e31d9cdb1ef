import type { Request, Response } from '../bridge/capabilities';
import { enumOf } from '../bridge/schema';
import { useEntry } from '../queries/useManifest';
import { useTask } from '../queries/useTask';

type Asked = Request<'document.export'>;

/**
 * Writes a document to a file, in one of the formats; there are none for a person who
 * may not. The task continues when its page is left.
 */
export function useDocument(kind: Asked['kind'], source: string) {
  const entry = useEntry('document.export');
  const { data, start, ...task } = useTask('document.export', source);
  return {
    formats: entry?.available ? enumOf<Asked['format']>(entry.input_schema, 'format') : [],
    write: (
      format: Asked['format'],
      of: Omit<Asked, 'kind' | 'format'>,
      whenDone?: (written: Response<'document.export'>) => void,
    ) => start({ ...of, kind, format }, whenDone),
    task: { ...task, written: data && { file: data.file, count: data.rows } },
  };
}
