import { readFileSync } from "node:fs";
import {
  ClusterResource,
  conditionOf,
  CustomResourceDefinitionResource,
  MachineDeploymentResource,
} from "@capstan/contract/wire";
import { KubeadmConfigTemplate } from "@capstan/bootstrap-kubeadm/api";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import { MachineDeployment, MachineSet } from "@capstan/core/api";
import { LinodeMachineTemplate } from "@capstan/infra-linode/api";
import { createDiscovery } from "@capstan/kube";
import type { CustomResourceDefinition, KubeObject, Resource } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { condensed } from "../src/describe/condense.ts";
import { readTree } from "../src/describe/read-tree.ts";
import { renderTree } from "../src/describe/render.ts";
import { controlPlaneStatus } from "../src/rollout/control-plane-status.ts";
import { rolloutStatus } from "../src/rollout/rollout-status.ts";
import { ValidatingConfiguration } from "../src/webhooks/webhook-clients.ts";
import { example, startTestSystem, type TestSystem } from "./test-system.ts";

interface Case {
  /** Of the MachineDeployment, and the beginning of the names of its Machines. */
  readonly name: string;
  /** Default: orchid. */
  readonly cluster?: string;
  readonly bootstrap?: string;
  readonly infrastructure?: string;
  readonly version?: string;
  /** Templates of this case alone. */
  readonly templates?: string;
  /** What everybody who is asked has to say. */
  readonly says: string;
}

const linode = (name: string, spec: string): string =>
  `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha2\nkind: LinodeMachineTemplate\nmetadata: {name: ${name}}\nspec: {template: {spec: ${spec}}}\n`;

const kubeadm = (name: string, spec: string): string =>
  `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2\nkind: KubeadmConfigTemplate\nmetadata: {name: ${name}}\nspec: {template: {spec: ${spec}}}\n`;

const deployment = ({
  name,
  cluster = "orchid",
  bootstrap = "plain",
  infrastructure = "plain",
  version = "v1.34.0",
}: Case): string =>
  JSON.stringify({
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "MachineDeployment",
    metadata: { name },
    spec: {
      clusterName: cluster,
      replicas: 1,
      template: {
        spec: {
          clusterName: cluster,
          version,
          bootstrap: {
            configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfigTemplate", name: bootstrap },
          },
          infrastructureRef: {
            apiGroup: "infrastructure.cluster.x-k8s.io",
            kind: "LinodeMachineTemplate",
            name: infrastructure,
          },
        },
      },
    },
  });

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

const fieldsOf = (kind: Resource): readonly string[] => {
  const { schema } = kind as unknown as { readonly schema: Schema };
  const spec = schema.properties?.["spec"]?.properties?.["template"]?.properties?.["spec"];
  return Object.keys(spec?.properties ?? {});
};

/** A case for each field of a template, or for a sample of them: what is made of it is refused because of this field. */
const refused = (prefix: string, kind: Resource, every: number): readonly Case[] =>
  fieldsOf(kind)
    .filter((_, index) => index % every === 0)
    .map((field) => ({ name: `${prefix}-${field.toLowerCase()}`, says: `${field} is not to be had here` }));

const otherCases: readonly Case[] = [
  {
    name: "region",
    infrastructure: "region",
    templates: linode("region", "{region: nowhere, type: g6-standard-1}"),
    says: "nowhere",
  },
  {
    name: "plan",
    infrastructure: "plan",
    templates: linode("plan", "{region: us-ord, type: g6-none}"),
    says: "g6-none",
  },
  {
    name: "image",
    infrastructure: "image",
    templates: linode("image", "{region: us-ord, type: g6-standard-1, image: linode/none}"),
    says: "correct spec.image",
  },
  {
    name: "firewall",
    infrastructure: "firewall",
    templates: linode("firewall", "{region: us-ord, type: g6-standard-1, firewallRef: {name: nowhere}}"),
    says: "LinodeFirewall",
  },
  {
    name: "content",
    bootstrap: "content",
    templates: kubeadm(
      "content",
      "{files: [{path: /opt/text, contentFrom: {secret: {name: not-there, key: text}}}], joinConfiguration: {nodeRegistration: {name: a}}}",
    ),
    says: "not-there",
  },
  { name: "no-template", infrastructure: "not-there", says: "LinodeMachineTemplate default/not-there does not exist" },
  { name: "skew", cluster: "lily", version: "v1.35.0", says: "do not conform to the kubernetes version skew policy" },
  { name: "no-cluster", cluster: "nowhere", says: "names Cluster default/nowhere, which does not exist" },
  { name: "silent-machine", says: 'failed calling webhook "machines.silent.example"' },
  { name: "silent-config", says: 'failed calling webhook "kubeadmconfigs.silent.example"' },
  { name: "silent-server", says: 'failed calling webhook "linodemachines.silent.example"' },
];

const definitionOf = (plural: string, group: string) => ({ name: `${plural}.${group}` });

