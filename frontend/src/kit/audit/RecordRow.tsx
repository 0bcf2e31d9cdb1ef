import { Text } from '@mantine/core';
import { formatTime } from '../../language/format';
import { cell } from '../../ui/list/cells';
import { Badge } from '../../ui/page/Badge';
import { usePersonNames } from '../domain';
import classes from './Audit.module.css';
import { besideTitle, callerText, outcomeOf } from './record';
import type { Line } from './recordLine';
import { isFound, pieces, wanted } from './searchWords';

interface RecordRowProps {
  line: Line;
  title: string | undefined;
  /** The searched words, to be highlighted. */
  search: string | undefined;
}

/** One record in the list: who, what, how it ended, for whom and when. */
export function RecordRow({ line, title, search }: RecordRowProps) {
  const outcome = outcomeOf(line);
  const person = usePersonNames([line.person])(line.person);
  const name = title ?? line.capability ?? '';
  // The searched words may be in the sentence that led to the record, and nowhere else that is shown.
  const bySentence =
    line.sentence !== undefined && !isFound(`${name} ${line.text}`, search) && isFound(line.sentence, search);
  return (
    <div className={classes.row}>
      <Text {...cell} size="xs" c="dimmed" truncate>
        {callerText(line.caller)}
      </Text>
      <Text {...cell} truncate>
        <Text span fw={500}>
          <Highlight text={name} search={search} />
        </Text>{' '}
        <Text span size="xs" c="dimmed">
          <Highlight text={besideTitle(name, line.text)} search={search} />
          {bySentence && (
            <>
              {' '}
              “<Highlight text={line.sentence ?? ''} search={search} />”
            </>
          )}
        </Text>
      </Text>
      <span {...cell}>
        <Badge color={outcome.color}>{outcome.text}</Badge>
      </span>
      <Text {...cell} size="xs" c="dimmed" truncate>
        {person}
      </Text>
      <Text {...cell} size="xs" c="dimmed" ta="right" truncate>
        {formatTime(line.time)}
      </Text>
    </div>
  );
}

/** A text in which the words that were searched for are marked. */
function Highlight({ text, search }: { text: string; search: string | undefined }) {
  let at = 0;
  return pieces(text, wanted(search)).map((piece) => {
    const key = at;
    at += piece.text.length;
    if (!piece.found) return piece.text;
    return (
      <mark key={key} className={classes.mark}>
        {piece.text}
      </mark>
    );
  });
}
