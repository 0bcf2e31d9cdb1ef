import { MAX_DROPPED_MB } from '../../bridge/droppedFile';
import { i18n } from '../../language/i18n';

/** The part of a drop that is read. */
type Dropped = Pick<DataTransfer, 'files'>;

/** The one file of a drop that can be imported, or why there is none. */
export function fileIn({ files }: Dropped): { file: File } | { refusal: string } {
  const [file, ...more] = files;
  if (more.length > 0) return { refusal: i18n._('Drop one file at a time.') };
  if (!file || !/\.csv$/i.test(file.name))
    return { refusal: i18n._('Only a CSV file can be dropped here: an export of products, customers or orders.') };
  if (file.size > MAX_DROPPED_MB * 2 ** 20) {
    return {
      refusal: i18n._('{file} is larger than {limit} MB. Choose it with Import a file instead.', {
        file: file.name,
        limit: MAX_DROPPED_MB,
      }),
    };
  }
  return { file };
}
