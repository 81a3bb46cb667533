import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AzureCluster } from "@capstan/infra-azure/api";
import { expect, it } from "vitest";
import { startAzureSystem } from "./azure-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/azure/quickstart.yaml"), "utf8");

const image = { marketplace: { publisher: "nobody", offer: "nothing", sku: "gen2", version: "1.0.0" } };
const size = "      vmSize: ${AZURE_CONTROL_PLANE_MACHINE_TYPE:=Standard_D2s_v3}";

it.each([
  {
    what: "a wrong client secret",
    from: "clientSecret: ${AZURE_CLIENT_SECRET}",
    to: "clientSecret: wrong",
    words: "Invalid client secret provided for app",
    mend: "check the AzureClusterIdentity and its Secret",
  },
  {
    what: "no Secret",
    from: "name: lupin-identity\n  allowedNamespaces",
    to: "name: nobody\n  allowedNamespaces",
    words: "Secret default/nobody with the credentials does not exist",
    mend: "create it",
  },
  {
    what: "an image that does not exist",
    from: size,
    to: `      vmSize: Standard_D2s_v3\n      image: ${JSON.stringify(image)}`,
    words: "The platform image 'nobody:nothing:gen2:1.0.0' is not available",
    mend: "correct spec.image",
  },
])(
  "the example on Azure with $what says so, makes no machine, and writes it once",
  async ({ from, mend, to, words }) => {
    expect(example).toContain(from);
    const changed = example.replace(from, to);
    await using system = await startAzureSystem(changed);
    const { client } = system.running;
    await system.untilReason(words);
    await system.untilReason(mend);
    await system.quiet();
    const cluster = () => client.get(AzureCluster, { namespace: "default", name: "lupin" });
    const { resourceVersion } = (await cluster()).metadata;
    await system.pass(600_000);
    expect((await cluster()).metadata.resourceVersion).toBe(resourceVersion);
    const { resources } = system.simulator.state;
    expect(resources.filter(({ type }) => type.endsWith("/virtualMachines"))).toEqual([]);
  },
);
