import { VisuallyHidden } from '@mantine/core';
import type { CardArgument, Bill as Content } from '../../bridge/approval';
import { i18n } from '../../language/i18n';
import classes from './Bill.module.css';
import { originText } from './cards';

interface BillProps {
  bill: Content;
  /** The arguments of the call, by their pointers as the bill writes them; absent: their origins are known. */
  args?: ReadonlyMap<string, CardArgument>;
}

/** What a call comes to: its lines, their sums, whom and what it concerns, and in one line what follows from it. */
export function Bill({ bill: { lines = [], sums = [], about = [], follows = [] }, args }: BillProps) {
  return (
    <div className={classes.bill}>
      {(lines.length > 0 || sums.length > 0) && (
        <table className={classes.lines}>
          <caption>
            <VisuallyHidden>{i18n._('What it comes to')}</VisuallyHidden>
          </caption>
          <tbody>
            {lines.map(({ quantity, text, each, amount }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a bill have an order and never change
              <tr key={index}>
                <td>{quantity} ×</td>
                <th scope="row">
                  {text}
                  {each && quantity !== 1 && <span className={classes.each}> {i18n._('{each} each', { each })}</span>}
                </th>
                <td>{amount}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {sums.map(({ label, text }) => (
              <tr key={label}>
                <th scope="row" colSpan={2}>
                  {label}
                </th>
                <td>{text}</td>
              </tr>
            ))}
          </tfoot>
        </table>
      )}
      <dl className={classes.about}>
        {about.map(({ label, text, argument }) => {
          const origin = argument ? args?.get(argument)?.origin : undefined;
          return (
            <div key={label + text} data-pointer={origin && argument}>
              <dt>{label}</dt>
              <dd>{text}</dd>
              {origin && <dd data-guess={origin === 'guess' || undefined}>{originText(origin)}</dd>}
            </div>
          );
        })}
      </dl>
      {follows.length > 0 && <p className={classes.follows}>{i18n._('Then: {list}', { list: follows.join(', ') })}</p>}
    </div>
  );
}
