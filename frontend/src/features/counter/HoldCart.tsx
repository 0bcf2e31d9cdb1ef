import { TextInput } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { useForm } from '../../ui/form/useForm';

interface HoldCartProps {
  cart: Response<'cart.getSummary'>;
  onClose: () => void;
  /** Called with the label of the held cart. */
  onHeld: (label: string) => void;
}

/** Puts the cart aside for later. Enter is enough: it is called by its customer then. */
export function HoldCart({ cart, onClose, onHeld }: HoldCartProps) {
  const { values, change } = useForm(undefined, { label: '' });
  const { label } = values;
  const hold = useInvoke('cart.hold', { source: 'HoldCart', once: true });
  const save = () => hold.mutate({ label: label.trim() || undefined }, { onSuccess: ({ data }) => onHeld(data.label) });
  return (
    <FormDialog
      title={i18n._('Hold the cart')}
      submit={i18n._('Hold the cart')}
      call={hold}
      onSubmit={save}
      onClose={onClose}
    >
      <ErrorAt pointer="/label">
        <TextInput
          data-autofocus
          label={i18n._('Label')}
          description={i18n._('What it is found by later')}
          placeholder={cart.customer?.name ?? i18n._('Optional')}
          value={label}
          onChange={(event) => change({ label: event.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}
