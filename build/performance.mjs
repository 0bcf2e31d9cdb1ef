// Prints docs/performance.md: the figures of docs/evidence/measurements.md that people ask for, as sentences.
// A row that the tables no longer have is an error. Usage: node build/performance.mjs > docs/performance.md
import { readFileSync } from "node:fs";

const text = readFileSync("docs/evidence/measurements.md", "utf8");
const sections = new Map(text.split(/^## /m).slice(1).map((part) => [part.slice(0, part.indexOf("\n")), part]));

/** The cells of the row of a section that begins with the given cells. */
function row(section, ...begin) {
  const wanted = `| ${begin.join(" | ")} |`;
  const line = sections.get(section)?.split("\n").find((line) => line.startsWith(wanted));
  if (!line) throw new Error(`measurements.md: no row ${wanted} in "${section}"`);
  return line.split("|").slice(1, -1).map((cell) => cell.trim());
}

/** A row of the page: a benchmark's median, multiplied, with its unit and its aim. */
function benchmark(sentence, section, name, figure, unit, times = 1) {
  const [, , median, , aim] = row(section, name, figure);
  const [, sign, bound, missed] = /^(\S) (\S+?)(, \*\*missed\*\*)?$/.exec(aim) ?? [];
  return [sentence, number(median * times) + unit, sign ? `${sign} ${number(bound * times)}${unit}${missed ?? ""}` : ""];
}

function number(n) {
  return n >= 1000 ? Math.round(n).toLocaleString("en").replaceAll(",", " ") : String(Number(Number(n).toPrecision(3)));
}

const bus = "One invocation, beside what cannot be left out", manifest = "Manifest, availability, search, events";
const durable = "Durable records", machines = "Several machines", starts = "The command line starts";
const library = "One invocation, beside libraries that do part of it", large = "What people wait for in a large shop", window = "The real window";
const [, , own] = row(library, "**Deskhand's bus**"), [, , sdk] = row(library, "modelcontextprotocol/go-sdk v1.8, in memory");
const [, half, most] = row(large, "all acts as often");
const [, paint] = row(window, "first paint after the start of the program, median of 5 warm starts");
const [, memory] = row(window, "memory of the program and WebKit (PSS), just opened"), [, idle] = row(window, "processor, idle for 30 s");

const rows = [
  ["One call through the bus, in process", `${number(own / 1000)} µs`, ""],
  ["The same call of a tool of MCP's go-sdk, in memory", `${number(sdk / 1000)} µs`, ""],
  benchmark("One call, beside decoding and validating alone", bus, "InvokeOverMandatory/all_processors", "x-mandatory", " ×"),
  benchmark("The same on one processor", bus, "InvokeOverMandatory/one_processor", "x-mandatory", " ×"),
  benchmark("An event reaches a subscriber after", manifest, "Events/subscriptions", "ns/delivery", " ns"),
  benchmark("The whole manifest is put together in", manifest, "Manifest/join", "us", " µs"),
  benchmark("What has become possible is computed in", manifest, "Manifest/availability", "us", " µs"),
  benchmark("The same after a change of the shop", manifest, "Manifest/availability_after_a_change", "us", " µs"),
  benchmark("One caller makes changes with their records, per second", durable, "Durable/callers=1", "writes/s", ""),
  benchmark("The same as a share of bare rows in SQLite", durable, "Durable/callers=1", "write-%raw", " %"),
  benchmark("64 callers make changes with their records, per second", durable, "Durable/callers=64", "writes/s", ""),
  benchmark("The same as a share of bare rows in SQLite", durable, "Durable/callers=64", "write-%raw", " %"),
  benchmark("One caller makes recorded look-ups, per second", durable, "Durable/callers=1", "reads/s", ""),
  benchmark("The hash chain's share of a change", durable, "Durable/callers=1", "chain-%write", " %"),
  benchmark("Fifty tills make changes, per second", machines, "Tills", "tills/s", ""),
  benchmark("The same as a share of fifty callers in one program", machines, "Tills", "tills-%one", " %"),
  benchmark("95 of 100 events reach the fiftieth till within", machines, "Tills", "event-p95-ms", " ms"),
  benchmark("95 of 100 calls on a cut link are answered within", machines, "Tills", "back-p95-ms", " ms"),
  benchmark("An archive verifies and keeps records, per second", machines, "Archive", "archives/s", ""),
  benchmark("The command line starts in", starts, "Starts", "help-ms", " ms"),
  benchmark("The command line opens a shop and reads a page of it in", starts, "Starts", "opens-ms", " ms"),
  ["The window with 10 000 products shows its first page after", paint, ""],
  ["The window and WebKit have in memory", memory, ""],
  ["The window at rest uses of a processor", idle, ""],
  ["A shop with 200 000 orders: half of all acts are on the screen within, and 95 of 100", `${half} ms, ${most} ms`, ""],
];
const machine = /^On \d+ cores.*?x86_64|^On \d+ cores[^.]*/m.exec(text)[0];
console.log(`<!-- Written by make performance; do not edit. -->

# Performance

${machine}. Figures are medians; a machine twice as fast halves the times. [The
measurements](evidence/measurements.md) have the spread, the command, the day and the commit of each.

| what was measured | figure | aim |
|---|---:|---:|
${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`);
