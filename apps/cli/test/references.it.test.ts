import { createApiServer } from "@capstan/apiserver";
import { Secret } from "@capstan/contract";
import { connect, createClient, directAccess } from "@capstan/kube";
import { parseKubeconfig } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { expect, it } from "vitest";
import { providerExtensions } from "../src/embedded-up.ts";
import { providerNames } from "../src/modules/providers.ts";
import { createProviders } from "../src/modules/providers.ts";
import { installCrds } from "../src/providers/install-crds.ts";
import { nothingOutside } from "./managed-world.ts";
import {
  expectBoundUses,
  expectClones,
  expectEveryReferenceGuarded,
  expectMarks,
  shareCluster,
} from "./reference-cases.ts";
import { expectNoWayAround, expectTypesToStay } from "./reference-routes.ts";

it("the embedded server asks for the right of whoever writes a reference into another namespace", async () => {
  const providers = await createProviders(providerNames, nothingOutside);
  const clock = systemClock;
  const server = createApiServer({ clock, random: cryptoRandom, extensions: providerExtensions(providers) });
  await server.start();
  try {
    const { clientCertificate = "", clientKey = "" } = parseKubeconfig(await server.adminKubeconfig());
    const place = { url: server.url, ca: server.caCertificate };
    const access = directAccess({ ...place, clientCertificate, clientKey: new Secret(clientKey) });
    const connection = connect({ access, clock });
    const signal = new AbortController().signal;
    await installCrds(providers, { client: createClient(connection), clock, signal, conversion: "embedded" });
    await connection.close();
    await using shared = await shareCluster(access, providers);
    await expectEveryReferenceGuarded(shared, providers);
    await expectBoundUses(shared);
    await expectClones(shared);
    await expectNoWayAround(shared);
    await expectTypesToStay(shared);
    await expectMarks(shared);
  } finally {
    await server.stop();
  }
  expect.hasAssertions();
});
