import type { Money } from '../../bridge/wire';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import page from '../../ui/page/Page.module.css';

interface ComparisonCellsProps {
  row: { before?: Money; difference?: Money };
}

/** What a row came to in the other time, and the difference, as texts; both empty where it has no counterpart. */
export const besideTexts = ({ before, difference }: ComparisonCellsProps['row']): string[] =>
  [before, difference].map((amount) => (amount ? formatMoney(amount) : ''));

/** The heads of the two columns of a report that is compared. */
export const besideHeads = (): string[] => [i18n._('Before'), i18n._('Difference')];

export function ComparisonCells({ row }: ComparisonCellsProps) {
  return besideTexts(row).map((text, column) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
    <td key={column} className={page.number}>
      {text}
    </td>
  ));
}
