/** The dialog that adds a product with a scanned barcode. */
export interface NewProductProps {
  name: string;
  barcode: string;
  onClose: () => void;
  onCreated: (productId: string) => void;
}

/** The dialog that adds a customer, by the name that was searched for. */
export interface NewCustomerProps {
  name: string;
  address: boolean;
  onClose: () => void;
  onCreated: (customerId: string) => void;
}
