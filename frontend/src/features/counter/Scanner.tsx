import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { asBusError } from '../../bridge/error';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { useUnsent } from '../../queries/unsent';
import { dialogIsOpen } from '../../ui/keys/registry';
import { type Scan, useScans } from '../../ui/keys/useScans';
import { beep } from '../../ui/window/beep';
import { searchInView } from './scanned';
import { addedText, exact, LIST, meant, nameOf, offersOf, piecesIn, waitsText } from './search';
import { keyOf, useSendWaiting, useWaits } from './waiting';

const source = 'Scanner';

/** Puts what is scanned into the cart, one after the other, wherever the focus is; each is answered with a sound. */
export function Scanner() {
  const client = useClient();
  const queue = useRef(Promise.resolve());
  const underWay = useRef(0);
  const missed = useRef(0);
  const waits = useWaits();

  const refuse = (message: string) => {
    beep(false);
    notifications.show({ message, color: 'brick', withBorder: true });
  };
  /** Resolves to whether the product of a code is in the cart, or waits for the link. */
  const put = async ({ code: scanned, at, before }: Scan): Promise<boolean> => {
    const inSearch = at?.getAttribute('aria-controls') === LIST;
    const counted = inSearch && before.trim() !== '' && piecesIn(before).of === '';
    const { pieces, of: code } = piecesIn(counted ? before + scanned : scanned);
    const { data } = await client.invoke('catalog.search', { query: code, limit: 50 }, { source });
    const offers = offersOf(data.products);
    const offer = inSearch ? meant(offers) : exact(offers);
    const search = dialogIsOpen() ? undefined : searchInView(); // a dialog lies over it
    if (!offer && search) {
      beep(false);
      search.onUnclear(counted ? before + scanned : scanned, offers, data.hasMore);
      return false;
    }
    if (!offer) {
      refuse(i18n._('No product has the code {code}.', { code }));
      return false;
    }
    const { product, variant } = offer;
    const name = nameOf(offer);
    if (!variant.available) {
      refuse(i18n._('{name} is not available.', { name }));
      return false;
    }
    const args = { productId: product.id, variantId: variant.id, quantity: pieces };
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
    if (search) search.onAdded(text, counted);
    else notifications.show({ title: name, message: text, color: 'pine', withBorder: true });
    return true;
  };
  useSendWaiting((name, why) => refuse(i18n._('{name} was not put into the cart. {why}', { name, why })));
  useScans((scan) => {
    underWay.current += 1;
    queue.current = queue.current
      .then(() => put(scan))
      .catch((thrown) => {
        refuse(asBusError(thrown).message);
        return false;
      })
      .then((isPut) => {
        underWay.current -= 1;
        if (!isPut) missed.current += 1;
      });
  });
  useUnsent(async () => {
    const [was, before] = [underWay.current > 0, missed.current];
    await queue.current;
    if (missed.current > before) throw new Error(i18n._('What was scanned is not in the cart.'));
    return was;
  });
  return null;
}
