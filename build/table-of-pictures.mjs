#!/usr/bin/env node
// Makes rows of a table of what e2e/picture-figures.spec.ts prints.
import { readFileSync } from 'node:fs';

for (const line of readFileSync(0, 'utf8').split('\n')) {
  const [, what, json] = /^([A-Z][^{]*[^ {]) +(\{"without".*\})$/.exec(line) ?? [];
  if (!json) continue;
  const { without, with: pictured } = JSON.parse(json);
  for (const name of Object.keys(without)) {
    const [a, b] = [without[name].p50 ?? without[name], pictured[name].p50 ?? pictured[name]];
    console.log(`| ${what}: ${name} | ${a} | ${b} | ${(b / a).toFixed(2)} × |`);
  }
}
