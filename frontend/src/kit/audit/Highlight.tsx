import classes from './Audit.module.css';
import { pieces, wanted } from './searchWords';

/** A text in which the words that were searched for are marked. */
export function Highlight({ text, search }: { text: string; search: string | undefined }) {
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
