import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { createGuestHost } from "./guest-host.ts";

it("lets one host at a time have a directory", async () => {
  const directory = mkdtempSync(join(tmpdir(), "capstan-guests-"));
  const newHost = () => createGuestHost({ clock: fakeClock(), random: seededRandom(1), directory });
  const host = newHost();
  expect(newHost).toThrow(expect.objectContaining({ code: "guest.directory_in_use" }));
  await host.stop();
  await newHost().stop();
  rmSync(directory, { recursive: true });
});
