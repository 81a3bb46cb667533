import {
  conditionOf,
  ClusterResource,
  MachineResource,
  NamespaceResource,
  SecretResource,
} from "@capstan/contract/wire";
import type { MergePatch } from "@capstan/contract/wire";
import { secretBytes, secretText } from "@capstan/kit/engine";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { type ConformanceEnvironment, CorePart } from "@capstan/testing/environment";
import { BmcJob, Hardware, hardwareNamespaceLabel, Template, Workflow } from "@capstan/tinkerbell/api";
import { TinkerbellCluster, TinkerbellMachine } from "../src/api.ts";
import { hardwareSpec } from "./subject.ts";

/** As an administrator says of the Hardware of a namespace. */
export const labelHardwareOf = async (
  { client }: ConformanceEnvironment,
  name: string,
  value: "shared" | "trusted" | null,
): Promise<void> => {
  const body = { metadata: { labels: { [hardwareNamespaceLabel]: value } } };
  await client.patch(NamespaceResource, { name }, { type: "merge", body });
};

/** A cluster in a namespace of its own, and Hardware in another that is shared. */
export class RackScene {
  readonly core: CorePart;
  readonly rack: string;
  readonly environment: ConformanceEnvironment;

  private constructor(environment: ConformanceEnvironment, namespace: string, rack: string) {
    this.environment = environment;
    this.core = new CorePart(environment.client, namespace);
    this.rack = rack;
  }

  /**
   * `elsewhere`: the Cluster's infrastructure is another provider's. `beside`: Hardware is in the namespace of the Cluster. `rack`: the shared
   * namespace of another scene.
   */
  static async start(
    environment: ConformanceEnvironment,
    {
      beside = false,
      elsewhere = false,
      rack,
    }: { readonly beside?: boolean; readonly elsewhere?: boolean; readonly rack?: string } = {},
  ): Promise<RackScene> {
    const namespace = await environment.namespace();
    const scene = new RackScene(environment, namespace, beside ? namespace : (rack ?? (await environment.namespace())));
    if (!beside) await labelHardwareOf(environment, scene.rack, "shared");
    const { core } = scene;
    const kind = elsewhere ? "OtherCluster" : "TinkerbellCluster";
    const infrastructureRef = { apiGroup: TinkerbellCluster.group, kind, name: core.clusterName };
    const cluster = await core.createCluster({ infrastructureRef });
    const owner = { kind: ClusterResource, object: cluster, controller: true };
    const spec = { controlPlaneEndpoint: { host: "10.3.0.100" } };
    if (!elsewhere) await core.createOwned(TinkerbellCluster, core.clusterName, spec, owner);
    await core.infrastructureProvisioned();
    return scene;
  }

  /** Hardware of the rack; machines of the scene ask for its label. */
  async hardware(
    name: string,
    spec: MergePatch = {},
    { annotations = {}, labels = {} }: { readonly annotations?: object; readonly labels?: object } = {},
  ): Promise<void> {
    await this.environment.client.create(Hardware, {
      apiVersion: apiVersionOf(Hardware),
      kind: "Hardware",
      metadata: {
        name,
        namespace: this.rack,
        annotations,
        labels: { rack: this.rack, ...labels },
      } as Hardware["metadata"],
      spec: { ...hardwareSpec({ name, namespace: this.rack }), ...spec },
    });
  }

  /** A Machine, its bootstrap data and its TinkerbellMachine. */
  async machine(
    name: string,
    spec: MergePatch = {},
    {
      data = "provider-id: PROVIDER_ID",
      version = "v1.34.1",
    }: { readonly data?: string; readonly version?: string | null } = {},
  ): Promise<void> {
    const { core } = this;
    await core.createBootstrapSecret(name, data);
    const infrastructureRef = { apiGroup: TinkerbellMachine.group, kind: "TinkerbellMachine", name };
    const machine = await core.createMachine(name, { infrastructureRef, bootstrap: { dataSecretName: name }, version });
    const hardwareAffinity = { required: [{ labelSelector: { matchLabels: { rack: this.rack } } }] };
    await core.createOwned(
      TinkerbellMachine,
      name,
      { hardwareAffinity, ...spec },
      {
        kind: MachineResource,
        object: machine,
        controller: true,
      },
    );
  }

  /** The bootstrap data that a machine has been given, and for which Hardware. */
  async userData(name: string): Promise<Readonly<Record<string, string>> | undefined> {
    const secret = await this.environment.client.find(SecretResource, this.core.key(`${name}-user-data`));
    return secret && secretText(secretBytes(secret));
  }

  /** Waits until a condition of a machine has a reason, and returns it. */
  async says(
    name: string,
    type: string,
    reason: string,
  ): Promise<{ readonly status: string; readonly message: string }> {
    let said: ReturnType<typeof conditionOf>;
    await this.environment.eventually(TinkerbellMachine, this.core.key(name), (object) => {
      said = object && conditionOf(object, type);
      return said?.reason === reason;
    });
    return said!;
  }

  async ready(name: string): Promise<TinkerbellMachine> {
    const key = this.core.key(name);
    return (await this.environment.eventually(
      TinkerbellMachine,
      key,
      (object) => object !== undefined && conditionOf(object, "Ready")?.status === "True",
    ))!;
  }

  /** The Node of a machine has come. */
  async joined(name: string): Promise<void> {
    await this.core.setStatus(MachineResource, name, "status.nodeRef.name", name);
  }

  async uidOf(name: string): Promise<string> {
    return (await this.environment.client.get(TinkerbellMachine, this.core.key(name))).metadata.uid ?? "";
  }

  async remove(name: string): Promise<void> {
    await this.environment.client.delete(TinkerbellMachine, this.core.key(name));
  }

  async gone(name: string): Promise<void> {
    await this.environment.eventually(TinkerbellMachine, this.core.key(name), (object) => object === undefined);
  }

  of<T extends KubeObject>(kind: Resource<T>, name: string): Promise<T | undefined> {
    return this.environment.client.find(kind, { namespace: this.rack, name });
  }

  /** What is there that was made for machines. */
  async made(): Promise<readonly string[]> {
    const kinds: readonly Resource[] = [Template, Workflow, BmcJob];
    const lists = await Promise.all(
      kinds.map(async (kind) => {
        const { items } = await this.environment.client.list(kind, { namespace: this.rack });
        return items.map(({ metadata }) => `${kind.kind} ${metadata.name}`);
      }),
    );
    return lists.flat();
  }
}
