import { ClusterResource, conditionOf, MachineResource } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { expect } from "vitest";
import { AzureCluster, AzureMachine } from "../src/api.ts";
import type { AzureSimulatorOptions } from "@capstan/sim-azure";
import type { StoredResource } from "@capstan/sim-azure";
import type { AzureCloud } from "./cloud.ts";
import { location, startCloud } from "./cloud.ts";
import { azureKinds } from "../src/azure-kinds.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A management API with the kinds of the provider. */
export const startEnvironment = (): Promise<ConformanceEnvironment> => ConformanceEnvironment.start(azureKinds);

/** A cluster and a machine `m` of one test, on a simulated subscription of its own. */
export interface Scene extends AsyncDisposable {
  readonly cloud: AzureCloud;
  readonly core: CorePart;
  readonly managers: SceneManagers;
  /** The resource of this type, or the one whose name ends so. */
  resource(type: string, ending?: string): StoredResource;
  cluster(spec?: Json): Promise<void>;
  clusterIs(test: (cluster: AzureCluster) => boolean): Promise<AzureCluster>;
  /** Makes a machine, `m` by default. */
  machine(
    spec?: Json,
    options?: {
      readonly controlPlane?: boolean;
      readonly failureDomain?: string;
      readonly bootstrap?: string;
      readonly name?: string;
    },
  ): Promise<void>;
  machineIs(test: (machine: AzureMachine) => boolean, name?: string): Promise<AzureMachine>;
}

export const isReady = (object: AzureCluster | AzureMachine): boolean =>
  conditionOf(object, "Ready", "v1beta1")?.status === "True";
export const because = (reason: string) => (object: AzureCluster | AzureMachine) =>
  conditionOf(object, "Ready", "v1beta1")?.reason === reason;

/** Opens a scene; managers are started by the test. */
export const openScene = async (
  environment: ConformanceEnvironment,
  options: Partial<AzureSimulatorOptions> = {},
): Promise<Scene> => {
  const cloud = await startCloud(environment, options);
  const namespace = await environment.namespace();
  const core = new CorePart(environment.client, namespace);
  const managers = new SceneManagers(environment, cloud, namespace);
  const until = async <T extends KubeObject>(
    kind: Resource<T>,
    name: string,
    test: (object: T) => boolean,
  ): Promise<T> => {
    const isAs = (found: KubeObject | undefined) => found !== undefined && test(found as T);
    return (await environment.eventually(kind, core.key(name), isAs)) as T;
  };
  return {
    cloud,
    core,
    managers,
    resource: (type, ending = "") => {
      const found = cloud.simulator.state.resources.find(
        (each) => each.type.endsWith(`/${type}`) && each.name.endsWith(ending) && each.group === namespace,
      );
      return found ?? expect.fail(`there is no ${type} ${ending}`);
    },
    cluster: async (spec = {}) => {
      const infrastructureRef = { apiGroup: AzureCluster.group, kind: AzureCluster.kind, name: core.clusterName };
      const object = await core.createCluster({ infrastructureRef });
      const owner = { kind: ClusterResource, object, controller: true };
      await core.createOwned(AzureCluster, core.clusterName, { location, resourceGroup: namespace, ...spec }, owner);
      await core.infrastructureProvisioned();
    },
    clusterIs: (test) => until(AzureCluster, core.clusterName, test),
    machine: async (
      spec = {},
      { bootstrap = "#cloud-config\n", controlPlane = false, failureDomain, name = "m" } = {},
    ) => {
      const infrastructureRef = { apiGroup: AzureMachine.group, kind: AzureMachine.kind, name };
      await core.createBootstrapSecret(name, bootstrap);
      const machine = {
        infrastructureRef,
        bootstrap: { dataSecretName: name },
        version: "v1.34.0",
        ...(failureDomain && { failureDomain }),
      };
      const object = await core.createMachine(name, machine, { controlPlane });
      const own = {
        vmSize: "Standard_D2s_v3",
        osDisk: { osType: "Linux" },
        sshPublicKey: Buffer.from("ssh-rsa AAAA").toString("base64"),
        ...spec,
      };
      await core.createOwned(AzureMachine, name, own, { kind: MachineResource, object, controller: true });
    },
    machineIs: (test, name = "m") => until(AzureMachine, name, test),
    [Symbol.asyncDispose]: async () => {
      await managers.stopAll();
      await cloud.stop();
    },
  };
};

/** The lists among the properties of a resource. */
export const propertiesOf = (resource: StoredResource) =>
  resource.properties as Readonly<Record<string, readonly Json[]>>;
