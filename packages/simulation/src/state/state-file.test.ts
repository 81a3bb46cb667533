import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SimulatedState, StateDefinition } from "./simulated-state.ts";
import { StateFile } from "./state-file.ts";

interface Orchard extends SimulatedState {
  readonly version: 2;
  trees: string[];
}

const definition: StateDefinition<Orchard> = { version: 2, firstId: 100, empty: () => ({ trees: [] }) };

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "state-file-"));
  path = join(folder, "new", "orchard.json");
});
afterEach(() => rm(folder, { recursive: true }));

const open = (at: string | undefined = path): Promise<StateFile<Orchard>> =>
  StateFile.open({ simulator: "orchard", definition, path: at });

describe("a state file", () => {
  it("begins empty and keeps what is saved", async () => {
    const first = await open();
    expect(first.state).toEqual({ version: 2, block: 0, nextHost: 1, nextId: 100, timers: [], trees: [] });
    first.state.trees.push("apple");
    await first.save();
    expect((await open()).state.trees).toEqual(["apple"]);
    expect(await readdir(join(folder, "new"))).toEqual(["orchard.json"]);
  });

  it("has the newest state once any save at the same time is done", async () => {
    const file = await open();
    const saves = Array.from({ length: 20 }, (_, index) => {
      file.state.trees.push(`tree-${index}`);
      return file.save();
    });
    await Promise.race(saves);
    const { trees } = JSON.parse(await readFile(path, "utf8")) as Orchard;
    expect(trees.length).toBeGreaterThan(0);
    await Promise.all(saves);
    expect((await open()).state.trees).toHaveLength(20);
  });

  it("stays in memory without a path", async () => {
    const file = await StateFile.open({ simulator: "orchard", definition, path: undefined });
    await file.save();
    expect(await readdir(folder)).toEqual([]);
  });

  it("takes files from before there were timers", async () => {
    path = join(folder, "old.json");
    await writeFile(path, JSON.stringify({ version: 2, block: 20, nextHost: 3, nextId: 105, trees: ["apple"] }));
    expect((await open()).state).toMatchObject({ timers: [], trees: ["apple"], nextId: 105 });
  });

  it.each([
    ["{", "it is not JSON"],
    ["[]", "it is not a JSON object"],
    ['{"version":1}', "version 1 is not 2"],
    ["{}", "version undefined is not 2"],
    ['{"version":2,"block":1,"nextHost":1,"nextId":1}', "it lacks trees"],
  ])("that holds %s is refused and named", async (text, why) => {
    path = join(folder, "damaged.json");
    await writeFile(path, text);
    await expect(open()).rejects.toMatchObject({
      code: "orchard.simulator_state",
      message: expect.stringContaining(`${path} cannot be used: ${why}`) as string,
    });
    expect(await readFile(path, "utf8")).toBe(text);
  });
});
