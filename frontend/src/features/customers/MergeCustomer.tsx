import { Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { formatCount } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useInvoke, usePreview } from '../../queries/useInvoke';
import { CustomerField } from '../../shop/CustomerField';
import { FormDialog } from '../../ui/form/FormDialog';
import { useForm } from '../../ui/form/useForm';
import { Facts } from '../../ui/page/Facts';
import { Problem } from '../../ui/page/Note';

interface MergeCustomerProps {
  /** The record that stays. */
  customer: { id: string; name: string };
  onClose: () => void;
}

/** Chooses another record of the same person, says what moves, and makes the two one. */
export function MergeCustomer({ customer, onClose }: MergeCustomerProps) {
  const { values, change } = useForm(undefined, { remove: '' });
  const args = values.remove ? { keep: customer.id, ...values } : undefined;
  const { data, error } = usePreview('customer.merge', args, 'MergeCustomer');
  const merge = useInvoke('customer.merge', { source: 'MergeCustomer', once: true });
  return (
    <FormDialog
      title={i18n._('Merge another record into {name}', { name: customer.name })}
      submit={i18n._('Merge the records')}
      disabledReason={args ? error?.message : i18n._('Choose the other record first.')}
      call={merge}
      onSubmit={() => args && merge.mutate(args, { onDone: onClose })}
      onClose={onClose}
    >
      <CustomerField
        first
        label={i18n._('Record that goes away')}
        source="MergeCustomer"
        except={customer.id}
        onChange={(id) => change({ remove: id })}
      />
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <div role="status">{data && <Facts facts={moved(data)} />}</div>
      <Text c="dimmed" size="xs">
        {i18n._(
          'Name, email and phone of this record stay; what it lacks is taken over, and what would be lost becomes a note.',
        )}
      </Text>
    </FormDialog>
  );
}

/** How much of what moves. */
function moved(data: Response<'customer.merge'>): (readonly [string, string])[] {
  const parts = [
    [i18n._('Orders'), data.orders],
    [i18n._('Addresses'), data.addresses],
    [i18n._('Payment methods'), data.paymentMethods],
    [i18n._('Notes'), data.notes],
    [i18n._('Carts'), data.carts],
  ] as const;
  return parts.flatMap(([label, n]) => (n > 0 ? [[label, formatCount(n)] as const] : []));
}
