import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openDataFolder } from "./data-folder.ts";
import { rememberedParts } from "./remembered-parts.ts";
import { rememberedSimulators } from "./simulator-places.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-stored-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(["", "x", '[{"name":'])("damaged files are named, with what to do: %j", (text) => {
  const data = openDataFolder(folder, { temporary: false });
  try {
    const places = () => rememberedSimulators({ dataDir: folder, kubeconfig: undefined }, {});
    rmSync(join(folder, "parts.json"), { force: true });
    rmSync(join(folder, "simulators.json"), { force: true });
    expect(rememberedParts(data)).toBeUndefined();
    expect(places()).toEqual([]);
    writeFileSync(join(folder, "parts.json"), text);
    writeFileSync(join(folder, "simulators.json"), text);
    expect(() => rememberedParts(data)).toThrow(/parts\.json is not valid JSON; delete it/);
    expect(places).toThrow(/simulators\.json is not valid JSON; delete it/);
  } finally {
    data.close();
  }
});
