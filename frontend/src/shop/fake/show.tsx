import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { KitProvider } from '../../kit/KitProvider';
import { forgetKept } from '../../ui/window/useKept';
import { shop } from '../domain';
import type { FakeBackend } from './backend';

/** Shows a part of the window with an application in memory behind it until the test ends, and gives the hands to use it. */
export function show(backend: FakeBackend, part: ReactNode) {
  const inside = (one: ReactNode) => (
    <MantineProvider env="test">
      <Notifications />
      <KitProvider backend={backend} domain={shop}>
        {one}
      </KitProvider>
    </MantineProvider>
  );
  onTestFinished(() => {
    cleanup();
    forgetKept();
  });
  const { rerender } = render(inside(part));
  return { user: userEvent.setup(), put: (one: ReactNode) => rerender(inside(one)) };
}
