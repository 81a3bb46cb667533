import { basename } from "node:path";
import { conditionOf } from "@capstan/contract/wire";
import * as linode from "@capstan/infra-linode/api";
import type { Resource } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { startTestSystem, type TestSystem } from "./test-system.ts";
import { generated, installAddons, upstreamTemplates } from "./upstream-templates.ts";

const templates = upstreamTemplates("linode").map((path) => ({ file: basename(path), path }));

const versionOf = (file: string): string => {
  if (file.includes("k3s")) return "v1.34.0+k3s1";
  return file.includes("rke2") ? "v1.34.0+rke2r1" : "v1.34.0";
};

/** Values that upstream's generator puts in itself. */
const certificates = { CERTPATH: "/pki", CACERTFILE: "ca.crt", CERTFILE: "client.crt", KEYFILE: "client.key" };

const kinds: readonly Resource[] = [
  linode.LinodeCluster,
  linode.LinodeFirewall,
  linode.LinodeMachineTemplate,
  linode.LinodeObjectStorageBucket,
  linode.LinodeObjectStorageKey,
  linode.LinodePlacementGroup,
  linode.LinodeVPC,
];

const notReady = async ({ running: { client } }: TestSystem): Promise<readonly string[]> => {
  const found = await Promise.all(kinds.map(async (kind) => (await client.list(kind)).items));
  return found.flat().flatMap((object) => {
    const ready = conditionOf(object, "Ready");
    return ready?.status === "True" ? [] : [`${object.kind} ${object.metadata.name}: ${ready?.message ?? "nothing"}`];
  });
};

/** What `generate` makes of a template, with the variables of the simulated account left to `capstan up`. */
const manifestOf = async ({ file, path }: (typeof templates)[number]): Promise<string> => {
  const text = await generated(path, {
    version: versionOf(file),
    variables: {
      LINODE_URL: "url-of-linode",
      LINODE_TOKEN: "token-of-linode",
      LINODE_REGION: "us-ord",
      LINODE_CONTROL_PLANE_MACHINE_TYPE: "g6-standard-2",
      LINODE_MACHINE_TYPE: "g6-standard-2",
      DNS_ROOT_DOMAIN: "capstan.test",
      FLATCAR_IMAGE_NAME: "linode/ubuntu22.04",
      SSE_KEY: "key",
      NAMESPACE: "default",
      ...certificates,
    },
  });
  return text.replaceAll("url-of-linode", "${LINODE_URL}").replaceAll("token-of-linode", "${LINODE_TOKEN}");
};

describe.skipIf(templates.length === 0)("upstream's templates for Linode", () => {
  it.each(templates)(
    "$file comes up whole once its user applies what it leaves to HelmChartProxies",
    { timeout: 240_000 },
    async ({ file, path }) => {
      const text = await manifestOf({ file, path });
      await using system = await startTestSystem(text);
      const leftOut = system.said.filter((line) => line.includes("skipped, because nothing serves these kinds here"));
      expect(leftOut).toHaveLength(text.includes("kind: HelmChartProxy") ? 1 : 0);
      await system.until(async () => (await notReady(system)).length === 0);
      // Without the controller no Node has a provider id, without the network none is ready.
      await system.untilReason("check that the cloud controller manager runs in the workload cluster");
      await installAddons(system, ["linodeController"], {
        controlPlaneRole: file.includes("kubeadm") ? "" : "true",
        apiToken: system.simulator.token,
        linodeRegion: "us-ord",
      });
      // Servers of k3s install the network plugin themselves, by a HelmChart among their files.
      if (!file.includes("k3s")) {
        await system.untilReason("cni plugin not initialized");
        await installAddons(system, ["cilium"]);
      }
      await system.untilRunning();
      expect(system.simulator.requests.violations).toEqual([]);
    },
  );
});
