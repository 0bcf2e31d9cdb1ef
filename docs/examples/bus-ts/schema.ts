// JSON Schema as capabilities use it: a keyword that is not enforced is refused when a capability is registered.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Fields = { [name: string]: Json };
export type Violation = { path: string; message: string };

export const isObject = (v: unknown): v is Fields => typeof v === "object" && v !== null && !Array.isArray(v);
export const clone = <T>(v: T): T => structuredClone(v);

/** The text of a value by which equal values are equal: names in order, no spaces. */
export function canonical(v: Json): string {
  if (Array.isArray(v)) return `[${v.map(canonical)}]`;
  if (!isObject(v)) return JSON.stringify(v);
  return `{${Object.keys(v).sort().map((k) => `${JSON.stringify(k)}:${canonical(v[k])}`)}}`;
}

/** What a JSON text says twice, by the names on the way to it, and how deep it is. JSON.parse would keep the last. */
export function survey(text: string): { twice: string[][]; depth: number } {
  const open: { names: Set<string>; name: string }[] = [];
  const found = { twice: [] as string[][], depth: 0 };
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === "{" || token === "[") found.depth = Math.max(found.depth, open.push({ names: new Set(), name: "" }));
    else if (token === "}" || token === "]") open.pop();
    else if (colon) {
      const top = open[open.length - 1];
      top.name = JSON.parse(token.slice(0, -colon.length));
      if (top.names.has(top.name)) found.twice.push(open.map((o) => o.name));
      top.names.add(top.name);
    }
  }
  return found;
}

const formats: { [name: string]: (s: string) => boolean } = {
  uuid: (s) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(s),
  email: (s) => /^[^\s@]+@[^\s@]+$/.test(s),
  uri: (s) => URL.canParse(s),
  "uri-reference": (s) => URL.canParse(s, "https://example.com") && !s.includes("\\"),
  date: (s) => /^\d{4}-\d\d-\d\d$/.test(s) && new Date(`${s}T00:00:00Z`).toJSON()?.slice(0, 10) === s,
  "date-time": (s) => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(s) && !Number.isNaN(Date.parse(s)),
};

const annotation = /^(\$schema|\$comment|title|description|default|examples|readOnly|writeOnly|deprecated|x-.*)$/;
const kindOf = (v: Json) => (v === null ? "null" : Array.isArray(v) ? "array" : typeof v);
type Rule = (v: Json, limit: Json, schema: Fields) => boolean;
type Test = (n: number, limit: number) => boolean;
const numbers = (test: Test): Rule => (v, limit) => typeof v !== "number" || test(v, Number(limit));
const sizes = (kind: string, test: Test): Rule => (v, limit) =>
  kindOf(v) !== kind || test(typeof v === "string" ? [...v].length : Object.keys(Object(v)).length, Number(limit));
const atLeast: Test = (n, limit) => n >= limit;
const atMost: Test = (n, limit) => n <= limit;
const rules: { [keyword: string]: Rule } = {
  type: (v, kinds) => [kinds].flat().some((k) => kindOf(v) === k || (k === "integer" && Number.isInteger(v))),
  enum: (v, list) => (list as Json[]).some((e) => canonical(e) === canonical(v)),
  const: (v, only) => canonical(only) === canonical(v),
  minimum: numbers(atLeast), exclusiveMinimum: numbers((n, limit) => n > limit),
  maximum: numbers(atMost), exclusiveMaximum: numbers((n, limit) => n < limit),
  multipleOf: numbers((n, of) => Number.isInteger(n / of)),
  minLength: sizes("string", atLeast), maxLength: sizes("string", atMost),
  minItems: sizes("array", atLeast), maxItems: sizes("array", atMost),
  minProperties: sizes("object", atLeast), maxProperties: sizes("object", atMost),
  pattern: (v, text) => typeof v !== "string" || new RegExp(String(text), "u").test(v),
  format: (v, name) => typeof v !== "string" || formats[String(name)](v),
  uniqueItems: (v, on) => !on || !Array.isArray(v) || new Set(v.map(canonical)).size === v.length,
  required: (v, names) => !isObject(v) || (names as string[]).every((name) => Object.hasOwn(v, name)),
  additionalProperties: (v, of, { properties }) =>
    of !== false || !isObject(v) || Object.keys(v).every((name) => Object.hasOwn(Object(properties), name)),
};
const named = ["properties", "$defs", "definitions"]; // keywords that hold schemas: by name, in a list, or one
const listed = ["prefixItems", "oneOf", "anyOf", "allOf"];
const single = ["items", "additionalProperties", "not"];
const escape = (name: string | number) => String(name).replaceAll("~", "~0").replaceAll("/", "~1");

