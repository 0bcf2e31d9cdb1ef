import { createContext, useContext } from 'react';
import type { Names } from '../door/namesById';
import type { JsonObject } from '../door/wire';
import type { RowChange, Vocabulary } from './rows/rows';

/** The known parts of a call: its arguments, its facts, and the rows it changes. */
export interface Subject {
  arguments?: JsonObject;
  facts?: object;
  rows?: readonly RowChange[];
}

/**
 * The words and names of an application's domain. The kit itself knows manifests and no
 * domain.
 */
export interface Domain {
  vocabulary: Vocabulary;
  roleText: (role: string) => string;
  /** The names of the people at the desk, by id. */
  usePeople: () => Names;
  /** The names of the things that a call is about, by id: rows and facts carry ids alone. */
  useSubjectNames: (subject: Subject) => Names;
  /** The currency of amounts that come without one. */
  useCurrency: () => string | undefined;
  /** The properties that tell things of the same name apart, the best first. */
  distinguishing: readonly string[];
  /** The first parts of capabilities that need no notice with a way back: their own page has one. */
  withoutNotice: readonly string[];
}

/** A domain without words: ids, columns and roles read as they are. */
export const noDomain: Domain = {
  vocabulary: {
    ...{ tables: {}, columns: {}, words: {}, references: {} },
    ...{ money: new Set(), flags: new Set() },
  },
  roleText: (role) => role,
  usePeople: () => ({}),
  useSubjectNames: () => ({}),
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

/** The names of the people at the desk, by id. */
export function usePeople(): Names {
  return useDomain().usePeople();
}

/** Gives the name of a person by id, or the id. */
export function usePersonName(): (id: string | undefined) => string | undefined {
  const people = usePeople();
  return (id) => (id === undefined ? undefined : (people[id] ?? id));
}

/** The names of the things that a call is about, by id. */
export function useSubjectNames(subject: Subject): Names {
  return useDomain().useSubjectNames(subject);
}

/** The currency of amounts that come without one. */
export function useCurrency(): string | undefined {
  return useDomain().useCurrency();
}
