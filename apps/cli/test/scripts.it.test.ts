import { createGuestHost, type GuestHost } from "@capstan/guest";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  isCompared,
  outcomes,
  scriptEnvironment,
  type ScriptOutcome,
  scriptPath,
  scripts,
  shownFile,
} from "./system/script-world.ts";

type SavedDisk = ReturnType<NonNullable<ReturnType<GuestHost["disk"]>>["toJSON"]>;
type SavedFile = SavedDisk[string];

const shown = (path: string, { content, link, owner, permissions }: SavedFile): string => {
  if (path.startsWith("-")) return "removed";
  if (link !== undefined) return `-> ${link}`;
  const mode = Number.parseInt(permissions, 8);
  if (path.endsWith("/")) return `${mode.toString(8)} ${owner}`;
  return shownFile({ mode, owner, bytes: Buffer.from(content, "base64") });
};

/** Returns the files that differ, by path. */
const changes = (before: SavedDisk, after: SavedDisk): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([path, file]) => JSON.stringify(before[path]) !== JSON.stringify(file))
      .map(([path, file]) => [path.replace(/^-/, ""), shown(path, file)] as const)
      .filter(([path]) => isCompared(path)),
  );

/** A real Debian is held to the same record by `npm run test:system`. */
describe("scripts of bootstrap documents on a simulated machine", () => {
  const clock = fakeClock();
  let host: GuestHost;

  beforeAll(() => {
    host = createGuestHost({ clock, random: seededRandom(7), lenient: false });
  });
  afterAll(() => host.stop());

  const advanced = async <T>(work: Promise<T>): Promise<T> => {
    let over = false;
    const done = work.finally(() => (over = true));
    await clock.advanceUntil(() => over, { stepMs: 100 });
    return done;
  };

  const run = async (id: string, text: string): Promise<ScriptOutcome> => {
    const image = "linode/debian12";
    const prepare = "#!/bin/sh\napt-get update && apt-get install -y jq gettext-base gnupg curl procps\n";
    const userData = Buffer.from(prepare).toString("base64");
    await advanced(
      host.boot({ id, metadata: {}, userData, address: "127.0.0.1", providerID: `example://${id}`, image }),
    );
    const disk = host.disk(id);
    if (disk === undefined) throw new Error("the machine has no disk");
    disk.write(scriptPath, text, { permissions: "0755" });
    const before = disk.toJSON();
    const ran = await advanced(
      host.run(id, `exec bash -c "cd /; ${scriptPath}"`, { directory: "/", environment: scriptEnvironment }),
    );
    if (ran === undefined) throw new Error("the machine went off");
    return { status: ran.exitCode, out: ran.stdout, err: ran.stderr, files: changes(before, disk.toJSON()) };
  };

  it.each(scripts)("does what it does on a real one: %s", async (name, text) => {
    expect(await run(name, text)).toEqual(outcomes[name]);
  });
});
