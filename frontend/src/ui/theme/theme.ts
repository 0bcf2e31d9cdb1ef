import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  Modal,
  ModalHeader,
  ModalRoot,
  Notification,
  rem,
  Select,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { i18n } from '../../language/i18n';
import { holdKeys, keepHeld } from '../keys/holdKeys';

/*
 * Every colour of the window is here. The shades keep text at 4.5:1 or better
 * in both schemes; Mantine's own blue does not.
 */
const pine: MantineColorsTuple = [
  '#eef7f4',
  '#d8ece5',
  '#b3dacd',
  '#88c4b1',
  '#62b09a',
  '#3e957c',
  '#2c7d67',
  '#226654',
  '#1b5345',
  '#143f35',
];
const brick: MantineColorsTuple = [
  '#fdf1ef',
  '#fadfda',
  '#f5c1b8',
  '#ee9d91',
  '#e88576',
  '#d5523f',
  '#b93d2b',
  '#9a3122',
  '#7d281c',
  '#5e1e15',
];
const amber: MantineColorsTuple = [
  '#fdf6e7',
  '#f9e8c3',
  '#f2d28c',
  '#e9b954',
  '#dfa22d',
  '#b87d12',
  '#a0690d',
  '#7f530d',
  '#68450d',
  '#4c330b',
];
const gray: MantineColorsTuple = [
  '#f7f8f7',
  '#eff1f0',
  '#e3e7e5',
  '#d3d9d6',
  '#b6bfbb',
  '#85918c',
  '#5d6964',
  '#4a5551',
  '#333c39',
  '#1f2624',
];
const dark: MantineColorsTuple = [
  '#d9dedc',
  '#b9c1be',
  '#9aa5a1',
  '#707b77',
  '#4a5350',
  '#363e3b',
  '#272e2c',
  '#1c2120',
  '#151918',
  '#0f1211',
];

/** One calm family: small type, square corners, no shadows but on what floats. */
export const theme = createTheme({
  respectReducedMotion: true,
  colors: { pine, brick, amber, gray, dark },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  black: '#1b211f',
  fontFamily: 'Inter, system-ui, sans-serif',
  fontFamilyMonospace: "ui-monospace, 'DejaVu Sans Mono', Consolas, monospace",
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: rem(6), sm: rem(8), md: rem(12), lg: rem(16), xl: rem(24) },
  radius: { xs: rem(2), sm: rem(4), md: rem(6), lg: rem(8), xl: rem(12) },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(16), lineHeight: '1.4' },
      h2: { fontSize: rem(14), lineHeight: '1.4' },
      h3: { fontSize: rem(13), lineHeight: '1.4' },
    },
  },
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 'md', variant: 'subtle', color: 'gray' } }),
    // What takes the focus when a menu opens is its first item: the placeholder is no item of a menu.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // Only lists scroll in the window; locking the page would restyle and draw all of it.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, closeButtonProps: { 'aria-label': i18n._('Close') } } }),
    ModalRoot: ModalRoot.extend({ defaultProps: { lockScroll: false } }),
    // It is a header element: that of the window is the only one.
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': i18n._('Dismiss') } } }),
    // A ScrollArea would force a layout of the page: the browser scrolls the list.
    Select: Select.extend({
      defaultProps: {
        ...{ size: 'xs', withScrollArea: false },
        ...{ onDropdownOpen: holdKeys, onKeyDownCapture: keepHeld },
      },
      styles: { dropdown: { maxHeight: rem(220), overflowY: 'auto' } },
    }),
    Text: Text.extend({ defaultProps: { size: 'sm' } }),
    Textarea: Textarea.extend({ defaultProps: { size: 'xs' } }),
    TextInput: TextInput.extend({ defaultProps: { size: 'xs' } }),
    // useHint says when.
    Tooltip: Tooltip.extend({
      defaultProps: { withinPortal: false, events: { hover: false, focus: false, touch: false } },
    }),
  },
});

/** The window's own tokens: surfaces, lines and marks by meaning, per scheme. */
export const variables: CSSVariablesResolver = (t) => ({
  variables: {},
  light: {
    '--dh-page': t.colors.gray[1] ?? '',
    '--dh-draft': t.colors.amber?.[7] ?? '',
    '--dh-draft-text': t.white,
    '--dh-surface': t.white,
    '--dh-sunken': t.colors.gray[0] ?? '',
    '--dh-line': t.colors.gray[2] ?? '',
    '--dh-control': t.colors.gray[5] ?? '',
    '--dh-hover': t.colors.gray[1] ?? '',
    '--dh-active': t.colors.pine?.[0] ?? '',
    '--dh-accent': t.colors.pine?.[7] ?? '',
    '--dh-added': t.colors.pine?.[8] ?? '',
    '--dh-added-surface': t.colors.pine?.[0] ?? '',
    '--dh-removed': t.colors.brick?.[7] ?? '',
    '--dh-warn': t.colors.amber?.[7] ?? '',
    '--dh-warn-surface': t.colors.amber?.[0] ?? '',
    '--dh-warn-line': t.colors.amber?.[5] ?? '',
    '--mantine-color-dimmed': t.colors.gray[6] ?? '',
    '--mantine-color-placeholder': t.colors.gray[6] ?? '',
    '--mantine-color-error': t.colors.brick?.[7] ?? '',
  },
  dark: {
    '--dh-page': t.colors.dark[8] ?? '',
    '--dh-draft': t.colors.amber?.[3] ?? '',
    '--dh-draft-text': t.black,
    '--dh-surface': t.colors.dark[7] ?? '',
    '--dh-sunken': t.colors.dark[8] ?? '',
    '--dh-line': t.colors.dark[5] ?? '',
    '--dh-control': t.colors.dark[3] ?? '',
    '--dh-hover': t.colors.dark[6] ?? '',
    '--dh-active': t.colors.dark[6] ?? '',
    '--dh-accent': t.colors.pine?.[4] ?? '',
    '--dh-added': t.colors.pine?.[3] ?? '',
    '--dh-added-surface': t.colors.dark[6] ?? '',
    '--dh-removed': t.colors.brick?.[3] ?? '',
    '--dh-warn': t.colors.amber?.[3] ?? '',
    '--dh-warn-surface': t.colors.dark[6] ?? '',
    '--dh-warn-line': t.colors.amber?.[6] ?? '',
    '--mantine-color-dimmed': t.colors.dark[2] ?? '',
    '--mantine-color-placeholder': t.colors.dark[2] ?? '',
    '--mantine-color-error': t.colors.brick?.[3] ?? '',
  },
});
