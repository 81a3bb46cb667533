import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NodeResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { startAzureSystem } from "./azure-system.ts";

const Service = resource({ group: "", version: "v1", kind: "Service", plural: "services" });
const example = readFileSync(join(import.meta.dirname, "../../../examples/azure/control-plane.yaml"), "utf8");

/** What a cluster of IPv6 alone has otherwise, as upstream's template for it: Azure's networks have both families. */
const changes: readonly (readonly [string, string])[] = [
  [
    "cidrBlocks: [10.244.0.0/16]\n",
    'cidrBlocks: ["2001:1234:5678:9a40::/58"]\n    services:\n      cidrBlocks: ["fd00::/108"]\n',
  ],
  [
    "      name: ${AZURE_VNET_NAME:=heather-vnet}\n",
    '      name: heather-vnet\n      cidrBlocks: [10.0.0.0/8, "2001:1234:5678:9a00::/56"]\n',
  ],
  [
    "        role: control-plane\n",
    '        role: control-plane\n        cidrBlocks: [10.0.0.0/16, "2001:1234:5678:9abc::/64"]\n',
  ],
  ["        role: node\n", '        role: node\n        cidrBlocks: [10.1.0.0/16, "2001:1234:5678:9abd::/64"]\n'],
  ["    initConfiguration:\n", '    initConfiguration:\n      localAPIEndpoint: { advertiseAddress: "::" }\n'],
  ["replicas: ${WORKER_MACHINE_COUNT:=2}", "replicas: 1"],
];

it("a cluster whose Pods and Services have addresses of IPv6 alone comes up", async () => {
  let manifest = example;
  for (const [before, after] of changes) {
    expect(manifest).toContain(before);
    manifest = manifest.replace(before, after);
  }
  await using system = await startAzureSystem(manifest);
  await system.untilRunning();
  expect(system.simulator.requests.violations).toEqual([]);
  const [{ path } = expect.fail("there is no kubeconfig")] = await system.running.workloadKubeconfigs();
  const workload = connect({ access: await loadKubeconfig({ file: path }), clock: system.clock });
  try {
    const client = createClient(workload);
    expect((await client.list(NodeResource)).items).toHaveLength(2);
    const key = { namespace: "default", name: "kubernetes" };
    expect(await client.get(Service, key)).toMatchObject({
      spec: { clusterIP: "fd00::1", ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" },
    });
  } finally {
    await workload.close();
  }
});
