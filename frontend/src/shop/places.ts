import { useManifest } from '../asking/useManifest';
import { entry } from '../door/manifest';
import type { Destinations } from '../kit/domain';
import { i18n } from '../language/i18n';
import type { Place } from './navigation';

/** The pages, as they stand in the rail, and the key that leads to each. */
export const pages = (
  [
    ['counter', i18n._('Counter')],
    ['orders', i18n._('Orders')],
    ['customers', i18n._('Customers')],
    ['catalog', i18n._('Catalog')],
    ['reports', i18n._('Reports')],
    ['audit', i18n._('Audit')],
    ['settings', i18n._('Settings')],
  ] satisfies [Place['page'], string][]
).map(([page, title], index) => ({ page, title, shortcut: `Alt+${index + 1}` }));

/** The sections of the settings, each with the capability without which there is nothing to see in it. */
const sections = [
  { id: 'appearance', title: i18n._('Appearance'), needs: 'theme.set' },
  { id: 'staff', title: i18n._('Staff'), needs: 'staff.list' },
  { id: 'shop', title: i18n._('The shop'), needs: 'settings.get' },
  { id: 'limits', title: i18n._('Limits'), needs: 'settings.get' },
  { id: 'shipping', title: i18n._('Shipping'), needs: 'settings.get' },
  { id: 'tax', title: i18n._('Tax'), needs: 'settings.get' },
  { id: 'mail', title: i18n._('Mail'), needs: 'settings.set' },
  { id: 'webhooks', title: i18n._('Webhooks'), needs: 'settings.set' },
  { id: 'assistant', title: i18n._('Assistant'), needs: 'assistant.status' },
  { id: 'permissions', title: i18n._('What it may do'), needs: 'policy.get' },
  { id: 'copies', title: i18n._('Copies'), needs: 'shop.backup' },
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
