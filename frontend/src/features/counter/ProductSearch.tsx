import { Button, Text, VisuallyHidden } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Request, Response } from '../../bridge/capabilities';
import { asBusError } from '../../bridge/error';
import type { Success } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { isCut } from '../../queries/link';
import { useUnsent } from '../../queries/unsent';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { usePages } from '../../queries/usePages';
import { useKeys } from '../../ui/keys/useKeys';
import { ComboboxInput } from '../../ui/list/ComboboxInput';
import { useListCursor } from '../../ui/list/useListCursor';
import { useTyped } from '../../ui/list/useTyped';
import { VirtualListbox } from '../../ui/list/VirtualListbox';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import type { NewProductProps } from './additions';
import classes from './Counter.module.css';
import { OfferRow } from './OfferRow';
import { useScanned } from './scanned';
import { addedText, LIST, matchesText, meant, nameOf, type Offer, offersOf, piecesIn, waitsText } from './search';
import { keyOf, useWaits } from './waiting';

const source = { source: 'ProductSearch' };
const adding = { ...source, keyOf };

const idOf = (offer: Offer) => offer.variant.id;
const listing = { ...source, rowsOf: (page: Response<'catalog.search'>) => offersOf(page.products), keyOf: idOf };
const isOut = (offer: Offer) => !offer.variant.available;
const rowOf = (offer: Offer) => <OfferRow offer={offer} />;

interface ProductSearchProps {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  setText: (text: string) => void;
  newProduct: (props: NewProductProps) => ReactNode;
}

