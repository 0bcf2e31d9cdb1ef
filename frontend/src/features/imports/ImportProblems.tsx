import type { BusError } from '../../bridge/error';
import { i18n } from '../../language/i18n';
import { Problem } from '../../ui/page/Note';
import page from '../../ui/page/Page.module.css';
import classes from './Imports.module.css';
import { type Mistake, mistakesIn } from './importing';

/** Why a file was not imported: every line with a mistake, so that all can be mended at once. */
export function ImportProblems({ error, name }: { error: BusError; name?: string }) {
  const mistakes = mistakesIn(error.violations);
  if (mistakes.length === 0) return <Problem message={error.message} hint={error.recoveryHint} />;
  return (
    <>
      <Problem
        message={i18n._('{file} was not imported: {count, plural, one {# mistake} other {# mistakes}}.', {
          file: name ?? i18n._('The file'),
          count: mistakes.length,
        })}
        hint={i18n._('Correct these lines and choose the file again; nothing was changed.')}
      />
      <Mistakes mistakes={mistakes} />
    </>
  );
}

/** The mistakes in a file by line. */
export function Mistakes({ mistakes }: { mistakes: readonly Mistake[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.preview} tabIndex={0} aria-label={i18n._('Mistakes')}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col" className={page.number}>
              {i18n._('Line')}
            </th>
            <th scope="col">{i18n._('Mistake')}</th>
          </tr>
        </thead>
        <tbody>
          {mistakes.map(({ line, text }) => (
            <tr key={`${line} ${text}`}>
              <td className={page.number}>{line ?? '–'}</td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
