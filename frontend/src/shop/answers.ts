import type { Sentences } from '../bridge/translateAnswers';
import type { Capabilities as OfTheShop } from './capabilities.gen';

declare module '../bridge/capabilities' {
  interface Capabilities extends OfTheShop {}
}

/** The sentences in the answers of the shop. */
export const sentences: Sentences & Partial<Record<keyof OfTheShop, readonly string[]>> = {
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
  'till.list': ['problem', 'remedy'],
  'tour.get': ['tours.title', 'tours.about', 'tours.steps.title', 'tours.steps.text'],
  'tour.leave': ['tours.title', 'tours.about', 'tours.steps.title', 'tours.steps.text'],
  'tour.mark': ['tours.title', 'tours.about', 'tours.steps.title', 'tours.steps.text'],
  'tour.start': ['tours.title', 'tours.about', 'tours.steps.title', 'tours.steps.text'],
};
