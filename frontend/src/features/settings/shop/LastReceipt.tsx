import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useEntry } from '../../../queries/useManifest';
import { ReceiptSheet } from '../../../shop/ReceiptSheet';
import { Part } from '../../../ui/page/Page';
import { letterhead, type ShopDraft } from './letterhead';

/** The receipt of the latest order with what is typed about the shop; nothing where there is no order yet. */
export function LastReceipt({ draft }: { draft: ShopDraft }) {
  const may = useEntry('receipt.preview')?.available ?? false;
  const orders = useCapability('order.search', { limit: 1 }, { source: 'Settings', enabled: may });
  const orderId = orders.data?.orders[0]?.id ?? '';
  const { data } = useCapability('receipt.preview', { orderId }, { source: 'Settings', enabled: orderId !== '' });
  if (!data) return null;
  return (
    <Part title={i18n._('A receipt')}>
      <ReceiptSheet receipt={data} shop={letterhead(draft)} footer={draft.footer.trim()} />
    </Part>
  );
}
