// Compiles the bus, plays the conversation of the paper and the core transcripts with it, and then once with each
// mistake of mistakes.json, which the transcripts must find.
// Usage, in the folder of the repository: node docs/examples/bus-ts/test/check.mjs
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const root = join(here, "../../..");
const modules = join(root, "frontend/node_modules");
const folder = mkdtempSync(join(tmpdir(), "bus-ts-"));
let failed = 0;
const check = (right, says) => {
  if (!right) failed++;
  console.log(`${right ? "ok  " : "FAIL"} ${says}`);
};

/** Compiles the sources, some of them changed, and returns the folder of the programs. */
function compiled(name, changed = {}) {
  const at = join(folder, name);
  cpSync(here, at, { recursive: true });
  symlinkSync(modules, join(at, "node_modules"));
  for (const [file, text] of Object.entries(changed)) writeFileSync(join(at, file), text);
  const types = Object.keys(changed).length ? ["--noCheck"] : [];
  execFileSync(process.execPath, [join(modules, "typescript/bin/tsc"), "-p", at, ...types], { stdio: "inherit" });
  return join(at, "build");
}

try {
  const player = join(folder, process.platform === "win32" ? "play.exe" : "play");
  execFileSync("go", ["build", "-o", player, "./bus/bustest/transcripts"], { cwd: root, stdio: "inherit" });
  const play = (build) =>
    spawnSync(player, ["-core", "--", process.execPath, join(build, "test/main.js")], { encoding: "utf8" });

  const build = compiled("right");
  const said = execFileSync(process.execPath, [join(build, "checkout.js")], { encoding: "utf8" }).trim().split("\n");
  const results = said.map((line) => JSON.parse(line));
  check(results[0].data.cartTotal === 4783 && results[1].data.subtotal === 4783, "the cart comes to $47.83");
  check(results[2].summary.includes("$47.83") && results[3].reason === "declined", "the assistant may only look");
  check(results[4].data.orderId === results[5].data.orderId && results[5].replayed, "a retry does not order twice");

  const right = play(build);
  check(right.status === 0, right.stdout.trim().split("\n").slice(-20).join("\n") + right.stderr);
  const list = JSON.parse(readFileSync(join(here, "test/mistakes.json"), "utf8"));
  list.forEach(({ what, file = "bus.ts", old, new: wrong }, i) => {
    const text = readFileSync(join(here, file), "utf8");
    if (text.split(old).length !== 2) throw new Error(`${what}: ${old} is not once in ${file}`);
    const { status, stdout } = play(compiled(`mistake${i}`, { [file]: text.replace(old, () => wrong) }));
    check(status !== 0, `${what}: ${stdout.match(/^FAIL/gm)?.length ?? 0} transcripts fail`);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
