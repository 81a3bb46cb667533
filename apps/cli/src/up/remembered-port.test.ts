import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openDataFolder } from "./data-folder.ts";
import { rememberedPort, rememberPort } from "./remembered-port.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-ports-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("is none that a system gives out by itself, and the same next time unless somebody has it", async () => {
  const data = openDataFolder(folder, { temporary: false });
  const port = await rememberedPort("one", { data });
  expect(port).toBeGreaterThanOrEqual(10_000);
  expect(port).toBeLessThan(20_000);
  rememberPort(data, "one", `https://127.0.0.1:${port}`);
  expect(await rememberedPort("one", { data })).toBe(port);
  expect(await rememberedPort("two", { data })).not.toBe(port);
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect(await rememberedPort("one", { data })).not.toBe(port);
  server.close();
});

it("is any in a folder that is gone afterwards", async () => {
  const data = openDataFolder("", { temporary: true });
  expect(await rememberedPort("one", { data })).toBe(0);
  data.close();
});

it("is another in every new folder, so that what starts at once does not choose the same", async () => {
  const ports = new Set<number>();
  for (let left = 3; left > 0; left--) {
    const data = openDataFolder(mkdtempSync(join(folder, "new-")), { temporary: false });
    ports.add(await rememberedPort("one", { data }));
    data.close();
  }
  expect(ports.size).toBeGreaterThan(1);
});

it("is never the same for two servers of which neither listens yet", async () => {
  const data = openDataFolder(folder, { temporary: false });
  const ports = new Set<number>();
  for (let left = 400; left > 0; left--) ports.add(await rememberedPort(`server-${left}`, { data }));
  data.close();
  expect(ports.size).toBe(400);
});
