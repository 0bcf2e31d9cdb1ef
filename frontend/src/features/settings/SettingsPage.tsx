import { Tabs, Text } from '@mantine/core';
import { type ComponentType, Fragment } from 'react';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import type { Place } from '../../shop/navigation';
import { type SectionId, useSections } from '../../shop/places';
import page from '../../ui/page/Page.module.css';
import { PageHead } from '../../ui/page/PageHead';
import { KeptParts } from '../../ui/window/KeptParts';
import { Appearance } from './Appearance';
import { Assistant } from './assistant/Assistant';
import { Copies } from './copies/Copies';
import { Desks } from './desks/Desks';
import { Drafts } from './drafts/Drafts';
import { Mail } from './outside/Mail';
import { Webhooks } from './outside/Webhooks';
import { CapabilityRules } from './permissions/CapabilityRules';
import { ClassRules } from './permissions/ClassRules';
import { Grants } from './permissions/Grants';
import { Suggestions } from './permissions/Suggestions';
import { Clients } from './programs/Clients';
import { Peers } from './programs/Peers';
import { Routines } from './Routines';
import classes from './Settings.module.css';
import { Limits } from './shop/Limits';
import { Shipping } from './shop/Shipping';
import { Shop } from './shop/Shop';
import { Tax } from './shop/Tax';
import { AutoLock } from './staff/AutoLock';
import { Staff } from './staff/Staff';

const parts: Record<SectionId, ComponentType> = {
  appearance: Appearance,
  staff: People,
  shop: Shop,
  limits: Limits,
  shipping: Shipping,
  tax: Tax,
  desks: Desks,
  mail: Mail,
  webhooks: Webhooks,
  programs: Programs,
  assistant: Assistant,
  permissions: Permissions,
  routines: Routines,
  drafts: Drafts,
  copies: Copies,
};

/** The settings of one kind. */
function Section({ id }: { id: string }) {
  const Part = own(parts, id) ?? Appearance;
  return <Part />;
}

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
  const shown = useSections();
  const open = shown.find((known) => known.id === section) ?? shown[0];
  const { id, help } = open ?? { id: 'appearance' as const, help: undefined };
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
          {shown.map((known, index) => (
            <Fragment key={known.id}>
              {known.group !== shown[index - 1]?.group && (
                <Text size="xs" c="dimmed" aria-hidden className={classes.group}>
                  {known.group}
                </Text>
              )}
              <Tabs.Tab value={known.id} classNames={{ tab: classes.tab, tabLabel: classes.label }}>
                {known.title}
              </Tabs.Tab>
            </Fragment>
          ))}
        </Tabs.List>
        <Tabs.Panel value={id} className={classes.section} tabIndex={0}>
          {help && (
            <Text c="dimmed" className={classes.help}>
              {help}
            </Text>
          )}
          <KeptParts id={id}>{(one) => <Section id={one} />}</KeptParts>
        </Tabs.Panel>
      </div>
    </Tabs>
  );
}

/** The other programs: those whose assistant may use this desk, and those that do something for it. */
function Programs() {
  return (
    <>
      <Clients />
      <Peers />
    </>
  );
}

/** The permissions of the assistant: grants and rules. */
function Permissions() {
  return (
    <>
      <Grants />
      <Suggestions />
      <ClassRules />
      <CapabilityRules />
    </>
  );
}
