import type { Manager } from "@capstan/runtime";
import { ClusterResource, conditionOf, MachineResource, SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { CorePart, SceneManagers } from "@capstan/testing/environment";
import { AzureCluster, AzureMachine } from "../src/api.ts";
import type { AzureProviderOptions } from "../src/index.ts";
import type { AzureSimulatorOptions } from "@capstan/sim-azure";
import type { AzureCloud } from "./cloud.ts";
import { startCloud } from "./cloud.ts";
import { existingNetwork } from "./existing-network.ts";

type Json = Readonly<Record<string, unknown>>;

const EventResource = { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true };

/** One AzureMachine `m` in a network that another user made, in a namespace of its own. */
export interface OneMachine extends AsyncDisposable {
  readonly cloud: AzureCloud;
  readonly core: CorePart;
  readonly managers: SceneManagers;
  /** Makes the Machine with its AzureMachine. Annotations are those of the Machine. */
  create(spec?: Json, annotations?: Readonly<Record<string, string>>, data?: string): Promise<void>;
  get(): Promise<AzureMachine>;
  is(test: (machine: AzureMachine) => boolean, maxMs?: number): Promise<AzureMachine>;
  isReady(): Promise<AzureMachine>;
  /** Waits until the verdict on bootstrapping has this reason, and returns its message. */
  verdict(reason: string): Promise<string>;
  verdictNow(): Promise<string | undefined>;
  /** Text of the Secret that keeps the log. */
  log(): Promise<string>;
  events(): Promise<readonly KubeObject[]>;
  extensions(): readonly string[];
  /** Takes the status away, as a move or a restore does. */
  dropStatus(): Promise<unknown>;
  pass(ms: number): Promise<void>;
}

const bootstrapOf = (object: KubeObject) => conditionOf(object, "BootstrapSucceeded", "v1beta1");

export interface OneMachineOptions {
  readonly simulator?: Partial<AzureSimulatorOptions>;
  readonly provider?: Partial<AzureProviderOptions>;
  readonly prepare?: (manager: Manager) => void;
  /** Of the AzureCluster. */
  readonly cluster?: Json;
}

export const oneMachine = async (
  environment: ConformanceEnvironment,
  { cluster = {}, prepare, provider = {}, simulator = {} }: OneMachineOptions = {},
): Promise<OneMachine> => {
  const cloud = await startCloud(environment, simulator);
  const core = new CorePart(environment.client, await environment.namespace());
  const world = { provider: () => cloud.provider(provider), ...(prepare && { prepare }) };
  const managers = new SceneManagers(environment, world, core.namespace);
  const infrastructureRef = { apiGroup: AzureCluster.group, kind: AzureCluster.kind, name: core.clusterName };
  const object = await core.createCluster({ infrastructureRef });
  const spec = { ...(await existingNetwork(cloud, core.namespace)), ...cluster };
  await core.createOwned(AzureCluster, core.clusterName, spec, { kind: ClusterResource, object, controller: true });
  await core.infrastructureProvisioned();
  const is: OneMachine["is"] = async (test, maxMs) => {
    const isAs = (found: AzureMachine | undefined) => found !== undefined && test(found);
    return (await environment.eventually<AzureMachine>(AzureMachine, core.key("m"), isAs, maxMs))!;
  };
  return {
    cloud,
    core,
    managers,
    create: async (more = {}, annotations = {}, data = "#cloud-config\n") => {
      await core.createBootstrapSecret("m", data);
      const ref = { apiGroup: AzureMachine.group, kind: AzureMachine.kind, name: "m" };
      const bootstrap = { dataSecretName: "m" };
      const owner = await core.createMachine("m", { infrastructureRef: ref, bootstrap, version: "v1.34.0" });
      await core.patch(MachineResource, "m", { metadata: { annotations } });
      const own = {
        vmSize: "Standard_D2s_v3",
        osDisk: { osType: "Linux" },
        sshPublicKey: Buffer.from("ssh-rsa AAAA").toString("base64"),
        ...more,
      };
      await core.createOwned(AzureMachine, "m", own, { kind: MachineResource, object: owner, controller: true });
    },
    get: () => environment.client.get<AzureMachine>(AzureMachine, core.key("m")),
    is,
    isReady: () => is((machine) => conditionOf(machine, "Ready", "v1beta1")?.status === "True"),
    verdict: async (reason) => {
      const found = await is((machine) => bootstrapOf(machine)?.reason === reason, 3_600_000);
      return bootstrapOf(found)?.message ?? "";
    },
    verdictNow: async () => bootstrapOf(await environment.client.get(AzureMachine, core.key("m")))?.reason,
    log: async () => {
      const secret = await environment.client.get<KubeObject>(SecretResource, core.key("m-bootstrap-log"));
      return Buffer.from((secret["data"] as { log: string }).log, "base64").toString("utf8");
    },
    events: async () => (await environment.client.list<KubeObject>(EventResource, { namespace: core.namespace })).items,
    extensions: () =>
      cloud.simulator.state.resources.filter(({ type }) => type.endsWith("/extensions")).map(({ name }) => name),
    dropStatus: () => {
      const patch = { type: "json", body: [{ op: "remove", path: "/status" }] } as const;
      return environment.client.patch(AzureMachine, core.key("m"), patch, { subresource: "status" });
    },
    pass: (ms) => environment.pass(ms),
    [Symbol.asyncDispose]: async () => {
      await managers.stopAll();
      await cloud.stop();
    },
  };
};
