import type { Sentences } from '../bridge/translateAnswers';
import type { Dependencies } from '../queries/staleAfter';
import type { ShopCapabilityName } from './capabilities';

type Prefix<N extends string> = N extends `${infer P}.${string}` ? P : never;

/** The categories of the capabilities of the packages that depend on something of the shop too. */
type Packages = 'assistant' | 'entity' | 'grant' | 'conversation' | 'policy' | 'routine';

/** A new shop is a domain of its own: with it every answer is another one. */
const always = 'shop';

/** What the answers of the shop are made of. A capability without a line here does not compile. */
export const dependencies: Dependencies = withAlways({
  document: [],
  navigation: [],
  modal: [],
  form: [],
  theme: [],
  language: [],
  density: [],
  textSize: [],
  notifications: [],
  tour: ['tour'],
  view: ['view'],
  session: ['session', 'lock', 'staff', 'settings'],
  search: ['catalog', 'customer', 'order'],
  catalog: ['catalog'],
  customer: ['customer', 'order'],
  cart: ['cart', 'customer', 'catalog'],
  checkout: [],
  order: ['order', 'customer'],
  settings: ['settings'],
  receipt: ['order', 'customer', 'settings'],
  report: ['order', 'catalog'],
  staff: ['staff'],
  shop: ['backup', 'order', 'customer'],
  email: [],
  webhook: [],
  assistant: ['assistant', 'settings'],
  conversation: ['conversation'],
  entity: ['catalog', 'customer', 'order', 'cart', 'staff', 'settings', 'grant'],
  grant: ['grant'],
  policy: ['policy'],
  model: [],
  routine: ['routine'],
  peer: ['peer'],
  till: ['till'],
  archive: [],
  draft: ['draft', 'desk'],
});

function withAlways(lists: Record<Prefix<ShopCapabilityName> | Packages, readonly string[]>): Dependencies {
  const all: Record<string, readonly string[]> = { audit: [], ...lists };
  return Object.fromEntries(Object.entries(all).map(([category, domains]) => [category, [...domains, always]]));
}

/** The sentences in the answers of the shop. */
export const sentences: Sentences & Partial<Record<ShopCapabilityName, readonly string[]>> = {
  'archive.alarms': ['alarms.problem'],
  'archive.verify': ['logs.problem'],
  'cart.addItem': ['note'],
  'cart.getSummary': ['problems', 'savedPaymentMethods.label'],
  'cart.validate': ['problems'],
  'catalog.adjustStock': ['note'],
  'catalog.setPrice': ['note'],
  'customer.get': ['paymentMethods.label'],
  'entity.names': ['records.name#order', 'records.name@paymentMethod', 'records.name@grant'],
  'order.changePayment': ['paid.label', 'refunds.label'],
  'order.get': ['actions.reason', 'payments.label', 'requests.label', 'savedPaymentMethods.label', 'timeline.text'],
  'order.receiveReturn': ['refund.label'],
  'order.returnNow': ['refund.label'],
  'order.search': ['orders.title'],
  'report.lowStock': ['rows.left'],
  'session.signIn': ['notice'],
  'settings.testModel': ['problem'],
  'shop.importCSV': ['changes.details'],
  'staff.list': ['pinFirst.reason'],
  'tour.get': ['tours.title', 'tours.about', 'tours.steps.title', 'tours.steps.text'],
  'tour.leave': ['tours.title', 'tours.about', 'tours.steps.title', 'tours.steps.text'],
  'tour.mark': ['tours.title', 'tours.about', 'tours.steps.title', 'tours.steps.text'],
  'tour.start': ['tours.title', 'tours.about', 'tours.steps.title', 'tours.steps.text'],
};
