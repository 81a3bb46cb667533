import { createApiServer } from "@capstan/apiserver";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { it } from "vitest";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { createManagedWorld, nothingOutside } from "./managed-world.ts";
import { expectSubresources, scaledProviders } from "./scale-cases.ts";
import { startInMemory } from "./system-in-memory.ts";
import { startWithWebhooks } from "./webhook-cases.ts";

// TLS verifies certificates by real time, so the clock is the real one.
const real = { clock: systemClock, random: cryptoRandom } as const;

it("holds scales and statuses to the rules of the object in the embedded server's own process", async () => {
  const { client, stop } = await startInMemory();
  await expectSubresources(client, await createProviders(providerNames, nothingOutside));
  await stop();
});

it("holds scales and statuses to the rules of the object by the webhooks of a manager", async () => {
  const server = createApiServer(real);
  await server.start();
  await using world = await createManagedWorld({ ...real, pass: (work) => work, server });
  await startWithWebhooks(world, scaledProviders);
  await expectSubresources(world.admin, await createProviders(scaledProviders, nothingOutside));
});
