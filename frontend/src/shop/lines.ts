/** A line of a cart or an order. Its id is its variant's, unless two lines have one variant or it is an open item. */
export interface Known {
  variantId: string;
  lineId?: string;
}

/** The key of a line. */
export const keyOf = ({ variantId, lineId }: Known): string => lineId || variantId;

/** The arguments that name a line. */
export const named = (line: Known) =>
  keyOf(line) === line.variantId ? { variantId: line.variantId } : { lineId: keyOf(line) };