/** Finds products and puts them in the cart: by name, or by SKU and Enter. */
export function ProductSearch({ input, text, setText, newProduct }: ProductSearchProps) {
  const [asked, setAsked] = useState<{ offers: readonly Offer[]; text: string }>();
  const [said, setSaid] = useState({ text: '', times: 0 });
  const tell = (text: string) => setSaid(({ times }) => ({ text, times: times + 1 })); // the same words again, too
  const [unknown, setUnknown] = useState<string>();
  const [creating, setCreating] = useState<string>();
  const waits = useWaits();
  const mayCreate = useEntry('catalog.createProduct')?.available ?? false;
  const panel = useRef<HTMLElement>(null);
  const [query, type] = useTyped(text, setText);
  const sought = piecesIn(query).of;
  const pages = usePages('catalog.search', sought ? { query: sought, limit: 50 } : { limit: 50 }, listing);
  const lookUp = useInvoke('catalog.search', source);
  const add = useInvoke('cart.addItem', adding);
  // What Enter has found is shown until the list has come as far: the cursor stands on it.
  const settled = query === text.trim() && pages.isSuccess && pages.fresh;
  const offers = asked && !settled ? asked.offers : pages.items;

  const toInput = () => {
    input.current?.focus();
    input.current?.select();
  };
  const putIn = (wanted: Request<'cart.addItem'>, name: string) => {
    if (waits.before(wanted, name)) tell(waitsText());
    else
      add.mutate(wanted, {
        onSuccess: ({ data }) => tell(addedText(data)),
        onError: (error) => waits.after(error, wanted, name) && tell(waitsText()),
      });
    toInput(); // the next one is scanned or typed
  };
  const put = (offer: Offer) => {
    const { product, variant } = offer;
    if (variant.available)
      putIn({ productId: product.id, variantId: variant.id, quantity: piecesIn(text).pieces }, nameOf(offer));
  };
  const created = (productId: string) => {
    setCreating(undefined);
    setUnknown(undefined);
    putIn({ productId, quantity: piecesIn(text).pieces }, i18n._('The new product'));
  };
  const choose = (index: number) => offers[index] && put(offers[index]);
  const cursor = useListCursor(offers, idOf, choose);

  const ask = (found: readonly Offer[], more: boolean) => {
    setAsked({ offers: found, text: matchesText(found.length, more) });
    cursor.reset(0);
  };
  const asking = useRef<{ wanted: string; answered: Promise<void> }>(undefined); // by Enter, until the answer
  // Enter may come before any list could be drawn: ask for exactly this text.
  const enter = () => {
    const wanted = text.trim();
    const { of } = piecesIn(wanted);
    if (of === '') return; // so many pieces, and nothing yet
    if (asking.current?.wanted === wanted) return; // pressed twice
    let end = () => {};
    const answered = new Promise<void>((resolve) => {
      end = resolve;
    });
    const mine = { wanted, answered };
    asking.current = mine;
    const ended = () => {
      if (asking.current === mine) asking.current = undefined;
      end();
    };
    const answer = ({ data }: Success<Response<'catalog.search'>>) => {
      if (input.current?.value.trim() !== wanted) return; // the person has typed on
      const found = offersOf(data.products);
      const offer = meant(found);
      if (offer) {
        put(offer);
        return;
      }
      ask(found, data.hasMore);
    };
    lookUp.mutate(
      { query: of, limit: 50 },
      {
        onSuccess: (found) => {
          answer(found);
          ended();
        },
        onError: ended,
      },
    );
  };
  useUnsent(async () => {
    const { current } = asking;
    await current?.answered;
    return current !== undefined;
  });
  // What is being typed is not interrupted, nor is an answer to the assistant.
  const mayTake = () => {
    const at = document.activeElement;
    const typing = at instanceof HTMLTextAreaElement || at?.matches('input:not([type=radio])');
    return !at || at === document.body || (!typing && panel.current?.parentElement?.contains(at));
  };
  useScanned({
    onUnclear: (code, found, more) => {
      type(code);
      ask(found, more);
      setUnknown(found.length === 0 ? piecesIn(code).of : undefined);
      if (mayTake()) toInput();
    },
    onAdded: (text, counted) => {
      tell(text);
      if (counted) type('');
      setUnknown(undefined);
      if (mayTake()) toInput();
    },
  });
  useKeys({ F2: { does: i18n._('Search products'), act: () => input.current?.select() } });
  useEffect(() => {
    input.current?.focus(); // also when the counter is come back to
    input.current?.select();
  }, [input]);

  const failure = (isCut(add.error) ? null : add.error) ?? lookUp.error ?? pages.error;
  return (
    <section ref={panel} className={classes.panel} aria-label={i18n._('Products')}>
      <ComboboxInput
        ref={input}
        className={classes.search}
        aria-label={i18n._('Search products')}
        placeholder={i18n._('Name, SKU or barcode')}
        leftSection={<IconSearch size={15} aria-hidden />}
        aria-keyshortcuts="F2"
        wrapperProps={{ 'data-key': 'F2' }}
        list={LIST}
        aria-haspopup="grid"
        cursor={cursor}
        value={text}
        onChange={(event) => {
          type(event.currentTarget.value);
          setAsked(undefined);
          setUnknown(undefined);
          cursor.reset(-1);
        }}
        onKeyDown={(event) => {
          cursor.onKeyDown(event);
          if (event.key === 'Enter' && !event.defaultPrevented && text.trim()) enter();
        }}
      />
      {failure && <Problem message={failure.message} hint={asBusError(failure).recoveryHint} />}
      <VisuallyHidden role="status">
        <span key={said.times}>{said.text}</span>
      </VisuallyHidden>
      <Text size="xs" c="dimmed" role="status" className={classes.asked}>
        {asked?.text}
      </Text>
      {unknown && mayCreate && (
        <div className={classes.asked}>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setCreating(unknown)}
          >
            {i18n._('New product with the barcode {code}…', { code: unknown })}
          </Button>
        </div>
      )}
      {creating !== undefined &&
        newProduct({ name: '', barcode: creating, onClose: () => setCreating(undefined), onCreated: created })}
      <div className={classes.results}>
        {pages.isPending ? (
          <Loading label={i18n._('Searching')} />
        ) : (
          <>
            {offers.length === 0 && <NothingFound asked={sought !== ''} missing={pages.list.notFound} />}
            <VirtualListbox
              id={LIST}
              label={i18n._('Products found')}
              heads={[i18n._('Product'), i18n._('SKU'), i18n._('In stock'), i18n._('Price')]}
              items={offers}
              keyOf={idOf}
              rowHeight={40}
              cursor={cursor}
              focusable={false}
              isDisabled={isOut}
              onChoose={choose}
              onShow={offers === pages.items ? pages.list.show : undefined}
              renderRow={rowOf}
            />
          </>
        )}
      </div>
    </section>
  );
}

function NothingFound({ asked, missing }: { asked: boolean; missing?: readonly string[] }) {
  if (asked)
    return (
      <Empty title={i18n._('No product found')} {...{ missing }}>
        {i18n._('Try another word, or the SKU on the bag.')}
      </Empty>
    );
  return (
    <Empty title={i18n._('Nothing to sell yet')}>
      {i18n._('Add the first product in the catalog, or import a file of them there.')}
    </Empty>
  );
}
