import type { Clock } from "@capstan/contract";
import { CloudCalls, memoryError } from "../cloud-calls.ts";

/** Kinds of resources that a machine of this cloud consists of. */
export type ModularKind = "card" | "disk" | "server";

/** Marks on a resource, by key. */
export type ModularTags = Readonly<Record<string, string>>;

export interface ModularResource {
  readonly kind: ModularKind;
  /** Unique among the resources of its kind. */
  readonly name: string;
  readonly tags: ModularTags;
  readonly state: "creating" | "ready" | "failed" | "deleting";
  /** Address of a card. */
  readonly address?: string;
  /** Components of a server, and the user-data that it was given. */
  readonly parts?: { readonly card: string; readonly disk: string };
  readonly userData?: Uint8Array;
}

export interface ModularOperation {
  readonly id: string;
  readonly action: "create" | "delete";
  readonly kind: ModularKind;
  readonly name: string;
  readonly state: "running" | "succeeded" | "failed";
}

export type ModularCall = "list" | "operation" | "tag server" | `create ${ModularKind}` | `delete ${ModularKind}`;

export interface ModularCloudOptions {
  readonly clock: Clock;
  /** Duration of every operation, in milliseconds. Default 2000. */
  readonly operationMs?: number;
}

const partOf = (kind: "card" | "disk", name: string) => (resource: ModularResource) =>
  resource.kind === "server" && resource.parts?.[kind] === name;

/**
 * A cloud in the memory of this process, whose server needs a disk and a network card of its own. Creations and deletions are operations
 * that continue after their answer; what a server uses cannot be deleted before it.
 */
export class ModularCloud {
  readonly calls = new CloudCalls<ModularCall>();
  readonly #resources = new Map<string, ModularResource>();
  readonly #operations = new Map<string, ModularOperation>();
  readonly #clock: Clock;
  readonly #operationMs: number;
  #failing: ModularKind | undefined;
  #made = 0;
  #begun = 0;

  constructor({ clock, operationMs = 2000 }: ModularCloudOptions) {
    this.#clock = clock;
    this.#operationMs = operationMs;
  }

  get resources(): readonly ModularResource[] {
    return [...this.#resources.values()];
  }

  operation(id: string): ModularOperation | undefined {
    return this.#operations.get(id);
  }

  /** The next creation of a kind ends badly, and leaves a resource that never becomes ready. */
  failNext(kind: ModularKind): void {
    this.#failing = kind;
  }

  /** Forgets every operation, though what they do continues. */
  loseOperations(): void {
    this.#operations.clear();
  }

  /** Takes a resource away behind everybody's back. */
  destroy(kind: ModularKind, name: string): void {
    this.#resources.delete(`${kind}/${name}`);
  }

  /** The id of the operation that makes the resource. */
  create(resource: Omit<ModularResource, "state" | "address">): string {
    const key = `${resource.kind}/${resource.name}`;
    if (this.#resources.has(key)) throw memoryError("exists", "AlreadyExists", `${key} exists already`, "backoff");
    for (const kind of ["card", "disk"] as const) this.#checkPart(kind, resource.parts?.[kind]);
    this.#made += 1;
    const address = resource.kind === "card" ? { address: `10.1.0.${this.#made}` } : {};
    this.#resources.set(key, { ...resource, ...address, state: "creating" });
    const fails = this.#failing === resource.kind;
    if (fails) this.#failing = undefined;
    return this.#run("create", resource, fails, (present) => {
      if (present !== undefined) this.#resources.set(key, { ...present, state: fails ? "failed" : "ready" });
    });
  }

  /** Adds to the tags of a server, or changes them, at once. */
  tag(name: string, tags: ModularTags): void {
    const present = this.#resources.get(`server/${name}`);
    if (present !== undefined) {
      this.#resources.set(`server/${name}`, { ...present, tags: { ...present.tags, ...tags } });
    }
  }

  /** The id of the operation that deletes the resource. */
  delete(kind: ModularKind, name: string): string {
    const key = `${kind}/${name}`;
    const present = this.#resources.get(key);
    if (present === undefined) throw memoryError("not_found", "NotFound", `${key} does not exist`, "backoff");
    if (kind !== "server" && this.resources.some(partOf(kind, name))) {
      throw memoryError("in_use", "InUse", `${key} is used by a server; delete that first`, "backoff");
    }
    this.#resources.set(key, { ...present, state: "deleting" });
    return this.#run("delete", present, false, () => void this.#resources.delete(key));
  }

  #checkPart(kind: "card" | "disk", name: string | undefined): void {
    if (name === undefined || this.#resources.get(`${kind}/${name}`)?.state === "ready") return;
    throw memoryError("part_missing", "PartMissing", `${kind}/${name} is not ready`, "backoff");
  }

  #run(
    action: ModularOperation["action"],
    { kind, name }: Pick<ModularResource, "kind" | "name">,
    fails: boolean,
    end: (present: ModularResource | undefined) => void,
  ): string {
    this.#begun += 1;
    const id = `operation-${this.#begun}`;
    this.#operations.set(id, { id, action, kind, name, state: "running" });
    this.#clock.schedule(this.#operationMs, () => {
      end(this.#resources.get(`${kind}/${name}`));
      const operation = this.#operations.get(id);
      if (operation !== undefined) this.#operations.set(id, { ...operation, state: fails ? "failed" : "succeeded" });
    });
    return id;
  }
}
