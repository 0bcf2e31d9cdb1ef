import type { Response } from '../../bridge/capabilities';
import type { Money } from '../../bridge/wire';

type Product = Response<'catalog.search'>['products'][number];
type Customer = Response<'customer.search'>['customers'][number];
type Address = Response<'cart.getSummary'>['savedAddresses'][number];
type PaymentMethod = Response<'cart.getSummary'>['savedPaymentMethods'][number];

/** An amount in dollars and cents. */
export const usd = (amount: number): Money => ({ amount, currency: 'USD', text: `$${(amount / 100).toFixed(2)}` });

const sizes = ['250 g', '1 kg'];
const coffees = [
  ['Guji', 1850],
  ['Yirgacheffe Kochere', 1790],
  ['Huila Supremo', 1620],
  ['Antigua Los Volcanes, single-estate reserve with an unusually long name for a bag of coffee', 2140],
  ['Sumatra Mandheling', 1580],
  ['Espresso Nº 4', 1490],
] as const;

/** A small shelf: coffees in two sizes, a mug, and something that is sold out. */
export const products: Product[] = [
  ...coffees.map(([name, price], index) => ({
    id: `prd_${index}`,
    name,
    tags: ['coffee'],
    optionNames: ['Size'],
    variants: sizes.map((size, position) => ({
      id: `var_${index}_${position}`,
      sku: `${name.slice(0, 3).toUpperCase()}-${size.replace(' ', '').toUpperCase()}`,
      label: size,
      options: { Size: size },
      price: usd(price * (position === 0 ? 1 : 3)),
      stock: 24 - index * 3,
      available: index !== 4,
    })),
    defaultVariantId: `var_${index}_0`,
  })),
  {
    id: 'prd_mug',
    name: 'Enamel mug',
    tags: ['ware'],
    optionNames: [],
    variants: [
      { id: 'var_mug', sku: 'MUG', label: 'Default', options: {}, price: usd(1400), stock: 8, available: true },
    ],
    defaultVariantId: 'var_mug',
  },
];

/** A customer with what is saved about them. */
export interface KnownCustomer extends Customer {
  addresses: Address[];
  methods: PaymentMethod[];
}

function address(id: string, label: string, line1: string): Address {
  const text = `${line1}, Portland, OR 97201`;
  return { id, label, text, line1, city: 'Portland', region: 'OR', postalCode: '97201', country: 'US' };
}

const cash = { id: 'cash', label: 'Cash', kind: 'cash' };

export const customers: KnownCustomer[] = [
  {
    id: 'cus_ana',
    name: 'Ana Ruiz',
    email: 'ana.ruiz@example.org',
    phone: '+1 555 0100',
    addresses: [
      { ...address('adr_home', 'Home', '123 Main St'), default: true },
      address('adr_work', 'Work', '900 Industrial Way, Suite 40'),
    ],
    methods: [
      { id: 'pm_visa', label: 'Visa ending 4242', kind: 'card', default: true },
      { id: 'pm_paypal', label: 'PayPal', kind: 'paypal' },
      cash,
    ],
  },
  ...['Anders Holm', 'Maximiliane von und zu Hohenlohe-Langenburg-Weikersheim', 'Noah Whitfield'].map(
    (name, index) => ({
      id: `cus_${index}`,
      name,
      email: `${name.split(' ')[0]?.toLowerCase()}@example.org`,
      addresses: [{ ...address(`adr_${index}`, 'Home', `${index + 1} Oak Ave`), default: true }],
      methods: [cash],
    }),
  ),
];
