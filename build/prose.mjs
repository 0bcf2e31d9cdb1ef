// Counts the hits of the rules in build/prose, by Vale, in the comments, documents and messages of each room, and
// compares the counts with build/prose/limits.txt. It fails when a room has more hits than its limit, and also when it
// has fewer: --lower then writes the lower limit. --all prints every hit.
// Usage: prose.mjs VALE@VERSION [--lower | --all]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const limitsFile = "build/prose/limits.txt";
const [tool, option] = process.argv.slice(2);
const run = (...command) =>
  execFileSync(command[0], command.slice(1), { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "inherit"] });
const attempt = (...command) => {
  try {
    return execFileSync(command[0], command.slice(1), { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
};
process.chdir(join(import.meta.dirname, ".."));

/** The room of a file whose comments or text are read, or undefined. */
function roomOf(file) {
  if (/(_test|\.gen)\.go$|\.(test|gen)\.tsx?$|(^|\/)testdata\/|^build\/|\/[a-z]+test\//.test(file)) return undefined;
  if (file.endsWith(".md")) return /^(docs|[^/]+$)/.test(file) ? "docs" : undefined;
  if (/^frontend\/src\/.*\.tsx?$/.test(file)) return "page";
  if (/^(app|main)\.go$/.test(file)) return "internal";
  return file.endsWith(".go") ? /^(agent|audit|bus|internal|shop)\//.exec(file)?.[1] : undefined;
}

/** The messages in a file, each on its own line, or undefined. Other lines are empty. */
function messagesIn(file, text) {
  if (/^docs\//.test(file)) return undefined;
  const lines = text.split("\n");
  if (file.endsWith("/texts.txt")) return lines.map((line) => (/^\s*- |\|/.test(line) ? "" : line.trim()));
  if (/^internal\/cli\/.*\.go$/.test(file)) return lines.map((line) => /help:"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? "");
  if (!file.endsWith(".po")) return undefined;
  return lines.map((line) => {
    const message = /^msgid "(.*)"$/.exec(line)?.[1].replaceAll('\\"', '"') ?? "";
    return texts.includes(message) ? "" : message; // a texts.txt has it
  });
}

/** Returns a function that reports whether this branch changed the line of a hit. Main is compared with HEAD~1. */
function isChanged() {
  const [head, parent] = ["HEAD", "HEAD~1"].map((name) => attempt("git", "rev-parse", "--verify", name));
  const fork = ["origin/main", "main"].map((branch) => attempt("git", "merge-base", "HEAD", branch)).find((commit) => commit && commit !== head);
  const changed = new Map();
  let lines;
  for (const line of attempt("git", "diff", "-U0", "--no-ext-diff", (fork || parent || head).trim()).split("\n")) {
    const [, file] = /^\+\+\+ b\/(.*)/.exec(line) ?? [];
    if (file) changed.set(file, (lines = new Set()));
    const [, first, count = 1] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    for (let i = 0; first && i < Number(count); i++) lines?.add(Number(first) + i);
  }
  const added = new Set(attempt("git", "ls-files", "--others", "--exclude-standard").split("\n"));
  return ({ file, line }) => added.has(file) || changed.get(file)?.has(line);
}

const files = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.go", "*.ts", "*.tsx", "*.md", "*.txt", "*.po")
  .split("\n").filter((file) => file && existsSync(file));
const contents = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const texts = files.filter((file) => file.endsWith("/texts.txt")).map((file) => contents.get(file)).join("").replaceAll(/\n\t+/g, " ");
const rooms = new Map(["agent", "audit", "bus", "internal", "shop", "page", "docs", "messages"].map((name) => [name, { lines: 0, hits: [] }]));

const staged = mkdtempSync(join(tmpdir(), "deskhand-prose-"));
const read = []; // the files for Vale
try {
  for (const [file, text] of contents) {
    const room = roomOf(file), messages = messagesIn(file, text);
    if (room && !(room === "docs" && text.startsWith("<!-- Written by "))) {
      const own = room === "docs" ? /\S/ : /^\s*(\/\/|\/\*|\*)|\s\/\/ /;
      rooms.get(room).lines += text.split("\n").filter((line) => own.test(line)).length;
      read.push(file);
    }
    if (!messages) continue;
    rooms.get("messages").lines += messages.filter(Boolean).length;
    const copy = join(staged, `${file}.txt`);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, messages.join("\n"));
    read.push(copy);
  }
  const out = run("build/tool.sh", tool, "--config", "build/prose/vale.ini", "--no-global", "--no-exit", "--output", "JSON", ...read);
  if (!out.startsWith("{")) {
    process.stdout.write(out); // Vale could not be downloaded, which tool.sh said
    process.exit(0);
  }
  for (const [path, alerts] of Object.entries(JSON.parse(out))) {
    const file = path.startsWith(staged) ? path.slice(staged.length + 1, -".txt".length) : path;
    const room = rooms.get(path === file ? roomOf(file) : "messages");
    for (const { Line: line, Check, Message } of alerts) {
      const message = path === file ? "" : ` In: ${contents.get(file).split("\n")[line - 1].trim()}`;
      room.hits.push({ file, line, text: `${file}:${line} ${Check.replace("House.", "")}: ${Message.replaceAll(/\s+/g, " ")}${message}` });
    }
  }
} finally {
  rmSync(staged, { recursive: true });
}

// A merge may leave two limits of a room in the file: the lower one counts.
const limits = new Map();
for (const [, room, limit] of readFileSync(limitsFile, "utf8").matchAll(/^(\w+) (\d+)$/gm))
  limits.set(room, Math.min(limit, limits.get(room) ?? Infinity));

console.log(`${"room".padEnd(10)} hits  limit  per 1000 lines of comments or text`);
for (const [name, { lines, hits }] of rooms)
  console.log(`${name.padEnd(10)} ${String(hits.length).padStart(4)} ${String(limits.get(name) ?? "none").padStart(6)} ${(1000 * hits.length / lines).toFixed(0).padStart(6)}`);
if (option === "--all") for (const { hits } of rooms.values()) for (const { text } of hits) console.log(text);

const over = [...rooms].filter(([name, { hits }]) => hits.length > (limits.get(name) ?? 0));
const under = [...rooms].filter(([name, { hits }]) => hits.length < (limits.get(name) ?? 0));
const changed = over.length > 0 ? isChanged() : undefined;
for (const [name, { hits }] of over) {
  console.error(`\n${name} has ${hits.length - (limits.get(name) ?? 0)} hits more than its limit.`);
  const yours = hits.filter(changed);
  if (yours.length > 0) console.error(`In the lines that this branch changes:\n${yours.map(({ text }) => `  ${text}`).join("\n")}`);
  else console.error(`No hit is in a line that this branch changes. All hits: node build/prose.mjs ${tool} --all`);
  process.exitCode = 1;
}
if (option === "--lower") {
  for (const [name, { hits }] of under) limits.set(name, hits.length);
  writeFileSync(limitsFile, readFileSync(limitsFile, "utf8").match(/^(#.*\n)*/)[0] + [...limits].map(([name, limit]) => `\n${name} ${limit}\n`).join(""));
} else if (under.length > 0) {
  console.error(`\n${under.map(([name]) => name).join(", ")}: fewer hits than the limit. Lower it: make lower-prose`);
  process.exitCode = 1;
}
