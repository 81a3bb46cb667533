import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ready } from "./network-scene.ts";
import { poolScene } from "./pool-scene.ts";
import { isReady, openScene, propertiesOf, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

/** As upstream's templates have it: both families in every subnet. */
const dual = {
  networkSpec: {
    vnet: { name: "dual-vnet", cidrBlocks: ["10.0.0.0/8", "2001:1234:5678:9a00::/56"] },
    subnets: [
      { name: "masters", role: "control-plane", cidrBlocks: ["10.0.0.0/16", "2001:1234:5678:9abc::/64"] },
      { name: "nodes", role: "node", cidrBlocks: ["10.1.0.0/16", "2001:1234:5678:9abd::/64"] },
    ],
  },
};

const four = expect.stringMatching(/^10\./) as string;
const six = expect.stringMatching(/^2001:1234:5678:9ab[cd]:/) as string;
const both = [{ type: "InternalDNS" }, { type: "InternalIP", address: four }, { type: "InternalIP", address: six }];

it("a cluster of both families has machines and pools with addresses of both", async () => {
  await using scene = await openScene(environment);
  await ready(scene, dual);
  await scene.machine({ enableIPForwarding: true }, { name: "master", controlPlane: true });
  await scene.machine({ enableIPForwarding: true }, { name: "worker" });
  for (const name of ["master", "worker"]) {
    expect((await scene.machineIs(isReady, name)).status?.addresses).toMatchObject(both);
    expect(scene.resource("networkInterfaces", `${name}-nic`).properties).toMatchObject({ enableIPForwarding: true });
  }
  const outbound = propertiesOf(scene.resource("loadBalancers", scene.core.clusterName));
  expect(outbound["outboundRules"], "nodes have no NAT gateway, which has no addresses of version 6").toHaveLength(1);
  const card = propertiesOf(scene.resource("networkInterfaces", "worker-nic"))["ipConfigurations"]?.[0];
  expect(card).toMatchObject({ properties: { loadBalancerBackendAddressPools: [{}] } });
  const pool = poolScene(environment, scene);
  await pool.create();
  const [machine] = await pool.machinesAre(1, ({ status }) => status?.addresses?.length === 3);
  expect(machine?.status?.addresses).toMatchObject(both);
  expect(scene.cloud.simulator.requests.violations).toEqual([]);
});

it("an internal API server may have an address of version 6, behind which the machines are with theirs", async () => {
  await using scene = await openScene(environment);
  const frontendIPs = [{ name: "f", privateIP: "2001:1234:5678:9abc::100" }];
  const apiServerLB = { type: "Internal", frontendIPs };
  const cluster = await ready(scene, { networkSpec: { ...dual.networkSpec, apiServerLB, privateDNSZone: "None" } });
  expect(cluster.spec?.controlPlaneEndpoint?.host).toBe("2001:1234:5678:9abc::100");
  await scene.machine({}, { name: "master", controlPlane: true });
  await scene.machineIs(isReady, "master");
  const cards = propertiesOf(scene.resource("networkInterfaces", "master-nic"))["ipConfigurations"] ?? [];
  const pools = cards.map(({ name, properties }) => [
    name,
    (properties as { readonly loadBalancerBackendAddressPools?: readonly object[] }).loadBalancerBackendAddressPools,
  ]);
  expect(pools).toEqual([
    ["pipConfig", undefined],
    ["ipConfigv6", [{ id: expect.stringMatching(/internal-lb-backendPool$/) as string }]],
  ]);
});
