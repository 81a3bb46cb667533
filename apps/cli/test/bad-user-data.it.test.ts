import { createGuestHost, type GuestHost } from "@capstan/guest";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { files } from "./system/bad-user-data-cases.ts";
import { given, type Left, metadata, recorded, serveIncludes, shown } from "./system/bad-user-data-world.ts";

/** The real cloud-init is held to the same record by `npm run test:system`. */
describe("bad user data on a simulated machine", () => {
  const clock = fakeClock();
  let host: GuestHost;
  let includes: Awaited<ReturnType<typeof serveIncludes>>;

  beforeAll(async () => {
    host = createGuestHost({ clock, random: seededRandom(7), lenient: false });
    includes = await serveIncludes();
  });
  afterAll(async () => {
    includes.close();
    await host.stop();
  });

  /** What a machine leaves behind that boots the case with the number. */
  const boot = async (index: number): Promise<Left> => {
    const id = String(index);
    const userData = Buffer.from(includes.userDataOf(index)).toString("base64");
    let over = false;
    const booted = host
      .boot({ id, metadata, userData, address: "127.0.0.1", providerID: `example://${id}`, image: "linode/debian12" })
      .finally(() => {
        over = true;
      });
    await clock.advanceUntil(() => over, { stepMs: 1000 });
    await booted;
    const found = files.map((path) => [path, host.disk(id)?.stat(path)] as const);
    return Object.fromEntries(found.flatMap(([path, file]) => (file === undefined ? [] : [[path, shown(file.bytes)]])));
  };

  it.each(given.map(([name], index) => [name, index] as const))(
    "does what it does with the real cloud-init: %s",
    async (name, index) => {
      expect(await boot(index), host.console(String(index))).toEqual(recorded[name]);
    },
  );
});
