import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { useClient } from '../../asking/BusProvider';
import { asBusError } from '../../door/error';
import { i18n } from '../../language/i18n';
import { dialogIsOpen } from '../../ui/keys/useKeys';
import { type Scan, useScans } from '../../ui/keys/useScans';
import { beep } from '../../ui/window/beep';
import { searchInView } from './scanned';
import { addedText, exact, LIST, meant, nameOf, offersOf, waitsText } from './search';
import { keyOf, useSendWaiting, useWaits } from './waiting';

const source = 'Scanner';

/** Puts what is scanned into the cart, one after the other, wherever the focus is; each is answered with a sound. */
export function Scanner() {
  const client = useClient();
  const queue = useRef(Promise.resolve());
  const waits = useWaits();

  const refuse = (message: string) => {
    beep(false);
    notifications.show({ message, color: 'brick', withBorder: true });
  };
  const put = async ({ code, at }: Scan) => {
    const { data } = await client.invoke('catalog.search', { query: code, limit: 50 }, { source });
    const offers = offersOf(data.products);
    const offer = at?.getAttribute('aria-controls') === LIST ? meant(offers) : exact(offers);
    const search = dialogIsOpen() ? undefined : searchInView(); // a dialog lies over it
    if (!offer && search) {
      beep(false);
      search.onUnclear(code, offers, data.hasMore);
      return;
    }
    if (!offer) {
      refuse(i18n._('No product has the code {code}.', { code }));
      return;
    }
    const { product, variant } = offer;
    const name = nameOf(offer);
    if (!variant.available) {
      refuse(i18n._('{name} is not available.', { name }));
      return;
    }
    const args = { productId: product.id, variantId: variant.id, quantity: 1 };
    let text = waitsText();
    if (!waits.before(args, name)) {
      try {
        const added = await client.invoke('cart.addItem', args, { source, idempotencyKey: keyOf(args) });
        text = addedText(added.data);
      } catch (thrown) {
        if (!waits.after(asBusError(thrown), args, name)) throw thrown;
      }
    }
    beep(true);
    if (search) search.onAdded(text);
    else notifications.show({ title: name, message: text, color: 'pine', withBorder: true });
  };
  useSendWaiting((name, why) => refuse(i18n._('{name} was not put into the cart. {why}', { name, why })));
  useScans((scan) => {
    queue.current = queue.current.then(() => put(scan)).catch((thrown) => refuse(asBusError(thrown).message));
  });
  return null;
}
