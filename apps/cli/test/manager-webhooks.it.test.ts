import { createApiServer } from "@capstan/apiserver";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { createManagedWorld } from "./managed-world.ts";
import { expectWebhooks, startWithWebhooks } from "./webhook-cases.ts";

it("converts, fills in defaults and checks for an API server that knows nothing of the kinds", async () => {
  // TLS verifies certificates by real time, so the clock is the real one.
  const server = createApiServer({ clock: systemClock, random: cryptoRandom });
  await server.start();
  await using world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server,
  });
  await startWithWebhooks(world);
  await expectWebhooks(world);
});

it("takes one https address without a path, or a Service", async () => {
  const errors: string[] = [];
  const program = createProgram({ manager: async () => 0, writeError: (text) => void errors.push(text) });
  expect(await program.run(["manager", "--webhook-url", "http://a:1"])).not.toBe(0);
  expect(await program.run(["manager", "--webhook-url", "https://a:1/x"])).not.toBe(0);
  expect(errors.join("")).toContain("must be an address such as https://");
  expect(await program.run(["manager", "--webhook-url", "https://a:1", "--webhook-service", "b"])).not.toBe(0);
  expect(await program.run(["install", "--image", "a", "--webhook-url", "https://a:1"])).not.toBe(0);
});
