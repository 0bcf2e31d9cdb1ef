// Finds what the command line consists of: links it again with its symbols and adds them up by module. Prints
// docs/evidence/size.md; ends in an error when a module is over 500 KB without a reason below, or the program over its limit.
// Usage: make build/bin/deskhand-cli && node build/size.mjs > docs/evidence/size.md, or size.mjs --check
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const KB = 1000, worth = 500 * KB;
const limit = 33.6e6; // bytes of the command line, as it is shipped

const reasons = {
  "Go": "Runtime and standard library: HTTP and TLS for models, mail and tills; JSON, XML, templates.",
  "Deskhand": "Itself, with its texts, migrations and words.",
  "modernc.org/sqlite": "The database, without a C compiler: SQLite translated to Go.",
  "github.com/modelcontextprotocol/go-sdk": "Serves assistants of other programs.",
  "github.com/nats-io/nats.go": "The link of a till to its host.",
  "go.yaml.in/yaml/v4": "Reads the capabilities.yaml of a peer, with the line of each mistake.",
  "golang.org/x/text": "Folds and compares words, for search and sorting; forms of names and passwords in mail.",
};

const run = (...command) => execFileSync(command[0], command.slice(1), { encoding: "utf8", maxBuffer: 1 << 30, env: { ...process.env, CGO_ENABLED: "0" } });

const size = statSync("build/bin/deskhand-cli").size;
const folder = mkdtempSync(join(tmpdir(), "deskhand-size-"));
let symbols;
try {
  const whole = join(folder, "whole");
  run("go", "build", "-trimpath", "-o", whole, ".");
  symbols = run("go", "tool", "nm", "-size", whole);
} finally {
  rmSync(folder, { recursive: true });
}
const modules = run("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".").split("\n").filter(Boolean);
const known = [...new Set(modules)].sort((a, b) => b.length - a.length);

// moduleOf is the module of a symbol: type.(*T).method, type:.eq.path.T, path.f[…].
function moduleOf(name) {
  const path = name.replace(/^(go:itab\.|type:(\.(eq|hash)\.)?)\*?/, "").replaceAll("%2e", ".");
  if (path.startsWith("github.com/deskhand/deskhand") || path.startsWith("main.")) return "Deskhand";
  return known.find((m) => path.startsWith(m)) ?? "Go";
}

const bytes = new Map();
let counted = 0;
for (const line of symbols.split("\n")) {
  const found = /^ *\S+ +(\d+) ([A-Za-z]) (.*)$/.exec(line);
  if (!found || "uUbB".includes(found[2]) || found[3].startsWith("go:func.")) continue;
  const module = moduleOf(found[3]), n = Number(found[1]);
  if (n > 8e6) continue; // memory that the file does not have, such as that of crypto's random numbers
  bytes.set(module, (bytes.get(module) ?? 0) + n);
  counted += n;
}
// Tables and types that have no symbol of their own are shared among the modules by the size of what has one.
const list = [...bytes].map(([module, n]) => [module, n * size / counted]).filter(([, n]) => n > worth).sort((a, b) => b[1] - a[1]);
const nameless = list.filter(([module]) => !reasons[module]).map(([module, n]) => `${module} (${Math.round(n / KB)} KB)`);
if (nameless.length > 0) fail(`no reason is given in build/size.mjs for ${nameless.join(", ")}`);
if (size > limit) fail(`the command line has ${(size / 1e6).toFixed(2)} MB, of ${(limit / 1e6).toFixed(2)}`);

function fail(why) {
  console.error(`size: ${why}`);
  process.exit(1);
}

if (process.argv[2] === "--check") {
  const page = readFileSync("docs/evidence/size.md", "utf8");
  const missing = list.filter(([module]) => !page.includes(`| ${module} |`));
  if (missing.length > 0) fail(`docs/evidence/size.md does not name ${missing.map(([module]) => module).join(", ")}: node build/size.mjs > docs/evidence/size.md`);
} else {
  const rest = size - list.reduce((sum, [, n]) => sum + n, 0);
  console.log(`<!-- Written by node build/size.mjs; do not edit. -->

# What the program consists of

The command line has ${(size / 1e6).toFixed(1)} MB on Linux; the window has 2.1 MB more for Wails, and its page 3.3 MB. The table adds up the symbols
of each module. Tables without symbols (lines of functions, types, strings) are shared among the modules by size. A module
over 500 KB has its reason here, or \`make check\` fails.

| what | MB | why it is there |
|---|---:|---|
${list.map(([module, n]) => `| ${module} | ${(n / 1e6).toFixed(1)} | ${reasons[module]} |`).join("\n")}
| ${known.length - list.filter(([m]) => known.includes(m)).length} modules under 500 KB | ${(rest / 1e6).toFixed(1)} | [Licences](../licences.md) lists them. |
`.trimEnd());
}
