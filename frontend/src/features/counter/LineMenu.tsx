import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useEntry } from '../../queries/useManifest';
import { DiscountDialog } from './DiscountDialog';
import { NoteDialog } from './NoteDialog';

interface LineMenuProps {
  cart: Response<'cart.getSummary'>;
  line: Response<'cart.getSummary'>['items'][number];
  name: string;
  onPrice: () => void;
}

/** The terms of a line: a price, a discount, a note. */
export function LineMenu({ cart, line, name, onPrice }: LineMenuProps) {
  const [open, setOpen] = useState<'discount' | 'note'>();
  const close = () => setOpen(undefined);
  const mayPrice = useEntry('cart.setLinePrice')?.available;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={i18n._('More of {name}', { name })}>
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayPrice && <Menu.Item onClick={onPrice}>{i18n._('Price…')}</Menu.Item>}
          <Menu.Item onClick={() => setOpen('discount')}>{i18n._('Discount…')}</Menu.Item>
          <Menu.Item onClick={() => setOpen('note')}>{i18n._('Note…')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'discount' && <DiscountDialog cart={cart} line={line} onClose={close} />}
      {open === 'note' && <NoteDialog cart={cart} line={line} onClose={close} />}
    </>
  );
}
