import { readFileSync } from "node:fs";
import { ClusterResource, conditionOf, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { createSimulation as simulateLinode } from "@capstan/sim-linode";
import { controlPlaneStatus } from "@capstan/inspect";
import type { CustomResourceDefinition, KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ValidatingConfiguration } from "../src/webhooks/webhook-clients.ts";
import { simulateAzure } from "./azure-system.ts";
import { answersAbout, described, expectCause } from "./replica-cause-answers.ts";
import { clusterManifests, controlPlanes, serversOf } from "./replica-cause-control-planes.ts";
import { deployment, otherCases, plainTemplates, refusedFields, type Refused } from "./replica-cause-cases.ts";
import { example, startTestSystemOn, type Simulated, type TestSystem } from "./test-system.ts";

/** Lets the API server refuse objects by their names, with a message about a field. */
const refuse = async ({ running }: TestSystem<Simulated>, { plural, group, cases }: Refused): Promise<void> => {
  const key = { name: `${plural}.${group}` };
  const found = await running.client.get<KubeObject>(CustomResourceDefinitionResource, key);
  const definition = found as unknown as CustomResourceDefinition;
  const rules = cases.map(({ name, says }) => ({ rule: `!self.metadata.name.startsWith('${name}-')`, message: says }));
  const versions = definition.spec.versions.map((version) => {
    const openAPIV3Schema = { ...version.schema.openAPIV3Schema, "x-kubernetes-validations": rules };
    return { ...version, schema: { openAPIV3Schema } };
  });
  await running.client.update(CustomResourceDefinitionResource, {
    ...definition,
    spec: { ...definition.spec, versions },
  });
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

/** What workers of orchid on other infrastructures need. */
const beside = `
apiVersion: v1
kind: Secret
metadata: {name: orchid-azure}
stringData: {clientSecret: "\${AZURE_CLIENT_SECRET}"}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureClusterIdentity
metadata: {name: orchid}
spec:
  type: ServicePrincipal
  tenantID: "\${AZURE_TENANT_ID}"
  clientID: "\${AZURE_CLIENT_ID}"
  clientSecret: {name: orchid-azure}
  allowedNamespaces: {}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureCluster
metadata: {name: orchid, labels: {cluster.x-k8s.io/cluster-name: orchid}}
spec:
  location: westeurope
  subscriptionID: "\${AZURE_SUBSCRIPTION_ID}"
  resourceGroup: orchid
  identityRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: AzureClusterIdentity, name: orchid}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: TinkerbellCluster
metadata: {name: orchid, labels: {cluster.x-k8s.io/cluster-name: orchid}}
spec: {imageLookupOSVersion: "22.04"}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ElementalCluster
metadata: {name: orchid, labels: {cluster.x-k8s.io/cluster-name: orchid}}
spec: {}
`;

/** For every `every`th field of each template, and for whatever else keeps a replica from being there. */
export const replicaCauses = (every: number): void => {
  const refused = refusedFields(every);
  const cases = [...refused.flatMap((each) => each.cases), ...otherCases];
  let system: TestSystem<Simulated>;

  beforeAll(async () => {
    const clouds = { linode: simulateLinode, azure: simulateAzure([]) };
    system = await startTestSystemOn<Simulated>(clouds, `${readFileSync(example, "utf8")}\n---\n${beside}`);
    await system.untilRunning();
    for (const each of refused) await refuse(system, each);
    await system.running.client.create(ValidatingConfiguration, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "silent" },
      webhooks: [
        silent("machines", "cluster.x-k8s.io", "v1beta2", "silent-machine"),
        silent("kubeadmconfigs", "bootstrap.cluster.x-k8s.io", "v1beta2", "silent-config"),
        silent("linodemachines", "infrastructure.cluster.x-k8s.io", "v1alpha2", "silent-server"),
      ],
    });
    const manifests = [
      ...plainTemplates(),
      ...clusterManifests,
      ...cases.flatMap((each) => [...(each.templates ? [each.templates] : []), deployment(each)]),
    ];
    await system.apply(manifests.join("\n---\n"));
    await system.pass(90_000);
  });
  afterAll(() => system[Symbol.asyncDispose]());

  it.each(cases)("is said by everybody who is asked: $name, $says", async ({ name, says }) => {
    const { client, progress } = system.running;
    const reasons = progress.verdict().reasons.filter((reason) => reason.startsWith(`MachineDeployment ${name}:`));
    expectCause({ ...(await answersAbout(client, name, system.clock.now())), up: reasons.join("\n") }, says);
  });

  it.each(controlPlanes.map(({ cluster, kind }) => [kind.kind, cluster, kind] as const))(
    "is said of a %s too",
    async (name, cluster, kind) => {
      const { client, progress } = system.running;
      const says = 'failed calling webhook "linodemachines.silent.example"';
      const found = await client.get<KubeObject>(kind, { namespace: "default", name: serversOf(cluster) });
      const reasons = progress.verdict().reasons.filter((reason) => reason.startsWith(name));
      for (const text of [
        await described(client, ClusterResource, cluster, system.clock.now()),
        controlPlaneStatus(found).text,
        reasons.join("\n"),
        (conditionOf(found, "ScalingUp") ?? conditionOf(found, "Ready"))?.message,
      ]) {
        expect(text).toContain(says);
      }
    },
  );
};
