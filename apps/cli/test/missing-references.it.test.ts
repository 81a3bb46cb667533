import { MachineResource } from "@capstan/contract/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntilRunning } from "../src/embedded-up.ts";
import { startTestSystem, type TestSystem } from "./test-system.ts";

const object = (apiVersion: string, kind: string, name: string, spec: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

const core = (kind: string, name: string, spec: string): string => object("cluster.x-k8s.io/v1beta2", kind, name, spec);
const bootstrap = (kind: string, name: string, spec: string): string =>
  object("bootstrap.cluster.x-k8s.io/v1beta2", kind, name, spec);
const infrastructure = (kind: string, name: string, spec: string): string =>
  object("infrastructure.cluster.x-k8s.io/v1alpha2", kind, name, spec);

const reference = (group: string, kind: string, name: string): string =>
  `{apiGroup: ${group}.cluster.x-k8s.io, kind: ${kind}, name: ${name}}`;

const machineSpec = (name: string, { cluster = "orchid", suffix = "", machineKind = "LinodeMachine" } = {}): string => {
  const configRef = reference("bootstrap", `KubeadmConfig${suffix}`, name);
  const infrastructureRef = reference("infrastructure", `${machineKind}${suffix}`, name);
  return `{clusterName: ${cluster}, version: v1.34.0, bootstrap: {configRef: ${configRef}}, infrastructureRef: ${infrastructureRef}}`;
};

const machine = (name: string, options: Parameters<typeof machineSpec>[1] = {}): string =>
  core("Machine", name, machineSpec(name, options));
const deployment = (name: string): string =>
  core(
    "MachineDeployment",
    name,
    `{clusterName: orchid, replicas: 1, template: {spec: ${machineSpec(name, { suffix: "Template" })}}}`,
  );

const registration = "nodeRegistration: {kubeletExtraArgs: [{name: cloud-provider, value: external}]}";
const join = (more = ""): string => `{joinConfiguration: {${registration}}${more}}`;
const content = ", files: [{path: /opt/text, contentFrom: {secret: {name: content, key: text}}}]";
const instance = "{region: us-ord, type: g6-standard-1, image: linode/ubuntu22.04}";

const credentials = [
  "apiVersion: v1\nkind: Secret\nmetadata: {name: credentials}",
  'stringData: {apiToken: "${LINODE_TOKEN}", LINODE_URL: "${LINODE_URL}"}\n',
].join("\n");

const controlPlane = [
  core("Machine", "first", machineSpec("first")).replace(
    "{name: first}",
    '{name: first, labels: {cluster.x-k8s.io/control-plane: ""}}',
  ),
  bootstrap("KubeadmConfig", "first", `{initConfiguration: {${registration}}}`),
  infrastructure("LinodeMachine", "first", instance),
];

interface Case {
  readonly given: readonly string[];
  readonly says: string;
  readonly mend: string;
}

const cases: readonly Case[] = [
  {
    given: [machine("no-config"), infrastructure("LinodeMachine", "no-config", instance)],
    says: "Machine no-config: Pending: KubeadmConfig no-config does not exist; create it or correct spec.bootstrap.configRef",
    mend: bootstrap("KubeadmConfig", "no-config", join()),
  },
  {
    given: [machine("no-infra"), bootstrap("KubeadmConfig", "no-infra", join())],
    says: "Machine no-infra: Provisioning: LinodeMachine no-infra does not exist; create it or correct spec.infrastructureRef",
    mend: infrastructure("LinodeMachine", "no-infra", instance),
  },
  {
    given: [
      machine("no-content"),
      bootstrap("KubeadmConfig", "no-content", join(content)),
      infrastructure("LinodeMachine", "no-content", instance),
    ],
    says: "Machine no-content: Pending: DataSecretAvailable: spec.files[0].contentFrom.secret: Secret default/content does not exist; create it",
    mend: "apiVersion: v1\nkind: Secret\nmetadata: {name: content}\nstringData: {text: hello}\n",
  },
  {
    given: [
      deployment("no-configs"),
      infrastructure("LinodeMachineTemplate", "no-configs", `{template: {spec: ${instance}}}`),
    ],
    says: "KubeadmConfigTemplate default/no-configs does not exist; create it or correct spec.template.spec",
    mend: bootstrap("KubeadmConfigTemplate", "no-configs", `{template: {spec: ${join()}}}`),
  },
  {
    given: [
      deployment("no-machines"),
      bootstrap("KubeadmConfigTemplate", "no-machines", `{template: {spec: ${join()}}}`),
    ],
    says: "LinodeMachineTemplate default/no-machines does not exist; create it or correct spec.template.spec",
    mend: infrastructure("LinodeMachineTemplate", "no-machines", `{template: {spec: ${instance}}}`),
  },
];

/** Nothing that is created fixes these. */
const hopeless = [
  {
    name: "no-cluster",
    given: machine("no-cluster", { cluster: "nowhere" }),
    says: "spec.clusterName names Cluster default/nowhere, which does not exist; create it or correct the name",
  },
  {
    name: "no-kind",
    given: [machine("no-kind", { machineKind: "AcmeMachine" }), bootstrap("KubeadmConfig", "no-kind", join())].join(
      "---\n",
    ),
    says: "AcmeMachine of infrastructure.cluster.x-k8s.io is not installed: CustomResourceDefinition ",
  },
];

describe("references that lead nowhere", () => {
  let system: TestSystem;

  beforeAll(async () => {
    const cluster = core(
      "Cluster",
      "orchid",
      `{infrastructureRef: ${reference("infrastructure", "LinodeCluster", "orchid")}}`,
    );
    const given = [...cases.flatMap((entry) => entry.given), ...hopeless.map((entry) => entry.given)];
    system = await startTestSystem([credentials, cluster, ...controlPlane, ...given].join("---\n"), { lenient: true });
  });
  afterAll(() => system[Symbol.asyncDispose]());

  it("that of a Cluster is told first", async () => {
    await system.untilReason(
      "Cluster orchid: Provisioning: LinodeCluster orchid does not exist; create it or correct spec.infrastructureRef",
    );
    await system.apply(
      infrastructure("LinodeCluster", "orchid", "{region: us-ord, credentialsRef: {name: credentials}}"),
    );
  });

  it.each([...cases, ...hopeless])("$says", async ({ says }) => {
    await system.untilReason(says);
  });

  it("are the reasons of a wait that is over", async () => {
    const { clock, running } = system;
    const { signal } = new AbortController();
    const waiting = waitUntilRunning(running, { clock, timeoutMs: 5000, signal });
    const failure = expect(waiting).rejects.toMatchObject({
      code: "up.timeout",
      message: expect.stringContaining("Machine no-config: Pending: KubeadmConfig no-config does not exist") as string,
    });
    await system.pass(5000);
    await failure;
  });

  it("end when what they name is created, or what names it is deleted", async () => {
    for (const { name } of hopeless) {
      await system.running.client.delete(MachineResource, { namespace: "default", name });
    }
    await system.apply(cases.map(({ mend }) => mend).join("---\n"));
    await system.untilRunning();
    expect(system.simulator.state.instances).toHaveLength(6);
    expect(system.simulator.state.nodeBalancers).toHaveLength(1);
    expect(system.simulator.requests.violations).toEqual([]);
  });
});
