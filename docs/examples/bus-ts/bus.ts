// A capability bus: one door to everything an application can do. B1 to B11 are the steps of docs/specification.md.
import { canonical, clone, type Fields, isObject, type Json, Schema, survey } from "./schema.js";

export type Check = { name?: string; message?: string; recovery_hint?: string; holds: (call: Call) => boolean };
export type Capability = {
  name: string; title?: string; description?: string; version?: string; type?: string; changes?: string[];
  side_effect: "pure" | "ui-only" | "network" | "destructive"; input_schema?: Fields; output_schema?: Fields;
  permissions?: string[]; access?: { user?: string; agent?: string }; agent_visible?: boolean; agent_only?: boolean;
  preconditions?: Check[]; requires?: string[]; available?: Check; limit?: Check; concurrency?: string;
  rate_limit?: { requests: number; period_ms: number; burst?: number }; keep_result?: boolean; facts?: string[];
  cost_estimate?: Fields; handler: (call: Call) => Json | undefined; preview?: (call: Call) => Json | undefined;
};
export type Person = { id: string; scopes: string[] };
type Registered = Capability & { input?: Schema; output?: Schema };

/** What a handler throws to refuse. Anything else that it throws is a defect: INTERNAL. */
export class Refusal extends Error {
  constructor(readonly code: string, readonly reason: string, message: string, readonly more: Fields = {}) {
    super(message);
  }
}
const refuse = (code: string, reason: string, message: string, more?: Fields): never => {
  throw new Refusal(code, reason, message, more);
};
const malformed = (message: string) => refuse("VALIDATION", "envelope", message);

/** A call as its handler sees it. What it writes stays if it succeeds. */
export class Call {
  events: Fields[] = [];
  facts: Fields = {};
  summary = "";
  constructor(readonly args: Fields, readonly person: Person, readonly now: number, readonly state: Map<string, Json>,
    private readonly writes = false, readonly progress: (percent: number, message?: string) => void = () => {}) {}
  set(name: string, value: Json): void {
    if (!this.writes) throw new Error("it may only read");
    this.state.set(name, clone(value));
  }
}

