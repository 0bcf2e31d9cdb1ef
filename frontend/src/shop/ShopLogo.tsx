import { useCapability } from '../queries/useCapability';
import classes from './ShopLogo.module.css';

/** The logo at the head of receipts, on paper that is white in a dark window too; nothing until it is read. */
export function ShopLogo({ edition, alt }: { edition: string; alt: string }) {
  const { data } = useCapability('receipt.getLogo', {}, { source: 'ShopLogo', edition });
  return data ? <img className={classes.logo} src={`data:image/jpeg;base64,${data.jpeg}`} alt={alt} /> : null;
}
