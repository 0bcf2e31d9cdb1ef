import { i18n } from '../../../language/i18n';
import { own } from '../../../language/own';
import { type Known, keyOf } from '../../../shop/lines';
import { PiecesInput } from '../../../ui/form/PiecesInput';
import page from '../../../ui/page/Page.module.css';
import type { Picked } from '../items';

interface PickQuantitiesProps {
  label: string;
  lines: readonly (Known & { name: string; quantity: number })[];
  picked: Picked;
  onChange: (picked: Picked) => void;
  /** The first one takes the focus when its dialog opens. */
  first?: boolean;
}

/** Chooses how many pieces of each line are meant. */
export function PickQuantities({ label, lines, picked, onChange, first = true }: PickQuantitiesProps) {
  return (
    <ul className={page.rows} aria-label={label}>
      {lines.map(({ name, quantity, ...line }, index) => (
        <li key={keyOf(line)}>
          <span className={page.grow}>{name}</span>
          <PiecesInput
            data-autofocus={(first && index === 0) || undefined}
            aria-label={i18n._('Pieces of {name}', { name })}
            w={80}
            min={0}
            max={quantity}
            value={own(picked, keyOf(line)) ?? 0}
            onChange={(pieces) => onChange({ ...picked, [keyOf(line)]: pieces })}
          />
          <span>{i18n._('of {quantity}', { quantity })}</span>
        </li>
      ))}
    </ul>
  );
}
