import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "@capstan/testing";
import { afterAll, expect, it } from "vitest";
import { openDataFolder } from "./data-folder.ts";
import { rememberedPort, rememberPort } from "./remembered-port.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-ports-"));
afterAll(() => rmSync(folder, { recursive: true }));
const random = seededRandom(process.pid);

it("is none that a system gives out by itself, and the same next time unless somebody has it", async () => {
  const data = openDataFolder(folder, { temporary: false });
  const port = await rememberedPort("one", { data, random });
  expect(port).toBeGreaterThanOrEqual(10_000);
  expect(port).toBeLessThan(20_000);
  rememberPort(data, "one", `https://127.0.0.1:${port}`);
  expect(await rememberedPort("one", { data, random })).toBe(port);
  expect(await rememberedPort("two", { data, random })).not.toBe(port);
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect(await rememberedPort("one", { data, random })).not.toBe(port);
  server.close();
});

it("is any in a folder that is gone afterwards", async () => {
  const data = openDataFolder("", { temporary: true });
  expect(await rememberedPort("one", { data, random })).toBe(0);
  data.close();
});
