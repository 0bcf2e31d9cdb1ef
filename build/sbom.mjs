// Prints what a build is made of, as a CycloneDX 1.5 document: the Go modules that
// the program says it is linked with, and the npm packages of the page.
// Usage: sbom.mjs VERSION BINARY
import { execFileSync } from "node:child_process";

const [version, binary] = process.argv.slice(2);
const json = (command, args, options) => JSON.parse(execFileSync(command, args, { maxBuffer: 1 << 28, encoding: "utf8", ...options }));

const build = json("go", ["version", "-m", "-json", binary]);
const modules = (build.Deps ?? []).map((m) => {
  const { Path: path, Version: v, Sum: sum } = m.Replace ?? m;
  const purl = `pkg:golang/${path}@${v}`;
  return {
    type: "library",
    "bom-ref": purl,
    name: path,
    version: v,
    purl,
    ...(sum && { hashes: [{ alg: "SHA-256", content: Buffer.from(sum.slice(3), "base64").toString("hex") }] }),
  };
});
const page = json("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"], { cwd: "frontend", stdio: ["ignore", "pipe", "ignore"] });
const packages = page.components.map(({ type, name, version, purl, licenses, hashes }) => ({ type, "bom-ref": purl, name, version, purl, licenses, hashes }));

const document = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: {
    timestamp: new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString(),
    component: { type: "application", "bom-ref": "deskhand", name: "deskhand", version, licenses: [{ license: { id: "MIT" } }] },
    tools: { components: [{ type: "application", name: "go", version: build.GoVersion }] },
  },
  components: [...modules, ...packages].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
};
console.log(JSON.stringify(document, null, 1));
