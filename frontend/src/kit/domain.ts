import { createContext, useContext } from 'react';
import { nameOf } from '../bridge/names';
import type { Sentences } from '../bridge/translateAnswers';
import { useNames } from '../queries/useNames';
import type { Vocabulary } from './rows/rows';
import type { ViewKeeping } from './views/view';

/** A place of the application that has a name and a link, as records have. */
export interface Destination {
  title: string;
  link: string;
  /** The key that leads there from everywhere, such as "Alt+1". */
  shortcut?: string;
}

/** The places that the palette finds: the pages, and the sections of the settings. */
export interface Destinations {
  pages: readonly Destination[];
  settings: readonly Destination[];
}

/**
 * What an application tells the kit of its domain: its words and its names. The kit itself knows manifests and no domain. An application adds the types of its capabilities in bridge/capabilities.
 */
export interface Domain {
  /** By capability: the domain whose changes under way are waited for before it runs. */
  runsAfter: Readonly<Record<string, string>>;
  /** The sentences in answers, to translate them. */
  sentences: Sentences;
  /** The labels and words in front of names that the application gives, in lower case: "sent by". */
  beforeOwnNames: readonly string[];
  vocabulary: Vocabulary;
  roleText: (role: string) => string;
  /** Whose right something takes, such as "a manager"; undefined: as the application says it. */
  roleNeeded: (role: string) => string | undefined;
  /** The kind of record that the people at the desk are; without one they read as their ids. */
  people?: string;
  /** Opens the page of a record by its link, such as "folders/f1"; without it names are no links. */
  useOpenLink: () => ((link: string) => void) | undefined;
  /** The places it has for the person at the desk; they are opened by their links. */
  useDestinations: () => Destinations;
  /** Where people keep the views of lists; without it they keep none. */
  views?: ViewKeeping;
  /** The currency of amounts that come without one. */
  useCurrency: () => string | undefined;
  /** The properties that tell things of the same name apart, the best first. */
  distinguishing: readonly string[];
  /** The first parts of capabilities that need no notice with a way back: their own page has one. */
  withoutNotice: readonly string[];
}

const nowhere: Destinations = { pages: [], settings: [] };

/** A domain without words: ids, columns and roles read as they are. */
export const noDomain: Domain = {
  ...{ runsAfter: {}, sentences: {}, beforeOwnNames: [] },
  vocabulary: {
    ...{ tables: {}, columns: {}, units: {}, words: {}, references: {} },
  },
  roleText: (role) => role,
  roleNeeded: () => undefined,
  useOpenLink: () => undefined,
  useDestinations: () => nowhere,
  useCurrency: () => undefined,
  distinguishing: ['text'],
  withoutNotice: [],
};

const DomainContext = createContext(noDomain);

/** Provides the domain of the application to the kit below it. */
export const DomainProvider = DomainContext.Provider;

/** The domain of the application. Which one it is never changes, so its hooks are called like any other. */
export function useDomain(): Domain {
  return useContext(DomainContext);
}

/** Names the people with some ids: the answer gives the name of one of them, or the id. */
export function usePersonNames(ids: readonly (string | undefined)[]): (id: string | undefined) => string | undefined {
  const { people } = useDomain();
  const names = useNames(ids.flatMap((id) => (people && id ? [{ entity: people, id }] : [])));
  return (id) => (id === undefined ? undefined : (nameOf(names, people ? { entity: people, id } : undefined) ?? id));
}

/** The currency of amounts that come without one. */
export function useCurrency(): string | undefined {
  return useDomain().useCurrency();
}
