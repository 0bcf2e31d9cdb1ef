// Compiles the store and runs its tests with 0 to 5 actions moved, each time with a new server.
// Usage: node docs/examples/rooms/page/check.mjs
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const tsc = join(here, "../../../../frontend/node_modules/typescript/bin/tsc");
const folder = mkdtempSync(join(tmpdir(), "rooms-"));
let failed = 0;
try {
  const program = join(folder, process.platform === "win32" ? "rooms.exe" : "rooms");
  execFileSync("go", ["build", "-o", program, "."], { cwd: join(here, ".."), stdio: "inherit" });
  execFileSync(process.execPath, [tsc, "-p", here, "--outDir", folder], { stdio: "inherit" });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (let moved = 0; moved <= 5; moved++) {
    const server = spawn(program, ["serve", "127.0.0.1:0"], { cwd: mkdtempSync(join(folder, "run-")) });
    server.stderr.pipe(process.stderr);
    const ended = new Promise((resolve) => server.once("close", resolve));
    try {
      const { value: ROOMS } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
      const env = { ...process.env, ROOMS, MOVED: String(moved) };
      const { status, stdout } = spawnSync(process.execPath, ["--test", join(folder, "store.test.js")], { env, encoding: "utf8" });
      if (status !== 0) failed++;
      console.log(`${status === 0 ? "ok  " : "FAIL"} the store's tests, ${moved} actions moved`);
      if (status !== 0) console.log(stdout);
    } finally {
      server.kill();
      await ended;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
