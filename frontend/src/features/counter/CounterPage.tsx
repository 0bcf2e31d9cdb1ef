import { VisuallyHidden } from '@mantine/core';
import { memo, type ReactNode, useRef, useState } from 'react';
import { i18n } from '../../language/i18n';
import { dialogIsOpen, isTyping } from '../../ui/keys/registry';
import { useFocusLeft } from '../../ui/keys/useFocusLeft';
import type { NewCustomerProps, NewProductProps } from './additions';
import { CartPanel } from './CartPanel';
import classes from './Counter.module.css';
import { ProductSearch } from './ProductSearch';

export interface CounterPageProps {
  /** Whether the customer picker is open. */
  picking: boolean;
  onPick: (open: boolean) => void;
  onOpenOrder: (orderId: string) => void;
  newProduct: (props: NewProductProps) => ReactNode;
  newCustomer: (props: NewCustomerProps) => ReactNode;
}

/** The counter: the search of products on the left, the cart on the right. */
export const CounterPage = memo(function CounterPage(props: CounterPageProps) {
  const search = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  // What is typed or scanned next takes the place of what was; or it was typed already, elsewhere.
  const toSearch = (typed = '') => {
    if (typed) setText(typed);
    search.current?.focus();
    if (!typed) search.current?.select();
  };
  const page = useFocusLeft<HTMLDivElement>();
  // The next sale begins in the search; words that were typed there meanwhile belong to it.
  const toNextSale = () => {
    const field = search.current;
    const at = document.activeElement;
    const isTyped = at === field && field?.selectionStart === field?.selectionEnd;
    if (!field || isTyped) return;
    setText('');
    if (!dialogIsOpen() && (page.current?.contains(at) || !isTyping(at))) field.focus();
  };
  return (
    <div ref={page} className={classes.page}>
      <VisuallyHidden component="h1">{i18n._('Counter')}</VisuallyHidden>
      <ProductSearch input={search} text={text} setText={setText} newProduct={props.newProduct} />
      <CartPanel {...props} toSearch={toSearch} onSold={toNextSale} />
    </div>
  );
});