const reasons: { [code: string]: string } = {
  VALIDATION: "arguments envelope version idempotency_mismatch unknown_constraint_operator",
  FORBIDDEN: "permission limit agent_forbidden capability_not_granted constraint declined",
  PRECONDITION_FAILED: "condition precondition unavailable state",
  CONFLICT: "busy changed", NOT_FOUND: "capability record",
  TRANSIENT: "rate_limit timeout cancelled journal interrupted network", INTERNAL: "panic damaged uncoded response",
};
const texts = ["capability", "request_id", "idempotency_key", "trace_id", "min_version"];
const callerTexts = ["source", "parent_request_id", "type", "triggering_message", "reasoning"];
const typeOf: { [field: string]: string } = { timeout_ms: "number", dry_run: "boolean", caller: "object" };
for (const name of texts) typeOf[name] = "string";
const stripURLs = <T>(v: T): T =>
  JSON.parse(JSON.stringify(v), (_, s) => (typeof s === "string" ? s.replace(/:\/\/[^\s/?#"'`<>]*@/g, "://") : s));
const numbers = (version: unknown) => String(version ?? "1.0.0").split(".").map((n) => Number.parseInt(n, 10) || 0);
const may = (p: Person, c: Capability) =>
  !c.permissions?.some((s) => s.includes(":") && !p.scopes.includes("*") && !p.scopes.includes(s));

export class Bus {
  readonly capabilities = new Map<string, Registered>();
  readonly log: Fields[] = []; // one record for each call
  events: Fields[] = [];
  state = new Map<string, Json>();
  private readonly keys = new Map<string, { args: string; until: number; result: Fields }>();
  private readonly buckets = new Map<string, number>(); // when each is full again
  private made = 0;

  constructor(readonly name: string, readonly version: string, readonly clock: () => number,
    readonly conditions: { [name: string]: Check } = {}, readonly window = 30 * 86_400_000) {}

  register(...all: Capability[]): void {
    for (const c of all) {
      const { rate_limit: rate, access = {} } = c;
      const rules = Object.values(access).every((r) => /^(allowed|confirmation_required|forbidden)$/.test(r));
      const conditions = c.permissions?.every((p) => p.includes(":") || this.conditions[p]) !== false;
      const limited = !rate || (rate.requests > 0 && rate.period_ms > 0);
      const named = /^\w+(\.\w+)+$/.test(c.name) && !this.capabilities.has(c.name);
      if (!named || !rules || !conditions || !limited || !/^(pure|ui-only|network|destructive)$/.test(c.side_effect)) {
        throw new Error(`${c.name}: its name, side effect, rules, conditions or rate are none`);
      }
      const [input, output] = [c.input_schema, c.output_schema].map((s) => s && new Schema(s));
      this.capabilities.set(c.name, { ...c, input, output });
    }
    for (const name of all.flatMap((c) => c.requires ?? [])) {
      if (this.capabilities.get(name)?.side_effect !== "pure") throw new Error(`${name} does not only read`);
    }
  }

  /** Answers a line: exactly one result and one record, whatever the line is. */
  invoke(line: string, person: Person): Fields {
    const now = this.clock();
    let [inv, caller, result]: Fields[] = [{ capability: "(unreadable)" }, { type: "cli" }, {}];
    let id = `req_${++this.made}`;
    let events: Fields[] = [];
    try {
      inv = this.read(line);
      caller = { ...(inv.caller as Fields), type: (inv.caller as Fields)?.type || "cli" };
      if (inv.request_id && String(inv.request_id).length <= 256) id = String(inv.request_id);
      ({ events = [], ...result } = this.walk(line, inv, caller, person, now, id) as { events?: Fields[] });
      events = events.map((e) => stripURLs({ ...e, request_id: id, timestamp: now }));
      result = { status: "success", replayed: false, ...result, ...(events.length && { events }) };
    } catch (thrown) {
      const { code, reason, message, more } = this.coded(thrown);
      const retryable = code === "CONFLICT" || (code === "TRANSIENT" && reason !== "interrupted");
      result = { status: "error", code, reason, message: stripURLs(message), retryable, ...more };
      if (inv.dry_run) result.dry_run = true;
    }
    const about: Fields = { request_id: id, timestamp: now, capability: inv.capability };
    for (const k of ["status", "code", "replayed", "dry_run"]) if (result[k]) about[k] = result[k];
    const { triggering_message, reasoning, ...from } = caller;
    this.events.push({ type: "invocation", ...about, caller: from }, ...events); // B11
    this.log.push({ ...about, caller, person: person.id });
    return { ...result, request_id: id, execution_time_ms: this.clock() - now, timestamp: now };
  }

  /** Codes and reasons are closed lists, but for reasons of an application's own, which have a dot. */
  private coded(thrown: unknown): Refusal {
    if (!(thrown instanceof Refusal)) {
      return new Refusal("INTERNAL", thrown instanceof TypeError ? "panic" : "uncoded", "Something broke inside.");
    }
    const known = reasons[thrown.code]?.split(" ").includes(thrown.reason) || /^\w+(\.\w+)+$/.test(thrown.reason);
    return reasons[thrown.code] && known ? thrown : new Refusal("INTERNAL", "uncoded", "Something broke inside.");
  }

  /** Reads an invocation, and refuses what has more than one meaning. */
  private read(line: string): Fields {
    let inv: Json = null;
    try { inv = JSON.parse(line) ?? {}; } catch { /* null is no object */ }
    if (!isObject(inv)) return malformed("It is no object of JSON.");
    for (const [name, v] of Object.entries(inv)) {
      const right = typeOf[name] === typeof v && !Array.isArray(v) && v !== null;
      if (!right && name !== "arguments") malformed(`${name} is unknown, or of another type.`);
    }
    for (const [name, v] of Object.entries((inv.caller ?? {}) as Fields)) {
      if (!callerTexts.includes(name) || typeof v !== "string") malformed(`caller.${name} is unknown, or no text.`);
    }
    const twice = survey(line).twice.filter(([first, ...more]) => !more.length || first === "caller");
    if (twice.length) malformed(`${twice[0].at(-1)} is there twice.`);
    return inv;
  }

  private walk(line: string, inv: Fields, caller: Fields, person: Person, now: number, id: string): Fields {
    const agent = caller.type === "agent";
    // B1
    if (!/^(ui|agent|test|cli|schedule)$/.test(String(caller.type))) malformed("There is no such kind of caller.");
    const names = [...texts.map((t) => inv[t]), ...callerTexts.slice(0, 2).map((t) => caller[t])];
    if (names.some((v) => v && Buffer.byteLength(String(v)) > 256)) malformed("A name is longer than 256 bytes.");
    if (!inv.capability || Number(inv.timeout_ms ?? 0) < 0) malformed("No capability, or less than no time.");
    const found = this.capabilities.get(String(inv.capability));
    const visible = found && !(agent && found.agent_visible === false);
    const c = visible ? found : refuse("NOT_FOUND", "capability", "There is no such capability.");
    const title = c.title ?? c.name;
    const forbid = (reason: string) => refuse("FORBIDDEN", reason, `${title} is not allowed.`);
    const rule = agent ? c.access?.agent : c.access?.user;
    const authorise = () => { // B3
      if (c.agent_only && !agent || !may(person, c)) forbid("permission");
      if (rule === "forbidden") forbid(agent ? "agent_forbidden" : "permission");
    };
    // B2
    const [have, want] = [numbers(c.version), numbers(inv.min_version)];
    const differs = inv.min_version ? want.findIndex((n, i) => n !== (have[i] ?? 0)) : -1;
    if (differs >= 0 && ((have[differs] ?? 0) < want[differs] || (want[0] > 0 && have[0] > want[0]))) {
      refuse("VALIDATION", "version", `${c.name} is at version ${c.version ?? "1.0.0"}.`);
    }
    const args = inv.arguments === undefined ? {} : inv.arguments;
    const { twice, depth } = survey(line);
    const readable = isObject(args) && depth <= 65 && !twice.some((path) => path[0] === "arguments");
    if (readable) c.input?.fill(args);
    const violations = readable ? (c.input?.violations(args) ?? []) : [{ path: "", message: "It is no plain object." }];
    if (violations.length && agent && rule === "forbidden") authorise();
    const more = { violations, schema_side: "request" };
    if (violations.length || !isObject(args)) return refuse("VALIDATION", "arguments", "They do not fit.", more);
    authorise(); // B3
    const writes = c.side_effect === "ui-only" || c.side_effect === "destructive";
    const call = new Call(args, person, now, new Map(this.state), writes, (percent, message) => this.events.push(
      { type: "progress", request_id: id, timestamp: now, task_id: id, percent, ...(message && { message }) }));
    if (c.limit?.holds(call) === false) refuse("FORBIDDEN", "limit", c.limit.message ?? "It is too much.");
    // B4
    const key = JSON.stringify([caller.type, caller.source, c.name, inv.idempotency_key]);
    const keyed = inv.idempotency_key && !inv.dry_run;
    const prior = this.keys.get(key);
    if (keyed && prior && now < prior.until) {
      if (prior.args !== canonical(args)) refuse("VALIDATION", "idempotency_mismatch", "The key had other arguments.");
      return { ...prior.result, replayed: true };
    }
    this.ready(c, call); // B5
    this.takeToken(c, now); // B6
    // B7: there is no person to ask here
    const asks = rule === "confirmation_required" || (agent && !rule && /^(network|destructive)$/.test(c.side_effect));
    if (asks && !inv.dry_run) refuse("FORBIDDEN", "declined", `${title} must be confirmed by a person.`);
    // B8 to B10
    const preview = inv.dry_run && c.preview;
    const data = (preview || c.handler)(call) ?? {};
    this.checkOutput(preview ? { ...c, output: undefined } : c, call, data);
    const result: Fields = { data: agent && c.output ? c.output.redacted(data) : data };
    if (Object.keys(call.facts).length) result.facts = call.facts;
    if (c.cost_estimate) result.cost_estimate = c.cost_estimate;
    if (inv.dry_run) return { ...result, dry_run: true, summary: call.summary || title };
    if (writes) this.state = call.state;
    const until = c.keep_result ? Number.POSITIVE_INFINITY : now + this.window;
    if (keyed) this.keys.set(key, { args: canonical(args), until, result });
    return { ...result, events: call.events };
  }

  /** B5: conditions, what is required, availability, preconditions. */
  private ready(c: Registered, call: Call): void {
    const unmet = ({ holds, message, recovery_hint: hint }: Check, reason: string, name?: string) => {
      const more = { ...(name && { precondition: name }), ...(hint && { recovery_hint: hint }) };
      if (!holds(call)) refuse("PRECONDITION_FAILED", reason, message || `${c.name} is not possible now.`, more);
    };
    for (const p of c.permissions ?? []) if (!p.includes(":")) unmet(this.conditions[p], "condition", p);
    for (const name of c.requires ?? []) {
      const other = this.capabilities.get(name) as Registered;
      const shared = Object.entries(call.args).filter(([field]) => other.input?.names().includes(field));
      const asked = new Call(Object.fromEntries(shared), call.person, call.now, new Map(this.state));
      const said = other.handler(asked) as { ok?: boolean; problems?: (string | { message: string })[] } | undefined;
      const problem = said?.problems?.[0];
      const message = typeof problem === "string" ? problem : problem?.message;
      unmet({ message, holds: () => said?.ok !== false }, "unavailable");
    }
    if (c.available) unmet(c.available, "unavailable");
    for (const p of c.preconditions ?? []) unmet(p, "precondition", p.name);
  }

  /** B6: a bucket of tokens, of which one comes back every period / requests. */
  private takeToken(c: Registered, now: number): void {
    if (!c.rate_limit) return;
    const { requests: limit, period_ms, burst = limit } = c.rate_limit;
    const full = Math.max(this.buckets.get(c.name) ?? 0, now) + period_ms / limit;
    const wait = full - now - (period_ms / limit) * burst;
    const more = { retry_after_seconds: Math.ceil(wait / 1000), limit, remaining: 0, reset_at: now + wait };
    if (wait > 0) refuse("TRANSIENT", "rate_limit", "Too many requests.", more);
    this.buckets.set(c.name, full);
  }

  /** B9, and what a handler has to declare. */
  private checkOutput(c: Registered, call: Call, data: Json): void {
    const violations = c.output?.violations(data) ?? [];
    const more = { violations, schema_side: "response" };
    if (violations.length) refuse("INTERNAL", "response", "The answer breaks its own contract.", more);
    const { changes = [c.name.split(".")[0]], facts = [] } = c;
    const domains = call.events.filter((e) => e.type === "stateChange").map((e) => String(e.domain));
    const undeclared = domains.some((d) => !changes.includes(d) && !changes.includes("*"));
    if (undeclared || Object.keys(call.facts).some((f) => !facts.includes(f))) throw new Error("it is not declared");
  }

  /** What a caller may see, with what is not available now and why. */
  manifest(kind: string, person: Person): Fields {
    const entry = (c: Registered): Fields => {
      const { handler, preview, input, output, available, limit, rate_limit: rate, preconditions, ...said } = c;
      const [domain] = c.name.split(".");
      const e = { title: c.name, description: c.name, version: "1.0.0", type: "action", category: domain,
        concurrency: "concurrent", timeout_ms: 30_000, agent_visible: true, execution_context: "local", available: true,
        [c.side_effect === "pure" ? "provides" : "changes"]: [domain], ...said } as Fields;
      if (rate) e.rate_limit = { requests: rate.requests, period: `${rate.period_ms / 60_000}m` };
      if (preconditions) e.preconditions = preconditions.map(({ holds, ...p }) => p) as Json;
      const call = new Call({}, person, this.clock(), new Map(this.state));
      try { this.ready({ ...c, preconditions: [] }, call); } catch (why) {
        Object.assign(e, { available: false, unavailable_reason: (why as Error).message });
      }
      return e;
    };
    const all = [...this.capabilities.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const seen = all.filter((c) => may(person, c) && (kind === "agent" ? c.agent_visible !== false : !c.agent_only));
    return { schema_version: "0.2.0", application: { name: this.name, version: this.version },
      capabilities: seen.map(entry), generated_at: new Date(this.clock()).toJSON() };
  }
}
