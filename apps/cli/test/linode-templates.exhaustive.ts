import { basename } from "node:path";
import { Group } from "@capstan/contract";
import { conditionOf, MachineResource, SecretResource } from "@capstan/contract/wire";
import * as linode from "@capstan/infra-linode/api";
import type { KubeObject, Resource } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { startTestSystem, type TestSystem } from "./test-system.ts";
import { generated, upstreamTemplates } from "./upstream-templates.ts";

const templates = upstreamTemplates("linode").map((path) => ({ file: basename(path), path }));

/** Kinds that nobody here serves: any object is taken. */
const unserved = (
  [
    ["v1alpha1", "HelmChartProxy", "helmchartproxies"],
    ["v1beta2", "ClusterResourceSet", "clusterresourcesets"],
  ] as const
)
  .map(
    ([version, kind, plural]) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.addons.cluster.x-k8s.io}
spec:
  group: addons.cluster.x-k8s.io
  scope: Namespaced
  names: {kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}}
  versions:
    - name: ${version}
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`,
  )
  .join("---\n");

const versionOf = (file: string): string => {
  if (file.includes("k3s")) return "v1.34.0+k3s1";
  return file.includes("rke2") ? "v1.34.0+rke2r1" : "v1.34.0";
};

/** Values that upstream's generator puts in itself. */
const certificates = { CERTPATH: "/pki", CACERTFILE: "ca.crt", CERTFILE: "client.crt", KEYFILE: "client.key" };

const kinds: readonly Resource<KubeObject>[] = [
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

/** What a controller of the control plane would say, where there is none here: workers wait for it. */
const controlPlaneByHand = async ({ running: { client } }: TestSystem, version: string): Promise<void> => {
  const status = { version, ready: true, initialized: true, initialization: { controlPlaneInitialized: true } };
  for (const kind of ["KThreesControlPlane", "RKE2ControlPlane"]) {
    const group = Group.controlPlane;
    const versioned = { group, version: kind.startsWith("K") ? "v1beta2" : "v1beta1", kind };
    const resource = { ...versioned, plural: `${kind.toLowerCase()}s`, namespaced: true };
    for (const { metadata } of (await client.list(resource)).items) {
      const key = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
      await client.patch(resource, key, { type: "merge", body: { status } }, { subresource: "status" });
    }
  }
};

/** Bootstrap data for machines whose control plane does not come up here: nobody makes it, or its name is in no zone that is served. */
const bootstrapByHand = async ({ running: { client } }: TestSystem): Promise<void> => {
  for (const { metadata } of (await client.list(MachineResource)).items) {
    const { name = "", namespace = "" } = metadata;
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: `${name}-by-hand`, namespace } };
    const data = { value: Buffer.from("#cloud-config\n").toString("base64") };
    if ((await client.find(SecretResource, secret.metadata)) !== undefined) continue;
    await client.create(SecretResource, { ...secret, type: `${Group.core}/secret`, data });
    const body = { spec: { bootstrap: { dataSecretName: secret.metadata.name } } };
    await client.patch(MachineResource, { name, namespace }, { type: "merge", body });
  }
};

describe.skipIf(templates.length === 0)("upstream's templates for Linode", () => {
  it.each(templates)(
    "$file is accepted, and its part at Linode becomes ready",
    { timeout: 240_000 },
    async ({ file, path }) => {
      await using system = await startTestSystem(unserved);
      const { token, url } = system.simulator;
      const zone = { domain: "example.com", type: "master", soa_email: "ops@example.com" };
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const made = await fetch(`${url}/v4/domains`, { method: "POST", headers, body: JSON.stringify(zone) });
      expect(made.status).toBe(200);
      const text = await generated(path, {
        version: versionOf(file),
        variables: {
          LINODE_URL: url,
          LINODE_TOKEN: token,
          LINODE_REGION: "us-ord",
          LINODE_CONTROL_PLANE_MACHINE_TYPE: "g6-standard-2",
          LINODE_MACHINE_TYPE: "g6-standard-2",
          ...(file.includes("dns") && { DNS_ROOT_DOMAIN: "example.com" }),
          ...(file.includes("full") && { ...certificates, SSE_KEY: "key", NAMESPACE: "default" }),
        },
      });
      await system.apply(text);
      const { client } = system.running;
      await system.until(async () => (await notReady(system)).length === 0);
      const workers = async () =>
        (await client.list(linode.LinodeMachine)).items.filter(({ metadata }) => !metadata.name?.includes("-cp"));
      await controlPlaneByHand(system, versionOf(file));
      await system.until(async () => (await workers()).length === 2);
      if (!file.includes("kubeadm") || file.includes("dns")) await bootstrapByHand(system);
      await system.until(async () => (await workers()).every(({ status }) => status?.ready === true));
      expect(system.simulator.requests.violations).toEqual([]);
    },
  );
});
