import { Annotation, isCapstanError, rfc3339 } from "@capstan/contract";
import { machine as fields, MachineResource, readReference, setCondition } from "@capstan/contract/wire";
import type { Condition, ConditionInput, MergePatch } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";

interface MachineObject extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Where the objects that Machines refer to are kept. */
export interface MachineKinds {
  readonly configKind: Resource;
  readonly machineKind: Resource;
}

/** Plays core's Machine controller, and the machines themselves: whoever has all it needs becomes a Node, whoever is deleted goes in order. */
export class MachinesPart {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #kinds: MachineKinds;
  readonly #now: () => number;
  readonly #hooks: {
    readonly joined?: (machine: KubeObject) => Promise<void> | void;
    readonly gone?: (machine: KubeObject) => Promise<void> | void;
  };
  /** Names of Machines that never join. */
  readonly stuck = new Set<string>();

  constructor(
    client: Client,
    namespace: string,
    options: {
      readonly kinds: MachineKinds;
      readonly now: () => number;
      readonly joined?: (machine: KubeObject) => Promise<void> | void;
      readonly gone?: (machine: KubeObject) => Promise<void> | void;
    },
  ) {
    this.#client = client;
    this.#namespace = namespace;
    this.#kinds = options.kinds;
    this.#now = options.now;
    this.#hooks = options;
  }

  async list(): Promise<readonly KubeObject[]> {
    return (await this.#client.list(MachineResource, { namespace: this.#namespace })).items;
  }

  /** Does what is due for every Machine. What others change meanwhile is looked at the next time. */
  async serve(): Promise<void> {
    for (const machine of await this.list()) {
      try {
        if (isBeingDeleted(machine)) await this.#leave(machine);
        else if (fields.nodeName.get(machine) === undefined) await this.#join(machine);
      } catch (error) {
        if (!isCapstanError(error, "kube.conflict") && !isCapstanError(error, "kube.not_found")) throw error;
      }
    }
  }

  /** Says something on a Machine, as its controller or a health check would. */
  async say(machine: MachineObject, inputs: readonly ConditionInput[], more: MergePatch = {}): Promise<void> {
    const before = machine.status?.conditions ?? [];
    const conditions = inputs.reduce((list, input) => setCondition(list, input, { now: this.#now() }), before);
    const { resourceVersion } = machine.metadata;
    const body = { metadata: { resourceVersion }, status: { ...more, conditions } };
    await this.#client.patch(MachineResource, keyOf(machine), { type: "merge", body }, { subresource: "status" });
  }

  async #parts(machine: KubeObject): Promise<readonly (readonly [Resource, KubeObject | undefined])[]> {
    const { configKind, machineKind } = this.#kinds;
    const places = [
      [configKind, fields.bootstrapConfigRefPath],
      [machineKind, fields.infrastructureRefPath],
    ] as const;
    return Promise.all(
      places.map(async ([kind, path]) => {
        const reference = readReference(machine, path);
        const key = { namespace: this.#namespace, name: reference?.name ?? "" };
        return [kind, reference === undefined ? undefined : await this.#client.find(kind, key)] as const;
      }),
    );
  }

  async #join(machine: KubeObject): Promise<void> {
    const { name = "" } = machine.metadata;
    const parts = await this.#parts(machine);
    if (this.stuck.has(name) || parts.some(([, part]) => part === undefined)) return;
    const providerID = `suite://${machine.metadata.uid}`;
    const known = await this.#client.patch(MachineResource, keyOf(machine), {
      type: "merge",
      body: {
        metadata: { resourceVersion: machine.metadata.resourceVersion },
        spec: { providerID, bootstrap: { dataSecretName: name } },
      },
    });
    await this.#hooks.joined?.(known);
    const good = ["Ready", "Available", "NodeReady"].map((type) => ({ type, status: "True", reason: type }) as const);
    await this.say(known, good, {
      nodeRef: { name: `node-${name}` },
      nodeInfo: { kubeletVersion: fields.version.get(machine) ?? "" },
      initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true },
      lastUpdated: rfc3339(this.#now()),
    });
  }

  async #leave(machine: MachineObject): Promise<void> {
    const hooks = Object.keys(machine.metadata.annotations ?? {}).filter((key) =>
      key.startsWith(Annotation.preTerminateHookPrefix),
    );
    if (hooks.length > 0) {
      const said = machine.status?.conditions?.find(({ type }) => type === "Deleting");
      if (said?.reason === "WaitingForPreTerminateHook") return;
      await this.say(machine, [{ type: "Deleting", status: "True", reason: "WaitingForPreTerminateHook" }]);
      return;
    }
    for (const [kind, part] of await this.#parts(machine)) {
      if (part !== undefined && !isBeingDeleted(part)) await this.#client.delete(kind, keyOf(part));
    }
    await this.#hooks.gone?.(machine);
    const body = { metadata: { finalizers: null } };
    await this.#client.patch(MachineResource, keyOf(machine), { type: "merge", body });
  }
}
