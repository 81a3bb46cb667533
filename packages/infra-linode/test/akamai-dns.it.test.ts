import { MachineResource } from "@capstan/contract/wire";
import { seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { LinodeCluster, LinodeMachine } from "../src/api.ts";
import { edgeDnsZones } from "../src/dns/edge-dns-zone.ts";
import {
  createCluster,
  createMachine,
  createSecret,
  getCluster,
  getMachine,
  namespace,
  patchSpec,
  readyOf,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

const network = {
  loadBalancerType: "dns",
  dnsProvider: "akamai",
  enableVPCBackends: false,
  dnsRootDomain: "example.com",
} as const;
const credentialsRef = { name: "account" };

const startZones = async (more: Readonly<Record<string, string>> = {}): Promise<World> => {
  const world = await startWorld();
  const { edgeDns, state, token } = world.simulator;
  const { client, url } = edgeDns;
  state.edgeZones.push({ zone: "example.com", recordsets: [] });
  await createSecret(world, "account", {
    apiToken: token,
    AKAMAI_HOST: url,
    AKAMAI_ACCESS_TOKEN: client.accessToken,
    AKAMAI_CLIENT_TOKEN: client.clientToken,
    AKAMAI_CLIENT_SECRET: client.clientSecret,
    ...more,
  });
  return world;
};

const recordsOf = ({ simulator }: World): readonly string[] =>
  simulator.state.edgeZones.flatMap(({ recordsets }) =>
    recordsets.flatMap(({ name, rdata, ttl, type }) => rdata.map((data) => `${name} ${type} ${data} ${ttl}`)),
  );

const comeUp = async (world: World, name: string): Promise<void> => {
  await createMachine(world, name, { cluster: "prod", controlPlane: true });
  await world.until(async () => (await getMachine(world, name))?.status?.ready === true);
};

it("keeps the records of an endpoint at Akamai, and leaves none of them", async () => {
  await using world = await startZones();
  const { api, simulator } = world;
  const edge = simulator.edgeDns;
  await createCluster(world, "prod", { credentialsRef, network });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  const { controlPlaneEndpoint } = (await getCluster(world, "prod"))?.spec ?? {};
  expect(controlPlaneEndpoint).toEqual({ host: "prod.example.com", port: 6443 });
  await reportInfrastructure(world, "prod");
  await comeUp(world, "cp-0");
  await world.until(() => recordsOf(world).length === 4);
  const [first] = world.simulator.state.instances;
  expect(recordsOf(world)).toEqual(
    expect.arrayContaining(['prod.example.com TXT "prod" 30', `prod.example.com A ${first?.publicIp} 30`]),
  );

  await comeUp(world, "cp-1");
  const ready = { status: { conditions: [{ type: "Ready", status: "True", reason: "Ready" }] } };
  const key = { namespace, name: "cp-1" };
  await api.patch(MachineResource, key, { type: "merge", body: ready }, { subresource: "status" });
  await world.until(() => recordsOf(world).length === 6);
  const { writes } = edge.requests;
  await world.pass(60_000);
  expect(edge.requests.writes, "addresses that the zone writes at length are the same").toBe(writes);

  await patchSpec(world, LinodeCluster, "prod", { network: { dnsTTLsec: 45 } });
  await world.until(() => recordsOf(world).every((record) => record.endsWith(" 45")));
  expect([recordsOf(world).length, edge.requests.writes], "one write for all records of a type").toEqual([
    6,
    writes + 3,
  ]);

  await api.delete(LinodeMachine, { namespace, name: "cp-0" });
  await world.until(() => recordsOf(world).length === 4);
  expect(recordsOf(world).join()).not.toContain(first?.publicIp ?? "");
  await api.delete(LinodeMachine, key);
  await api.delete(LinodeCluster, { namespace, name: "prod" });
  await world.until(async () => (await getCluster(world, "prod")) === undefined);
  expect(recordsOf(world)).toEqual([]);
  expect(edge.requests.violations).toEqual([]);
});

it("looks again where an answer was lost, and writes nothing twice", async () => {
  await using world = await startZones();
  world.simulator.edgeDns.faults.add({ method: "POST", nth: 1, action: { kind: "lost-answer" } });
  await createCluster(world, "prod", { credentialsRef, network });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await world.until(() => recordsOf(world).length > 1);
  await world.pass(30_000);
  expect(recordsOf(world)).toEqual([
    expect.stringMatching(/^prod\.example\.com TXT "capstan-owner=default\/prod\/[0-9a-f]{20}" 30$/),
    'prod.example.com TXT "prod" 30',
  ]);
});

it.each([
  ["a wrong secret", { AKAMAI_CLIENT_SECRET: "wrong" }, "example.com", "The signature does not match"],
  ["a zone that is not there", {}, "example.org", "network.dnsRootDomain: there is no domain example.org"],
])("says what is wrong: %s", async (_name, secret, dnsRootDomain, words) => {
  await using world = await startZones(secret);
  await createCluster(world, "prod", { credentialsRef, network: { ...network, dnsRootDomain } });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.message?.includes(words) === true);
});

it("is asked by the provider's own client where no Secret names one", async () => {
  await using world = await startZones();
  const { client, url } = world.simulator.edgeDns;
  const { clock } = world;
  const random = seededRandom(5);
  const at = { name: "prod", zone: "example.com" };
  const call = { signal: AbortSignal.timeout(60_000) };
  const own = edgeDnsZones(undefined, { client: { host: url, ...client }, clock, random });
  expect(await own(at, call)).toMatchObject({ records: [] });
  expect(await own({ ...at, zone: "example.org" }, call)).toBeUndefined();
  await expect(edgeDnsZones(undefined, { clock, random })(at, call)).rejects.toThrow("AKAMAI_CLIENT_SECRET");
});
