import { createContext, useContext } from 'react';
import type { MadeOf } from '../asking/staleAfter';
import type { Names, References } from '../door/namesById';
import type { Sentences } from '../door/translateAnswers';
import type { JsonObject } from '../door/wire';
import type { RowChange, Vocabulary } from './rows/rows';

/** The known parts of a call: its arguments, its facts, and the rows it changes. */
export interface Subject {
  arguments?: JsonObject;
  facts?: object;
  rows?: readonly RowChange[];
}

/**
 * What an application tells the kit of its domain: its words, its names, and what its answers are made of. The kit
 * itself knows manifests and no domain. Types of its own capabilities are added to those in door/capabilities.
 */
export interface Domain {
  /** The domains that answers are made of; an answer that nothing is said of is asked for again after every change. */
  madeOf: MadeOf;
  /** The sentences in answers, to translate them. */
  sentences: Sentences;
  /** The fields of answers that hold the id of another thing. */
  references: References;
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
  ...{ madeOf: {}, sentences: {}, references: {} },
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
