#!/usr/bin/env node
// Makes a table of what `go test -bench … -count N` prints: of each figure the median of the runs, the lowest and the
// highest, and beside it what is to be reached, where something is.
import { readFileSync } from 'node:fs';

// A benchmark and its unit, and what is to be reached.
const reach = [
  ['InvokeOverMandatory', 'x-mandatory', '≤', 1.25],
  ['Events/subscriptions', 'ns/delivery', '≤', 60],
  ['Manifest/join', 'us', '≤', 100],
  ['Manifest/availability', 'us', '≤', 50],
  ['Manifest/search', 'us', '≤', 20],
  ['Durable/callers=1', 'write-%raw', '≥', 60],
  ['Durable/callers=64', 'write-%raw', '≥', 50],
  ['Durable/', 'read-%raw', '≥', 75],
  ['Durable/', 'chain-%write', '≤', 5],
  ['Durable/callers=1', 'p50/file', '≤', 2],
  ['Starts', 'help/empty', '≤', 1.5],
  ['Invoke/in_turns', 'ratio', '≤', 1.5],
  ['Tills', 'tills-%one', '≥', 70],
  ['Tills', 'event-p95-ms', '≤', 20],
  ['Tills', 'back-p95-ms', '≤', 2000],
  ['Archive', 'archive-%read', '≥', 60],
  ['Writing/', 'published-%', '≥', 95],
];

const figures = new Map(); // by benchmark, then unit: a number of each run
for (const line of readFileSync(0, 'utf8').split('\n')) {
  const [, name, rest] = /^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$/.exec(line) ?? [];
  if (!name) continue;
  const of = figures.get(name) ?? figures.set(name, new Map()).get(name);
  const words = rest.trim().split(/\s+/);
  for (let i = 0; i + 1 < words.length; i += 2) {
    const unit = words[i + 1] === 'ns/op' ? 'us' : words[i + 1];
    const runs = of.get(unit) ?? of.set(unit, []).get(unit);
    runs.push(unit === 'us' ? words[i] / 1000 : Number(words[i]));
  }
}
if (figures.size === 0) {
  console.error('table-of-benchmarks: no benchmark ran');
  process.exit(1);
}

const short = (n) => (n >= 100 ? n.toFixed(0) : n.toPrecision(3));
console.log('| benchmark | figure | median | lowest – highest | to reach |\n|---|---|---:|---:|---:|');
for (const [name, of] of figures)
  for (const [unit, runs] of of) {
    // How long all of it took says nothing beside figures of its own.
    if (unit === 'us' && [...of.keys()].some((u) => !['us', 'MB/s', 'B/op', 'allocs/op'].includes(u))) continue;
    const [begin, , sign, bound] = reach.find(([b, u]) => name.startsWith(b) && u === unit) ?? [];
    const sorted = runs.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)];
    const met = sign === '≤' ? median <= bound : median >= bound;
    const wanted = begin ? `${sign} ${bound}${met ? '' : ', **missed**'}` : '';
    console.log(`| ${name} | ${unit} | ${short(median)} | ${short(sorted[0])} – ${short(sorted.at(-1))} | ${wanted} |`);
  }
