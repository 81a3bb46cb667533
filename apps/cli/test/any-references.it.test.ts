import { createApiServer } from "@capstan/apiserver";
import { conditionOf, NamespaceResource, SecretResource } from "@capstan/contract/wire";
import { LinodePlacementGroup } from "@capstan/infra-linode/api";
import { createSimulation } from "@capstan/sim-linode";
import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { recentClock, seededRandom } from "@capstan/testing";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import type { ReferenceRule } from "../src/cluster/reference-flags.ts";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { installCrds } from "../src/providers/install-crds.ts";
import { tenantOf } from "./boundary/tenant.ts";
import { createManagedWorld, names, nothingOutside, passingOn } from "./managed-world.ts";
import { startTestSystemOn } from "./test-system.ts";

const key = { namespace: "team-a", name: "group" };

const group = {
  apiVersion: apiVersionOf(LinodePlacementGroup),
  kind: LinodePlacementGroup.kind,
  metadata: key,
  spec: { region: "us-ord", credentialsRef: { namespace: "team-b", name: "theirs" } },
};

/** Two teams, of which the second has a token. */
const twoTeams = async (client: Client, apiToken: string): Promise<void> => {
  for (const name of ["team-a", "team-b"]) {
    await client.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  const metadata = { namespace: "team-b", name: "theirs" };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, stringData: { apiToken } };
  await client.create(SecretResource, secret);
};

const readyIs = (client: Client, wanted: string) => async (): Promise<boolean> => {
  const found = await client.find<KubeObject>(LinodePlacementGroup, key);
  const ready = found && conditionOf(found, "Ready");
  return ready?.status === wanted || ready?.reason === wanted;
};

it.each<[ReferenceRule | undefined, string]>([
  [undefined, "kube.forbidden"],
  ["any", "taken"],
])(
  "capstan up with --cross-namespace-references %s answers a tenant's reference with %s",
  async (references, wanted) => {
    await using system = await startTestSystemOn({ linode: createSimulation }, "", {
      ...(references !== undefined && { references }),
    });
    const { client, kubeconfig } = system.running;
    await twoTeams(client, system.simulator.token);
    await using tenant = await tenantOf(client, kubeconfig, await createProviders(providerNames, nothingOutside));
    const answer = await tenant.client.create(LinodePlacementGroup, group).then(
      () => "taken",
      (error: unknown) => (isCapstanError(error) ? error.code : String(error)),
    );
    expect(answer).toBe(wanted);
    if (wanted === "taken") await system.until(readyIs(client, "True"));
  },
);

it.each<[ReferenceRule | undefined, string]>([
  [undefined, "ReferenceNotAdmitted"],
  ["any", "True"],
])("a manager without webhooks, with --cross-namespace-references %s, says %s", async (references, wanted) => {
  const clock = recentClock();
  const random = seededRandom(3);
  const pass = passingOn(clock);
  const server = createApiServer({ clock, random });
  await pass(server.start());
  await using world = await createManagedWorld({ clock, random, pass, server });
  const signal = new AbortController().signal;
  const providers = await createProviders(names, nothingOutside);
  await pass(installCrds(providers, { client: world.admin, clock, signal }));
  await pass(twoTeams(world.admin, world.simulator.token));
  await pass(world.admin.create(LinodePlacementGroup, group));
  await world.start(
    { providers: ["infra-linode"], leaderElect: false, ...(references !== undefined && { references }) },
    { access: world.adminAccess, variables: (name) => (name === "LINODE_URL" ? world.simulator.url : undefined) },
  );
  await clock.advanceUntil(readyIs(world.admin, wanted), { stepMs: 100, maxMs: 600_000 });
  expect(world.failures).toEqual([]);
});
