import { request } from "node:https";
import { Group, Label } from "@capstan/contract";
import {
  ClusterResource,
  MachineDeploymentResource,
  MachineHealthCheckResource,
  MachinePoolResource,
  MachineResource,
} from "@capstan/contract/wire";
import type { PermissionV1 } from "@capstan/contract/v1";
import {
  LinodeFirewall,
  LinodeObjectStorageBucket,
  LinodeObjectStorageKey,
  LinodePlacementGroup,
  LinodeVPC,
} from "@capstan/infra-linode/api";
import { mergePermissions } from "@capstan/kit";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { corePermissionsOn, diagnosticsPermissions, ownPermissions } from "../src/providers/permissions.ts";
import { silentView } from "../src/embedded-up.ts";
import { createProviders } from "../src/modules/providers.ts";
import {
  createManagedWorld,
  names,
  nothingOutside,
  passingOn,
  recording,
  type ManagedWorld,
  type SeenRequest,
} from "./managed-world.ts";
import { aloneExample } from "./alone.ts";

const listed = (
  permissions: readonly PermissionV1[],
  which: (permission: PermissionV1) => readonly string[],
): string[] =>
  permissions
    .flatMap((permission) => which(permission).map((verb) => `${verb} ${permission.resource}.${permission.group}`))
    .toSorted();

/** What a provider is granted, as the roles say it. */
const grantedTo = async (name: string): Promise<readonly PermissionV1[]> => {
  const providers = await createProviders(names, nothingOutside);
  const own = providers.filter((provider) => provider.name === name).flatMap(ownPermissions);
  const lease: PermissionV1 = {
    group: "coordination.k8s.io",
    resource: "leases",
    verbs: ["create", "get", "list", "update"],
  };
  const record: PermissionV1 = { group: "", resource: "configmaps", verbs: ["get"] };
  const core = name === "core" ? providers.flatMap(corePermissionsOn) : [];
  return mergePermissions([...own, ...core, ...diagnosticsPermissions, lease, record]);
};

const healthCheck = {
  apiVersion: apiVersionOf(MachineHealthCheckResource),
  kind: "MachineHealthCheck",
  metadata: { namespace: "default", name: "workers" },
  spec: {
    clusterName: "orchid",
    selector: { matchLabels: { [Label.deploymentName]: "orchid-workers" } },
    checks: { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 300 }] },
  },
};

/** A MachinePool whose infrastructure is never there. */
const waitingPool = {
  apiVersion: apiVersionOf(MachinePoolResource),
  kind: "MachinePool",
  metadata: { namespace: "default", name: "waiting" },
  spec: {
    clusterName: "orchid",
    replicas: 1,
    template: {
      spec: {
        clusterName: "orchid",
        bootstrap: { dataSecretName: "waiting" },
        infrastructureRef: { apiGroup: Group.infrastructure, kind: "LinodeMachine", name: "waiting" },
      },
    },
  },
};

const firewallRule = {
  action: "ACCEPT",
  label: "ssh",
  ports: "22",
  protocol: "TCP",
  addresses: { ipv4: ["0.0.0.0/0"] },
};
const bucketAccess = [{ bucketName: "orchid-logs", permissions: "read_write", region: "us-ord" }];

const thingKey = { namespace: "default", name: "orchid-logs" };

/** An object of each of Linode's kinds that stands by itself. */
const things = (
  [
    [LinodeVPC, { region: "us-ord", subnets: [{ label: "default", ipv4: "10.0.0.0/24" }] }],
    [LinodeFirewall, { enabled: true, inboundPolicy: "DROP", inboundRules: [firewallRule] }],
    [LinodePlacementGroup, { region: "us-ord" }],
    [LinodeObjectStorageBucket, { region: "us-ord", forceDeleteBucket: true }],
    [LinodeObjectStorageKey, { bucketAccess, generatedSecret: {} }],
  ] as const
).map(([resource, spec]): { readonly resource: Resource; readonly object: KubeObject } => ({
  resource,
  object: {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: thingKey,
    spec: { ...spec, credentialsRef: { name: "orchid-credentials" } },
  },
}));

const scrape = (url: string, token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}` }, rejectUnauthorized: false };
    request(`${url}/metrics`, options, (response) => response.resume().on("end", () => resolve(response.statusCode)))
      .on("error", reject)
      .end();
  });

const scale = (world: ManagedWorld, replicas: number) =>
  world.admin.patch(
    MachineDeploymentResource,
    { namespace: "default", name: "orchid-workers" },
    { type: "merge", body: { spec: { replicas } } },
  );

describe.each([[[]], [["default"]]])("every provider under its own account, watching %j", (namespaces) => {
  it("uses what its roles grant, and nothing else", async () => {
    const clock = recentClock();
    const pass = passingOn(clock);
    await using world = await createManagedWorld({ clock, random: seededRandom(7), pass });
    await world.install({ namespaces });
    const asked = new Map<string, SeenRequest[]>(names.map((name) => [name, []]));
    for (const name of names) {
      let url = "";
      const started = await world.start(
        { providers: [name], namespaces, diagnostics: { host: "127.0.0.1", port: 0 } },
        {
          access: await world.accessOf(`capstan-${name}`),
          wrapConnection: recording((seen) => asked.get(name)?.push(seen)),
          view: { ...silentView, say: ({ fields }) => void (url = String(fields?.["url"] ?? url)) },
        },
      );
      await pass(started.manager.ready().catch(() => started.ended));
      await clock.advanceUntil(() => url !== "");
      expect(await pass(scrape(url, "nobody's"))).toBe(401);
      expect(await pass(scrape(url, await world.tokenOf(`capstan-${name}`)))).toBe(403);
    }
    const until = (condition: () => boolean) => clock.advanceUntil(condition, { stepMs: 100, maxMs: 1_200_000 });
    await world.apply(aloneExample());
    await world.admin.create(MachineHealthCheckResource, healthCheck);
    await world.admin.create(MachinePoolResource, waitingPool);
    for (const thing of things) await world.admin.create(thing.resource, thing.object);
    await until(() => world.running() === 4);
    await scale(world, 4);
    await until(() => world.running() === 5);
    await scale(world, 2);
    await until(() => world.cache.list(MachineResource).length === 3);
    const keys = () => world.simulator.state.keys.map(({ id }) => id).join();
    const first = keys();
    await world.admin.patch(LinodeObjectStorageKey, thingKey, { type: "merge", body: { spec: { keyGeneration: 1 } } });
    await until(() => keys() !== first);
    for (const { resource } of things) await world.admin.delete(resource, thingKey);
    await until(() => world.simulator.state.vpcs.length === 0);
    await world.admin.delete(ClusterResource, { namespace: "default", name: "orchid" });
    await until(() => world.cache.list(ClusterResource).length === 0);

    for (const name of names) {
      const requests = (asked.get(name) ?? []).filter(({ resource }) => resource !== "selfsubjectaccessreviews");
      expect(requests.filter(({ status }) => status === 403)).toEqual([]);
      const used = new Set(requests.map(({ verb, resource, group }) => `${verb} ${resource}.${group}`));
      const granted = await grantedTo(name);
      const always = listed(granted, ({ verbs }) => verbs);
      const rarely = listed(granted, (permission) => Object.keys(permission.rarely ?? {}));
      expect({ provider: name, used: [...used].filter((each) => !rarely.includes(each)).toSorted() }).toEqual({
        provider: name,
        used: always,
      });
    }
  });
});
