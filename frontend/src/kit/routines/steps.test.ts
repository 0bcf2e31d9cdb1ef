import { expect, it } from 'vitest';
import type { Manifest } from '../../bridge/manifest';
import type { AuditRecord } from '../audit/record';
import { openIn, stepsOf, withBlanks } from './steps';

const id = (entity: string) => ({ type: 'string', 'x-entity': entity });
const capability = (name: string, properties: object, more = {}) => {
  return { name, title: name, input_schema: { type: 'object', properties }, ...more };
};
const manifest = {
  capabilities: [
    capability('note.add', { folderId: id('folder'), text: { type: 'string' } }),
    capability('note.move', { noteIds: { type: 'array', items: id('note') }, folderId: id('folder') }),
    capability('plan.propose', {}, { composite: true }),
    capability('plan.repeat', {}, { composite: true }),
  ],
} as unknown as Manifest;

const records = [
  { capability: 'note.add', arguments: { folderId: 'f1', text: 'f1' } },
  {
    capability: 'plan.propose',
    arguments: {
      steps: [
        { capability: 'note.add', arguments: { folderId: 'f2', text: 'b' } },
        { capability: 'note.move', arguments: { noteIds: ['n1', { $from: '/0/noteId' }], folderId: 'f1' } },
      ],
    },
  },
] as unknown as AuditRecord[];

it('takes the steps out of records, those of a plan with their references', () => {
  const steps = stepsOf(records, manifest) ?? [];
  expect(steps.map(({ capability: name }) => name)).toEqual(['note.add', 'note.add', 'note.move']);
  expect(steps[2]?.arguments).toEqual({ noteIds: ['n1', { $from: '/1/noteId' }], folderId: 'f1' });
  expect(stepsOf([], manifest)).toBeUndefined();
});

it('keeps the list that a step is done for each row of', () => {
  const each = { from: '/0/notes', where: { '/text': 'a' } };
  const program = {
    capability: 'plan.propose',
    arguments: {
      steps: [
        { capability: 'note.list' },
        {
          $each: each,
          capability: 'note.move',
          arguments: { noteIds: [{ $item: '/id' }], folderId: { $from: '/0/folderId' }, text: { $count: '/0/notes' } },
        },
      ],
    },
  };
  const [before, done] = [records[0], program] as unknown as [AuditRecord, AuditRecord];
  const steps = stepsOf([before, done], manifest) ?? [];
  expect(withBlanks(steps, openIn(steps, manifest), manifest)[2]).toEqual({
    $each: { ...each, from: '/1/notes' },
    capability: 'note.move',
    arguments: { noteIds: [{ $item: '/id' }], folderId: { $from: '/1/folderId' }, text: { $count: '/1/notes' } },
  });
});

it('offers each record once, by the field where it stands first', () => {
  expect(openIn(stepsOf(records, manifest) ?? [], manifest)).toEqual([
    { entity: 'folder', id: 'f1', blank: 'folderId' },
    { entity: 'folder', id: 'f2', blank: 'folderId2' },
    { entity: 'note', id: 'n1', blank: 'noteIds' },
  ]);
});

it('puts blanks where the records stood, and keeps what was typed', () => {
  const steps = stepsOf(records, manifest) ?? [];
  const [first, , note] = openIn(steps, manifest);
  if (!first || !note) throw new Error('nothing is open');
  expect(withBlanks(steps, [first, note], manifest).map(({ arguments: values }) => values)).toEqual([
    { folderId: { $blank: 'folderId' }, text: 'f1' },
    { folderId: 'f2', text: 'b' },
    { noteIds: [{ $blank: 'noteIds' }, { $from: '/1/noteId' }], folderId: { $blank: 'folderId' } },
  ]);
});

it('takes what was done again with the first of several records, by what its steps gave', () => {
  const add = (folder: string, note: string) => ({
    capability: 'note.add',
    arguments: { folderId: folder, text: 'a' },
    data: { note: { id: note }, folderId: folder, text: 'a' },
  });
  const move = (folder: string, note: string) => ({
    capability: 'note.move',
    arguments: { noteIds: [note], folderId: folder, text: 'a' },
    data: {},
  });
  const steps = [add('f1', 'n1'), move('f1', 'n1'), add('f2', 'n2'), move('f2', 'n2')];
  const repeated = { capability: 'plan.repeat', arguments: {}, data: { steps, subjects: 2 } } as unknown as AuditRecord;
  expect(stepsOf([repeated], manifest)).toEqual([
    { capability: 'note.add', arguments: { folderId: 'f1', text: 'a' } },
    { capability: 'note.move', arguments: { noteIds: [{ $from: '/0/note/id' }], folderId: 'f1', text: 'a' } },
  ]);
  expect(stepsOf([{ ...repeated, data: {} } as AuditRecord], manifest), 'nothing was done').toBeUndefined();
});
