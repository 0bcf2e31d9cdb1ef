import { Text } from '@mantine/core';
import { IconBellDown, IconCoin, IconPackage, IconPencil } from '@tabler/icons-react';
import { formatCount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { IconAction } from '../../ui/form/IconAction';
import { Badge } from '../../ui/page/Badge';
import { Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { Table } from '../../ui/page/Table';
import { useLasting } from '../../ui/window/useKept';
import { AdjustStock } from './AdjustStock';
import classes from './Catalog.module.css';
import { EditVariant } from './EditVariant';
import { type FullProduct, stockOf, variantName, weightText } from './product';
import { SetPrice } from './SetPrice';
import { SetReorder } from './SetReorder';

type Open = { what: 'add'; id?: undefined } | { what: 'price' | 'stock' | 'reorder' | 'change'; id: string };

/** The variants of a product, each with what can be done with it. */
export function Variants({ product }: { product: FullProduct }) {
  const [open, setOpen] = useLasting<Open | undefined>(`variants of ${product.id}`, undefined);
  const chosen = product.variants.find(({ id }) => id === open?.id);
  const price = useRefusal('catalog.setPrice');
  const stock = useRefusal('catalog.adjustStock');
  const reorder = useRefusal('catalog.setReorder');
  const change = useRefusal('catalog.updateProduct');
  const close = () => setOpen(undefined);
  return (
    <Part
      title={i18n._('Variants')}
      actions={
        <ActionButton variant="default" disabledReason={change} onClick={() => setOpen({ what: 'add' })}>
          {i18n._('Add a variant')}
        </ActionButton>
      }
    >
      <div className={classes.variants}>
        <Table heads={[i18n._('Variant'), i18n._('SKU'), i18n._('Price'), i18n._('In stock'), '']} numbersFrom={2}>
          {product.variants.map((variant) => (
            <tr key={variant.id}>
              <td>
                <Text fw={500} c={variant.available ? undefined : 'dimmed'}>
                  {variantName(variant)} {variant.default && <Badge>{i18n._('Default')}</Badge>}{' '}
                  {variant.withdrawn && <Badge color="gray">{i18n._('Not for sale')}</Badge>}{' '}
                  {variant.backorder && <Badge color="gray">{i18n._('Sold ahead')}</Badge>}
                </Text>
                {variant.weightGrams !== undefined && (
                  <Text size="xs" c="dimmed">
                    {weightText(variant)}
                  </Text>
                )}
              </td>
              <td>
                {variant.sku}
                {variant.barcode && (
                  <Text size="xs" c="dimmed">
                    {variant.barcode}
                  </Text>
                )}
              </td>
              <td className={page.number}>
                {variant.compareAt && (
                  <Text span size="xs" c="dimmed" td="line-through" mr={4}>
                    {formatMoney(variant.compareAt)}
                  </Text>
                )}
                {formatMoney(variant.price)}
                {variant.cost && (
                  <Text size="xs" c="dimmed">
                    {i18n._('cost {amount}', { amount: formatMoney(variant.cost) })}
                  </Text>
                )}
              </td>
              <td className={page.number}>
                {stockOf(variant)}
                {variant.reorderLevel !== undefined && (
                  <Text size="xs" c="dimmed">
                    {i18n._('reorder at {level}', { level: formatCount(variant.reorderLevel) })}
                  </Text>
                )}
              </td>
              <td>
                <div className={classes.actions}>
                  <IconAction
                    label={i18n._('Set the price of {name}', { name: variantName(variant) })}
                    disabledReason={price}
                    onClick={() => setOpen({ what: 'price', id: variant.id })}
                  >
                    <IconCoin size={15} aria-hidden />
                  </IconAction>
                  <IconAction
                    label={i18n._('Adjust the stock of {name}', { name: variantName(variant) })}
                    disabledReason={stock}
                    onClick={() => setOpen({ what: 'stock', id: variant.id })}
                  >
                    <IconPackage size={15} aria-hidden />
                  </IconAction>
                  <IconAction
                    label={i18n._('Set the reorder level of {name}', { name: variantName(variant) })}
                    disabledReason={reorder ?? (variant.stock === undefined ? i18n._('It is not counted.') : undefined)}
                    onClick={() => setOpen({ what: 'reorder', id: variant.id })}
                  >
                    <IconBellDown size={15} aria-hidden />
                  </IconAction>
                  <IconAction
                    label={i18n._('Change {name}', { name: variantName(variant) })}
                    disabledReason={change}
                    onClick={() => setOpen({ what: 'change', id: variant.id })}
                  >
                    <IconPencil size={15} aria-hidden />
                  </IconAction>
                </div>
              </td>
            </tr>
          ))}
        </Table>
      </div>
      {open?.what === 'add' && <EditVariant product={product} onClose={close} />}
      {open?.what === 'change' && chosen && <EditVariant product={product} variant={chosen} onClose={close} />}
      {open?.what === 'price' && chosen && <SetPrice variant={chosen} onClose={close} />}
      {open?.what === 'reorder' && chosen && <SetReorder variant={chosen} onClose={close} />}
      {open?.what === 'stock' && chosen && <AdjustStock variant={chosen} onClose={close} />}
    </Part>
  );
}
