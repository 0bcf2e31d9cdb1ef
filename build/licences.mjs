// Finds the licence of everything that is shipped: the Go modules of the program on
// every system, and the npm packages of the page. Prints docs/licences.md; ends in an
// error when one has none, an unknown one, or one that is not on the list below.
// Usage: licences.mjs > docs/licences.md, or licences.mjs --check
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, readdirSync } from "node:fs";

// Licences that a program under the MIT licence may be shipped with, as binaries
// beside their notices, without more than naming them.
const allowed = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "OFL-1.1", "Unlicense", "Zlib"];

// What a licence file says, known by its own words.
const marks = [
  ["Apache-2.0", /Apache License\s+Version 2\.0/],
  ["MPL-2.0", /Mozilla Public License,? (Version|v\.) ?2\.0/i],
  ["LGPL", /GNU LESSER GENERAL PUBLIC LICENSE/i],
  ["GPL", /GNU (AFFERO )?GENERAL PUBLIC LICENSE/i],
  ["BSD-3-Clause", /Redistribution and use in source and binary forms[\s\S]*(Neither the name|names? of (its|the) (contributors|copyright))/i],
  ["BSD-2-Clause", /Redistribution and use in source and binary forms/],
  ["ISC", /Permission to use, copy, modify, and(\/or)? distribute this software/],
  ["MIT", /Permission is hereby granted, free of charge/],
  ["Unlicense", /free and unencumbered software released into the public domain/],
];

const run = (command, args, env = {}) => execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });

// What Go says of a module that it cannot download for want of a network, as in offline.sh.
const offline = /dial tcp|no such host|i\/o timeout|TLS handshake timeout|module lookup disabled|: 5\d\d [A-Z]/i;
const unreached = [];

function modules() {
  const found = new Map();
  for (const [system, tags] of [["linux", "desktop,production,webkit2_41"], ["windows", "desktop,production"], ["darwin", "desktop,production"]]) {
    const list = run("go", ["list", "-deps", "-e", "-tags", tags, "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}{{with .Error}}{{if not $.Module}}\n! {{.Err}}{{end}}{{end}}", "."], { GOOS: system, CGO_ENABLED: "1" });
    for (const line of list.split("\n").filter(Boolean)) {
      if (line.startsWith("!")) {
        if (offline.test(line)) unreached.push(line.slice(2));
        continue;
      }
      const [name, version, folder] = line.split(" ");
      found.set(name, { name, version, licence: folder ? ofFolder(folder) : "not downloaded" });
    }
  }
  return [...found.values()];
}

function ofFolder(folder) {
  const file = readdirSync(folder).filter((name) => /^(LICEN[CS]E|COPYING|UNLICENSE)/i.test(name)).sort()[0];
  if (!file) return "none";
  const text = readFileSync(`${folder}/${file}`, "utf8");
  return marks.find(([, mark]) => mark.test(text))?.[0] ?? "unknown";
}

function packages() {
  const lock = JSON.parse(readFileSync("frontend/package-lock.json", "utf8"));
  const found = new Map();
  for (const [path, p] of Object.entries(lock.packages)) {
    const at = path.lastIndexOf("node_modules/");
    if (at < 0 || p.dev || p.devOptional || p.optional) continue;
    const name = path.slice(at + "node_modules/".length);
    found.set(`${name}@${p.version}`, { name, version: p.version, licence: p.license ?? "none" });
  }
  return [...found.values()];
}

// passes: each part of an AND, one part of an OR.
const passes = (licence) =>
  licence.replace(/[()]/g, "").split(" AND ").every((all) => all.split(" OR ").some((one) => allowed.includes(one.trim())));

const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1);
const table = (list) => ["| | version | licence |", "|---|---|---|", ...list.sort(byName).map((d) => `| ${d.name} | ${d.version} | ${d.licence} |`)].join("\n");

const go = modules(), npm = packages();
const page = `<!-- Written by make gen; do not edit. -->

# Licences of what is shipped

Deskhand is under the [MIT licence](../LICENSE). These ${go.length} Go modules are linked into the program on one system or another, and
these ${npm.length} npm packages are in its page. All are pinned: \`go.sum\` and \`package-lock.json\` hold their checksums. \`make check\` refuses
a licence that is not one of ${allowed.join(", ")}. What only builds or tests is not shipped and not listed.

## Go modules

${table(go)}

## npm packages

${table(npm)}
`;

if (process.argv[2] === "--check" && unreached.length > 0) {
  const line = `Licences: not checked: offline (${unreached[0].trim().slice(0, 200)})`;
  console.log(line);
  appendFileSync(process.env.NOT_CHECKED || "/dev/null", `${line}\n`); // for the table of steps.sh
  process.exit(0);
}
const bad = [...go, ...npm].filter((d) => !passes(d.licence));
for (const d of bad) console.error(`${d.name} ${d.version}: licence ${d.licence} is not on the list`);
if (process.argv[2] === "--check") {
  if (readFileSync("docs/licences.md", "utf8") !== page) {
    console.error("docs/licences.md is stale: run make gen");
    process.exitCode = 1;
  }
  if (!process.exitCode && bad.length === 0) console.log(`Licences: ${go.length} Go modules and ${npm.length} npm packages, all on the list`);
} else {
  process.stdout.write(page);
}
if (bad.length > 0) process.exitCode = 1;
