import type { Response } from '../bridge/capabilities';
import { i18n } from '../language/i18n';
import classes from './ReceiptSheet.module.css';
import { ShopLogo } from './ShopLogo';

interface ReceiptSheetProps {
  receipt: Response<'receipt.preview'>;
  /** The shop's own lines, name first, and its last ones, while they are being changed. */
  shop?: readonly string[];
  footer?: string;
}

/** A receipt as it is printed. Its texts come from the application, in the shop's language. */
export function ReceiptSheet({ receipt, shop = receipt.shop, footer }: ReceiptSheetProps) {
  const [name, ...profile] = shop;
  const parts =
    footer === undefined
      ? receipt.parts
      : [...receipt.parts.filter(({ title }) => title), ...(footer ? [{ lines: footer.split('\n') }] : [])];
  return (
    <article className={classes.sheet} aria-label={i18n._('The receipt as it is printed')}>
      {receipt.logo && <ShopLogo key={receipt.logo} edition={receipt.logo} alt={i18n._('Logo')} />}
      <header className={classes.head}>
        <strong>{name}</strong>
        <strong>{receipt.title}</strong>
      </header>
      <Lines of={profile} />
      <div className={classes.blocks}>
        {receipt.blocks.map(({ title, lines }) => (
          <div key={title}>
            <strong>{title}</strong>
            <Lines of={lines} />
          </div>
        ))}
      </div>
      <table className={classes.table}>
        <Columns of={receipt.columns} />
        <tbody>
          {receipt.lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a receipt do not move
            <tr key={index}>
              <td>
                {line.name}
                {line.sku && <div className={classes.minor}>{line.sku}</div>}
                {line.terms && (
                  <div className={classes.minor} style={{ whiteSpace: 'pre-line' }}>
                    {line.terms}
                  </div>
                )}
              </td>
              <td>{line.pieces}</td>
              <td>{line.price}</td>
              <td>{line.amount}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {receipt.sums.map(({ label, amount, total }) => (
            <tr key={label} data-total={total || undefined}>
              <td colSpan={3}>{label}</td>
              <td>{amount}</td>
            </tr>
          ))}
        </tfoot>
      </table>
      {receipt.taxes.length > 0 && (
        <table className={classes.table}>
          <Columns of={receipt.taxColumns} />
          <tbody>
            {receipt.taxes.map(({ rate, net, tax }) => (
              <tr key={rate}>
                <td>{rate}</td>
                <td>{net}</td>
                <td>{tax}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {receipt.payments.length > 0 && (
        <table className={classes.table}>
          <Columns of={receipt.paymentColumns} />
          <tbody>
            {receipt.payments.map(({ what, day, amount }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the payments of a receipt do not move
              <tr key={index}>
                <td className={classes.lines}>{what}</td>
                <td>{day}</td>
                <td>{amount}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr data-total>
              <td colSpan={2}>{receipt.paid.label}</td>
              <td>{receipt.paid.amount}</td>
            </tr>
          </tfoot>
        </table>
      )}
      {parts.map(({ title, lines }) => (
        <div key={title ?? ''} className={classes.part}>
          {title && <strong>{title}</strong>}
          <Lines of={lines} />
        </div>
      ))}
    </article>
  );
}

function Lines({ of }: { of: readonly string[] }) {
  return <div className={classes.lines}>{of.join('\n')}</div>;
}

/** The heads of the columns of a table. */
function Columns({ of }: { of: readonly string[] }) {
  return (
    <thead>
      <tr>
        {of.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}
