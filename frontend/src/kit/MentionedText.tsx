import { type Mention, partsOf } from '../bridge/mentions';
import { nameOf } from '../bridge/names';
import { useNames } from '../queries/useNames';
import { RecordLink } from './RecordLink';

/**
 * A sentence that a person said, with the records in it as links. Each has the name by which the reader knows it: who
 * may not read the record sees its id.
 */
export function MentionedText({ sentence }: { sentence: string }) {
  const parts = partsOf(sentence);
  const records = parts.filter((part): part is Mention => typeof part !== 'string');
  const names = useNames(records);
  return parts.map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not change
      <RecordLink key={at} record={part}>
        @{nameOf(names, part) ?? part.id}
      </RecordLink>
    ),
  );
}
