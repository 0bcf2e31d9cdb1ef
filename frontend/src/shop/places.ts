import type { Request } from '../bridge/capabilities';
import { entry } from '../bridge/manifest';
import type { Destinations } from '../kit/domain';
import { i18n } from '../language/i18n';
import { useManifest } from '../queries/useManifest';

/** The pages, as they stand in the rail, and the key that leads to each. */
export const pages = (
  [
    ['today', i18n._('Today')],
    ['counter', i18n._('Counter')],
    ['orders', i18n._('Orders')],
    ['customers', i18n._('Customers')],
    ['catalog', i18n._('Catalog')],
    ['reports', i18n._('Reports')],
    ['audit', i18n._('Audit')],
    ['settings', i18n._('Settings')],
  ] satisfies [Request<'navigation.go'>['page'], string][]
).map(([page, title], index) => ({ page, title, shortcut: `Alt+${index + 1}` }));

const people = i18n._('You and the others');
const selling = i18n._('Selling');
const outside = i18n._('Outside of the shop');
const helping = i18n._('The assistant');
const keeping = i18n._('Safekeeping');

/**
 * The sections of the settings in their groups: what each is for, and the capability without which there is nothing to
 * see in it.
 */
const sections = [
  {
    id: 'appearance',
    group: people,
    title: i18n._('Appearance'),
    needs: 'theme.set',
    help: i18n._('How the window looks to you and which language it speaks.'),
  },
  {
    id: 'staff',
    group: people,
    title: i18n._('Staff'),
    needs: 'staff.list',
    help: i18n._('Who works here, what they may do, and when the window locks.'),
  },
  {
    id: 'routines',
    group: people,
    title: i18n._('Routines'),
    needs: 'routine.list',
    help: i18n._('What is done again and again: saved once, run by name.'),
  },
  {
    id: 'shop',
    group: selling,
    title: i18n._('The shop'),
    needs: 'settings.get',
    help: i18n._('What the shop is called, where it is and in what money it counts.'),
  },
  {
    id: 'limits',
    group: selling,
    title: i18n._('Limits'),
    needs: 'settings.get',
    help: i18n._('What a clerk may give away without a manager.'),
  },
  {
    id: 'shipping',
    group: selling,
    title: i18n._('Shipping'),
    needs: 'settings.get',
    help: i18n._('The ways goods reach a customer, with their prices.'),
  },
  {
    id: 'tax',
    group: selling,
    title: i18n._('Tax'),
    needs: 'settings.get',
    help: i18n._('The rates that products are taxed by.'),
  },
  {
    id: 'desks',
    group: outside,
    title: i18n._('Desks'),
    needs: 'till.list',
    help: i18n._('Windows on other computers that work at this shop.'),
  },
  {
    id: 'mail',
    group: outside,
    title: i18n._('Mail'),
    needs: 'settings.set',
    help: i18n._('The server that sends receipts to customers.'),
  },
  {
    id: 'webhooks',
    group: outside,
    title: i18n._('Webhooks'),
    needs: 'settings.set',
    help: i18n._('Other programs that are told of orders.'),
  },
  {
    id: 'programs',
    group: outside,
    title: i18n._('Programs'),
    needs: 'assistant.clients',
    help: i18n._('Which programs’ assistants may use this desk, and which programs do something for it.'),
  },
  {
    id: 'assistant',
    group: helping,
    title: i18n._('Assistant'),
    needs: 'assistant.status',
    help: i18n._('Whether the assistant may be asked, and which model answers.'),
  },
  {
    id: 'permissions',
    group: helping,
    title: i18n._('What it may do'),
    needs: 'policy.get',
    help: i18n._('What the assistant does by itself, what it asks for, and what it never does.'),
  },
  {
    id: 'drafts',
    group: keeping,
    title: i18n._('Drafts'),
    needs: 'draft.merge',
    help: i18n._('Copies of the shop to try things on, and what becomes of them.'),
  },
  {
    id: 'copies',
    group: keeping,
    title: i18n._('Backups'),
    needs: 'shop.backup',
    help: i18n._('Copies of the shop, and moving it to another computer or program.'),
  },
] as const;

export type SectionId = (typeof sections)[number]['id'];

/** The sections in which the person at the desk has something to see. */
export function useSections() {
  const manifest = useManifest();
  return sections.filter(({ needs }) => entry(manifest, needs));
}

/** The places that the palette finds. */
export function useDestinations(): Destinations {
  return {
    pages: pages.map(({ page, ...more }) => ({ link: page, ...more })),
    settings: useSections().map(({ id, title }) => ({ link: `settings/${id}`, title })),
  };
}
