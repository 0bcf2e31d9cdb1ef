import { Tabs } from '@mantine/core';
import { useManifest } from '../../asking/useManifest';
import { entry } from '../../door/manifest';
import { i18n } from '../../language/i18n';
import type { Place } from '../../shop/navigation';
import page from '../../ui/page/Page.module.css';
import { PageHead } from '../../ui/page/PageHead';
import { Appearance } from './Appearance';
import { Assistant } from './assistant/Assistant';
import { Copies } from './copies/Copies';
import { Mail } from './outside/Mail';
import { Webhooks } from './outside/Webhooks';
import { Permissions } from './permissions/Permissions';
import classes from './Settings.module.css';
import { Limits } from './shop/Limits';
import { Shipping } from './shop/Shipping';
import { Shop } from './shop/Shop';
import { Tax } from './shop/Tax';
import { AutoLock } from './staff/AutoLock';
import { Staff } from './staff/Staff';

/** The sections, each with the capability without which there is nothing to see in it. */
const sections = [
  { id: 'appearance', label: i18n._('Appearance'), needs: 'theme.set', Section: Appearance },
  { id: 'staff', label: i18n._('Staff'), needs: 'staff.list', Section: People },
  { id: 'shop', label: i18n._('The shop'), needs: 'settings.get', Section: Shop },
  { id: 'limits', label: i18n._('Limits'), needs: 'settings.get', Section: Limits },
  { id: 'shipping', label: i18n._('Shipping'), needs: 'settings.get', Section: Shipping },
  { id: 'tax', label: i18n._('Tax'), needs: 'settings.get', Section: Tax },
  { id: 'mail', label: i18n._('Mail'), needs: 'settings.set', Section: Mail },
  { id: 'webhooks', label: i18n._('Webhooks'), needs: 'settings.set', Section: Webhooks },
  { id: 'assistant', label: i18n._('Assistant'), needs: 'assistant.status', Section: Assistant },
  { id: 'permissions', label: i18n._('What it may do'), needs: 'policy.get', Section: Permissions },
  { id: 'copies', label: i18n._('Copies'), needs: 'shop.backup', Section: Copies },
] as const;

/** Who is at the desk, and what keeps others from it. */
function People() {
  return (
    <>
      <Staff />
      <AutoLock />
    </>
  );
}

interface SettingsPageProps {
  /** Which section is shown. */
  section?: string;
  onGo: (place: Place) => void;
}

/** How the window looks, who is at the desk, how the shop works, and its copies. */
export default function SettingsPage({ section, onGo }: SettingsPageProps) {
  const manifest = useManifest();
  const shown = sections.filter(({ needs }) => entry(manifest, needs));
  const { id, Section } = shown.find((known) => known.id === section) ?? shown[0] ?? sections[0];
  return (
    <Tabs
      className={page.page}
      orientation="vertical"
      value={id}
      onChange={(next) => next && onGo({ page: 'settings', id: next })}
    >
      <PageHead title={i18n._('Settings')} />
      <div className={classes.sections}>
        <Tabs.List aria-label={i18n._('Settings')} className={classes.list}>
          {shown.map((known) => (
            <Tabs.Tab key={known.id} value={known.id} classNames={{ tab: classes.tab, tabLabel: classes.label }}>
              {known.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={id} className={classes.section} tabIndex={0}>
          <Section />
        </Tabs.Panel>
      </div>
    </Tabs>
  );
}
