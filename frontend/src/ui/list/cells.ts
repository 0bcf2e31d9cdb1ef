/** Makes an element of a row a cell of the grid: a plain element, since a list draws hundreds. */
export const cell = { role: 'gridcell' } as const;

/** Makes an element of the row of heads the head of a column. */
export const head = { role: 'columnheader' } as const;
