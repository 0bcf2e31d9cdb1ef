// The program that the transcripts are played with: it answers each line of standard input with a line. What their
// applications do is data, in the little language of docs/specification-programs.md.
import { createInterface } from "node:readline";
import { Bus, type Call, type Capability, type Check, type Person, Refusal } from "../bus.js";
import { at, canonical, type Fields, isObject, type Json } from "../schema.js";

let bus = new Bus("none", "0", () => 0);
let [now, person, times]: [number, Person, { [name: string]: number }] = [0, { id: "", scopes: [] }, {}];

function value(x: Json, call: Call): Json {
  if (Array.isArray(x)) return x.map((e) => value(e, call));
  if (!isObject(x)) return x;
  const [[key, of] = ["", null]] = Object.entries(x);
  if (!key.startsWith("$")) return Object.fromEntries(Object.entries(x).map(([n, e]) => [n, value(e, call)]));
  if (key === "$arg") return at(call.args, String(of)) ?? null;
  if (key === "$state") return call.state.get(String(of)) ?? null;
  if (key === "$now" || key === "$person") return key === "$now" ? call.now : call.person.id;
  if (key === "$times" || key === "$id") {
    const n = (times[String(of)] = (times[String(of)] ?? 0) + 1);
    return key === "$id" ? `${of}_${n}` : n;
  }
  const list = (value(of, call) ?? []) as Json[];
  if (key === "$length" || key === "$text") return key === "$length" ? list.length : list.join("");
  return list.map(Number).reduce((a, b) => (key === "$sum" ? a + b : a * b));
}

function holds(x: Json, call: Call): boolean {
  const [[key, of]] = Object.entries(x as Fields);
  if (key === "not") return !holds(of, call);
  if (key === "and" || key === "or") return (of as Json[])[key === "and" ? "every" : "some"]((c) => holds(c, call));
  const [a, b] = value(of, call) as Json[];
  return key === "is" ? canonical(a) === canonical(b) : Number(a) < Number(b);
}

function run(ops: Fields[], call: Call): Json | undefined {
  let out: Json | undefined;
  for (const op of ops.filter(({ when }) => when === undefined || holds(when, call))) {
    const [verb] = ["return", "set", "add", "append", "fact", "summarize", "progress", "notify", "change", "fail"]
      .filter((name) => op[name] !== undefined);
    const name = String(op[verb]);
    const of = (field: string) => value(op[field] ?? null, call);
    const about = op[verb] as Fields;
    if (verb === "return") out = of("return");
    else if (verb === "set") call.set(name, of("to"));
    else if (verb === "add") call.set(name, Number(call.state.get(name) ?? 0) + Number(of("by")));
    else if (verb === "append") call.set(name, [...((call.state.get(name) ?? []) as Json[]), of("value")]);
    else if (verb === "fact") call.facts[name] = of("value");
    else if (verb === "summarize") call.summary = String(of("summarize"));
    else if (verb === "progress") call.progress(Number(about.percent), about.message as string | undefined);
    else if (verb === "notify") call.events.push({ type: "notification", ...about });
    else if (verb === "change") {
      const { summary, ids, domain } = value(about, call) as Fields & { ids: Json[] };
      const more = { ...(summary && { summary }), ...(ids[0] !== undefined && { ids }) };
      call.events.push({ type: "stateChange", domain, ...more });
    } else if (verb === "fail") {
      const { code, reason, message, recovery_hint: hint, field, Options: options } = about;
      const more: Fields = hint ? { recovery_hint: hint } : {};
      if (options) more.choices = [{ field, options }];
      throw new Refusal(String(code), String(reason), String(message), more);
    } else throw op.crash === "panic" ? new TypeError("as the description says") : new Error("without a code");
  }
  return out;
}

const check = (c?: Json) =>
  (isObject(c) ? { ...c, holds: (call: Call) => holds(c.holds, call) } : undefined) as Check;

function start({ name, version, clock, idempotency_window_ms: window, conditions, state, ...a }: Fields): void {
  now = Number(clock ?? 1_772_442_000_000);
  const named = Object.entries(Object(conditions)).map(([n, c]) => [n, check(c as Json)]);
  bus = new Bus(String(name), String(version), () => now, Object.fromEntries(named), window as number | undefined);
  bus.register(...(a.capabilities as Fields[]).map(({ does, preview, preconditions, available, limit, ...said }) => ({
    resources: [/pure|network/.test(String(said.side_effect)) ? "database:read" : "database:write"], ...said,
    handler: (call: Call) => run(does as Fields[], call), available: check(available), limit: check(limit),
    ...(preview && { preview: (call: Call) => run(preview as Fields[], call) }),
    ...(preconditions && { preconditions: (preconditions as Json[]).map(check) }) }) as unknown as Capability));
  [person, times] = [a.person as Person, {}];
  for (const [n, v] of Object.entries(state as Fields)) bus.state.set(n, v);
}

function answer(line: string): unknown {
  let c: Fields = {};
  try { c = JSON.parse(line) ?? {}; } catch { /* the bus refuses it */ }
  if (!c.do) return bus.invoke(line, person);
  if (c.do === "start") start(c.application as Fields);
  else if (c.do === "advance") now += Number(c.ms);
  else if (c.do === "sign_in") person = c.person as Person;
  else if (c.do === "set") for (const [name, v] of Object.entries(c.state as Fields)) bus.state.set(name, v);
  else if (c.what === "state") return { done: c.do, state: Object.fromEntries(bus.state) };
  else if (c.what === "events") return { done: c.do, events: bus.events.splice(0) };
  else if (c.what === "manifest") return { done: c.do, manifest: bus.manifest(String(c.caller), person) };
  else return { refused: `${c.do} is not possible here` };
  return { done: c.do };
}

for await (const line of createInterface({ input: process.stdin })) {
  let said: unknown;
  try { said = answer(line); } catch (why) { said = { refused: String(why) }; }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
