import { silentLogger } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { systemClock } from "@capstan/runtime";
import { freePort } from "@capstan/testing";
import { expect, it } from "vitest";
import { silentView } from "../src/embedded-up.ts";
import { createProgram } from "../src/program.ts";
import { rotateAuthority } from "../src/rotate/rotate-authority.ts";
import { createRollingWorld, installAll, refusal, startRunning, systemNamespace } from "./changed-providers.ts";
import { two, until } from "./changed-providers-cases.ts";
import { expectRotation } from "./rotation-cases.ts";

it("takes every write while the authority of the webhooks is replaced", async () => {
  await expectRotation();
});

it("says which installation has no authority", async () => {
  await using rolling = await createRollingWorld();
  const signal = new AbortController().signal;
  const options = { installation: "other", systemNamespace, clock: systemClock, view: silentView, signal };
  await expect(rotateAuthority(rolling.world.admin, options)).rejects.toMatchObject({
    code: "installation.no_authority",
    message: expect.stringContaining("Secret capstan-system/other-webhook"),
  });
});

it("says that nobody trusts the authority it had to make, until it is installed again", async () => {
  const lines: string[] = [];
  const log = { ...silentLogger, error: (line: string) => void lines.push(line), child: () => log };
  await using rolling = await createRollingWorld(undefined, { clock: systemClock, pass: (work) => work, log });
  await installAll(rolling, two);
  await rolling.world.admin.delete(SecretResource, { namespace: systemNamespace, name: "capstan-webhook" });
  const diagnostics = await freePort();
  const manager = await startRunning(rolling, two, diagnostics);
  rolling.route(manager.port);
  await until(() => manager.leads);
  // Also where no one asks for its health.
  await expect.poll(() => lines).toContain("webhooks are not trusted");
  const readiness = async (): Promise<string> => (await fetch(`http://127.0.0.1:${diagnostics}/readyz`)).text();
  expect(await readiness()).toContain("the caBundle of MutatingWebhookConfiguration capstan");
  expect(await refusal(rolling)).toContain("certificate");
  await installAll(rolling, two);
  await expect.poll(readiness).toBe("ok");
  expect(await refusal(rolling)).toBeUndefined();
});

it("is asked for by installation", async () => {
  const asked: unknown[] = [];
  const program = createProgram({ rotate: async (options) => asked.push(options) && 0 });
  expect(await program.run(["rotate-webhook-authority", "--installation", "team-a"])).toBe(0);
  expect(asked).toMatchObject([{ installation: "team-a", systemNamespace: "capstan-system", output: "text" }]);
});
