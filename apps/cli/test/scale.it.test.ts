import { createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { it } from "vitest";
import { openDataFolder, silentView, simulatedLinode, startSystem } from "../src/embedded-up.ts";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { createManagedWorld, nothingOutside } from "./managed-world.ts";
import { expectSubresources, scaledProviders } from "./scale-cases.ts";
import { startWithWebhooks } from "./webhook-cases.ts";

// TLS verifies certificates by real time, so the clock is the real one.
const real = { clock: systemClock, random: cryptoRandom } as const;

it("holds scales and statuses to the rules of the object in the embedded server's own process", async () => {
  const data = openDataFolder("", { temporary: true });
  const environment = { ...real, log: silentLogger, view: silentView, data, variables: () => undefined };
  const system = await startSystem({ ...simulatedLinode([]), inMemory: true }, environment);
  await expectSubresources(system.client, await createProviders(providerNames, nothingOutside));
  await system.stop();
  data.close();
});

it("holds scales and statuses to the rules of the object by the webhooks of a manager", async () => {
  const server = createApiServer(real);
  await server.start();
  await using world = await createManagedWorld({ ...real, pass: (work) => work, server });
  await startWithWebhooks(world, scaledProviders);
  await expectSubresources(world.admin, await createProviders(scaledProviders, nothingOutside));
});