/** The value at a JSON Pointer; undefined where there is none. */
export function at(value: Json | undefined, pointer: string): Json | undefined {
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const has = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    value = has ? (value as Fields)[name] : undefined;
  }
  return value;
}

export class Schema {
  constructor(private readonly root: Fields) {
    this.check(root, "");
  }

  /** Refuses what cannot be enforced. */
  private check(node: Json, path: string): void {
    if (typeof node === "boolean") return;
    if (!isObject(node)) throw new Error(`${path}: a schema is an object or a boolean`);
    for (const [k, v] of Object.entries(node)) {
      if ([...named, ...listed].includes(k)) {
        for (const [n, s] of Object.entries(v as Fields)) this.check(s, `${path}/${k}/${escape(n)}`);
      } else if (single.includes(k)) this.check(v, `${path}/${k}`);
      else if (k === "$ref" ? !String(v).startsWith("#") || this.ref(node) === undefined :
        k === "format" ? !formats[v as string] : !rules[k] && !annotation.test(k)) {
        throw new Error(`${path}/${k} cannot be enforced: ${v}`);
      }
    }
  }

  private ref = (node: Fields) => at(this.root, String(node.$ref).slice(1)) as Json;

  /** The schemas of what is in a value. */
  private inside(s: Fields, value: Json): [schema: Json, child: Json, name: string][] {
    const known = (s.properties ?? {}) as Fields;
    const tuple = (s.prefixItems ?? []) as Json[];
    if (Array.isArray(value)) return value.map((v, i) => [tuple[i] ?? s.items ?? true, v, String(i)]);
    const others = isObject(s.additionalProperties) ? s.additionalProperties : true;
    if (!isObject(value)) return [];
    return Object.entries(value).map(([name, v]) => [Object.hasOwn(known, name) ? known[name] : others, v, name]);
  }

  /** Every violation, by its path. */
  violations(value: Json): Violation[] {
    return this.walk(this.root, value, "").sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  private walk(s: Json, value: Json, path: string): Violation[] {
    if (!isObject(s)) return s ? [] : [{ path, message: "nothing is allowed here" }];
    const found: Violation[] = [];
    const also = (schema: Json, v = value, p = path) => { found.push(...this.walk(schema, v, p)); };
    const fits = (schema: Json) => this.walk(schema, value, path).length === 0;
    for (const [k, limit] of Object.entries(s)) {
      if (rules[k] && !rules[k](value, limit, s)) found.push({ path, message: `does not fit ${k}` });
    }
    const { allOf = [], anyOf = [true], oneOf = [true] } = s as { [keyword: string]: Json[] };
    if (s.$ref) also(this.ref(s));
    for (const schema of allOf) also(schema);
    if (!anyOf.some(fits)) for (const schema of anyOf) also(schema);
    if (oneOf.filter(fits).length !== 1) found.push({ path, message: "does not fit exactly one" });
    if (s.not !== undefined && fits(s.not)) found.push({ path, message: "fits what it must not" });
    for (const [schema, child, name] of this.inside(s, value)) also(schema, child, `${path}/${escape(name)}`);
    return found;
  }

  /** Fills in defaults, in place. */
  fill(value: Json, s: Json = this.root): void {
    if (!isObject(s)) return;
    if (s.$ref) this.fill(value, this.ref(s));
    for (const [name, of] of Object.entries((s.properties ?? {}) as { [name: string]: Fields })) {
      if (isObject(value) && of.default !== undefined && !Object.hasOwn(value, name)) value[name] = clone(of.default);
    }
    for (const [schema, child] of this.inside(s, value)) this.fill(child, schema);
  }

  /** The value without its secrets. */
  redacted(value: Json, s: Json = this.root): Json {
    if (!isObject(s) || s.writeOnly) return isObject(s) ? "[redacted]" : value;
    if (s.$ref) value = this.redacted(value, this.ref(s));
    const parts = this.inside(s, value).map(([schema, child, name]) => [name, this.redacted(child, schema)] as const);
    return Array.isArray(value) ? parts.map(([, v]) => v) : isObject(value) ? Object.fromEntries(parts) : value;
  }

  /** The names of the fields of the outermost object. */
  names = () => Object.keys((this.root.properties ?? {}) as Fields);
}
