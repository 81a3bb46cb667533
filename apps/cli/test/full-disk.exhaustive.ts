import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, it } from "vitest";
import { expectEndOnFullDisk, up } from "./full-disk.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-full-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The system test of this name has a disk that is really full, and needs root.
it("capstan up ends with one line when nothing more can be written, and goes on from what was acknowledged", async () => {
  await expectEndOnFullDisk(
    folder,
    () => up(folder, { fileLimit: 4000 }),
    () => undefined,
  );
}, 240_000);
