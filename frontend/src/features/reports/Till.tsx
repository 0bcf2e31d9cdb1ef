import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import { CapabilityDialog } from '../../kit/actions/CapabilityDialog';
import { useWhenPossible } from '../../kit/actions/useWhenPossible';
import { formatMinute, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useEntry } from '../../queries/useManifest';
import { useCurrency } from '../../shop/currency';
import { notFiscal } from '../../shop/notFiscal';
import { useKeys } from '../../ui/keys/useKeys';
import { Empty } from '../../ui/page/Note';
import { Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { Table } from '../../ui/page/Table';
import { methodText } from './report';

type Day = Response<'report.today'>;

/** The takings of each kind of payment, beside the day before. */
export function Takings({ methods }: { methods: Day['methods'] }) {
  return (
    <Part title={i18n._('Takings')}>
      {methods.length === 0 ? (
        <Empty title={i18n._('Nothing was taken yet')} />
      ) : (
        <Table heads={[i18n._('Method'), i18n._('Today'), i18n._('Yesterday')]} numbersFrom={1}>
          {methods.map(({ method, taken, yesterday }) => (
            <Row key={method} cells={[methodText(method), formatMoney(taken), formatMoney(yesterday)]} />
          ))}
        </Table>
      )}
    </Part>
  );
}

/** The cash of this desk, and whether its day is closed. */
export function Till({ till }: { till: Day['till'] }) {
  useCurrency(); // known before a dialog begins with a field for money
  const [asked, ask] = useState<'day.close' | 'cash.move'>();
  const may = { close: useEntry('day.close')?.available, move: useEntry('cash.move')?.available };
  const whenPossible = useWhenPossible();
  useKeys({
    F9: { does: i18n._('Close the day'), act: () => whenPossible('day.close', () => ask('day.close')) },
    'Shift+F9': { does: i18n._('Move cash'), act: () => whenPossible('cash.move', () => ask('cash.move')) },
  });
  const done = () => ask(undefined);
  return (
    <Part title={i18n._('Cash of {desk}', { desk: till.desk })}>
      <Table>
        <Row cells={[i18n._('Should be in the drawer'), formatMoney(till.expected)]} />
      </Table>
      <Text size="sm">{closedText(till)}</Text>
      <Button.Group mt="xs">
        {may.close && (
          <Button aria-keyshortcuts="F9" rightSection={<kbd>F9</kbd>} onClick={() => ask('day.close')}>
            {i18n._('Close the day')}
          </Button>
        )}
        {may.move && (
          <Button variant="default" aria-keyshortcuts="Shift+F9" onClick={() => ask('cash.move')}>
            {i18n._('Move cash')}
          </Button>
        )}
      </Button.Group>
      {asked === 'cash.move' && <CapabilityDialog name="cash.move" source="Till" onClose={done} />}
      {asked === 'day.close' && (
        <CapabilityDialog name="day.close" source="Till" onClose={done}>
          <Preview />
        </CapabilityDialog>
      )}
    </Part>
  );
}

function closedText({ closed, lastClosingNumber, lastClosedAt }: Day['till']): string {
  if (!lastClosingNumber || !lastClosedAt) return i18n._('This desk was never closed.');
  const values = { number: lastClosingNumber, when: formatMinute(lastClosedAt) };
  return closed
    ? i18n._('The day is closed with {number}, {when}.', values)
    : i18n._('Last closed with {number}, {when}.', values);
}

/** The closing as a preview. */
function Preview() {
  const { data } = useCapability('day.preview', {}, { source: 'Till' });
  return (
    <>
      {data && (
        <Table label={i18n._('Since the last closing')}>
          {data.methods.map(({ method, net }) => (
            <Row key={method} cells={[methodText(method), formatMoney(net)]} />
          ))}
          <Row cells={[i18n._('Cash moves'), formatMoney(data.moved)]} />
          <Row
            cells={[<strong key="expected">{i18n._('Should be in the drawer')}</strong>, formatMoney(data.expected)]}
          />
        </Table>
      )}
      <Text size="xs" c="dimmed">
        {notFiscal()}
      </Text>
    </>
  );
}

function Row({ cells: [label, ...figures] }: { cells: ReactNode[] }) {
  return (
    <tr>
      <td>{label}</td>
      {figures.map((figure, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
        <td key={column} className={page.number}>
          {figure}
        </td>
      ))}
    </tr>
  );
}