/** Lets the API server refuse objects by their names, with a message about a field. */
const refuse = async (
  { running }: TestSystem,
  plural: string,
  group: string,
  which: readonly Case[],
): Promise<void> => {
  const key = definitionOf(plural, group);
  const found = await running.client.get<KubeObject>(CustomResourceDefinitionResource, key);
  const definition = found as unknown as CustomResourceDefinition;
  const rules = which.map(({ name, says }) => ({ rule: `!self.metadata.name.startsWith('${name}-')`, message: says }));
  const versions = definition.spec.versions.map((version) => {
    const openAPIV3Schema = { ...version.schema.openAPIV3Schema, "x-kubernetes-validations": rules };
    return { ...version, schema: { openAPIV3Schema } };
  });
  await running.client.update(CustomResourceDefinitionResource, {
    ...definition,
    spec: { ...definition.spec, versions },
  } as never);
};

const silent = (resource: string, group: string, version: string, name: string) => ({
  name: `${resource}.silent.example`,
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  failurePolicy: "Fail",
  timeoutSeconds: 1,
  clientConfig: { url: "https://127.0.0.1:1/validate" },
  rules: [{ apiGroups: [group], apiVersions: [version], resources: [resource], operations: ["CREATE"], scope: "*" }],
  matchConditions: [{ name: "some", expression: `object.metadata.name.startsWith('${name}-')` }],
});

/** A Cluster whose control plane cannot make its Machine, and workers that wait for another version of it. */
const lily = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: lily}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: LinodeCluster, name: lily}
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: silent-server}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha2
kind: LinodeCluster
metadata: {name: lily}
spec: {region: us-ord, credentialsRef: {name: orchid-credentials}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: silent-server}
spec:
  replicas: 1
  version: v1.34.0
  machineTemplate:
    spec:
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: LinodeMachineTemplate, name: plain}
  kubeadmConfigSpec: {verbosity: 1}
`;

/** For every `every`th field of each template, and for whatever else keeps a replica from being there. */
export const replicaCauses = (every: number): void => {
  const refusedMachines = refused("linode", LinodeMachineTemplate, every);
  const refusedConfigs = refused("kubeadm", KubeadmConfigTemplate, every);
  const cases = [...refusedMachines, ...refusedConfigs, ...otherCases];
  let system: TestSystem;

  beforeAll(async () => {
    system = await startTestSystem(readFileSync(example, "utf8"));
    await system.untilRunning();
    await refuse(system, "linodemachines", "infrastructure.cluster.x-k8s.io", refusedMachines);
    await refuse(system, "kubeadmconfigs", "bootstrap.cluster.x-k8s.io", refusedConfigs);
    await system.running.client.create(ValidatingConfiguration, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "silent" },
      webhooks: [
        silent("machines", "cluster.x-k8s.io", "v1beta2", "silent-machine"),
        silent("kubeadmconfigs", "bootstrap.cluster.x-k8s.io", "v1beta2", "silent-config"),
        silent("linodemachines", "infrastructure.cluster.x-k8s.io", "v1alpha2", "silent-server"),
      ],
    } as never);
    const plain = [
      linode("plain", "{region: us-ord, type: g6-standard-1}"),
      kubeadm("plain", "{joinConfiguration: {nodeRegistration: {name: a}}}"),
    ];
    const manifests = [
      ...plain,
      lily,
      ...cases.flatMap((each) => [...(each.templates ? [each.templates] : []), deployment(each)]),
    ];
    await system.apply(manifests.join("\n---\n"));
    await system.pass(90_000);
  });
  afterAll(() => system[Symbol.asyncDispose]());

  const described = async (resource: Resource, name: string): Promise<string> => {
    const { client } = system.running;
    const source = { list: async (kind: Parameters<typeof client.list>[0]) => (await client.list(kind)).items };
    const what = { resource, namespace: "default", name };
    const tree = await readTree(source, createDiscovery(client), what);
    const options = { now: system.clock.now(), colour: false, showConditions: [] };
    return renderTree(condensed(tree, { grouping: true, echo: false }), options);
  };

  it.each(cases)("is said by everybody who is asked: $name, $says", async ({ name, says }) => {
    const { client, progress } = system.running;
    const found = await client.get(MachineDeployment, { namespace: "default", name });
    const sets = (await client.list(MachineSet, { namespace: "default" })).items;
    const conditions = ["ScalingUp", "MachinesReady", "Available"].map(
      (type) => conditionOf(found, type)?.message ?? "",
    );
    const reasons = progress.verdict().reasons.filter((reason) => reason.startsWith(`MachineDeployment ${name}:`));
    expect({
      describe: await described(MachineDeploymentResource, name),
      rollout: rolloutStatus(found, sets, system.clock.now()).text,
      up: reasons.join("\n"),
      conditions: conditions.join("\n"),
    }).toEqual({
      describe: expect.stringContaining(says) as string,
      rollout: expect.stringContaining(says) as string,
      up: expect.stringContaining(says) as string,
      conditions: expect.stringContaining(says) as string,
    });
  });

  it("is said of a control plane too", async () => {
    const { client, progress } = system.running;
    const says = 'failed calling webhook "linodemachines.silent.example"';
    const found = await client.get(KubeadmControlPlane, { namespace: "default", name: "silent-server" });
    const reasons = progress.verdict().reasons.filter((reason) => reason.startsWith("KubeadmControlPlane"));
    for (const text of [
      await described(ClusterResource, "lily"),
      controlPlaneStatus(found).text,
      reasons.join("\n"),
      conditionOf(found, "ScalingUp")?.message,
    ]) {
      expect(text).toContain(says);
    }
  });
};
