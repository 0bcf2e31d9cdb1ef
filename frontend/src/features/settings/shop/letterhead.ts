/** What a receipt says of the shop. */
export interface ShopDraft {
  name: string;
  address: string;
  phone: string;
  email: string;
  taxNumber: string;
  footer: string;
}

/** The first lines of a receipt, as the application makes them of the saved settings. */
export function letterhead({ name, address, phone, email, taxNumber }: ShopDraft): string[] {
  return [name, ...address.split('\n'), phone, email, taxNumber].map((line) => line.trim()).filter(Boolean);
}
