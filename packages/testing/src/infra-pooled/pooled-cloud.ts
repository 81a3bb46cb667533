import { CloudCalls } from "../cloud-calls.ts";

/** One machine of a group. */
export interface PooledInstance {
  readonly id: string;
  readonly size: string;
  readonly createdAt: number;
}

/** A number of equal machines that the cloud keeps in existence. */
export interface PooledGroup {
  readonly tag: string;
  readonly capacity: number;
  readonly size: string;
  readonly userData: string;
  /** Digest of the user-data, which cannot be read back. */
  readonly digest: string;
  readonly instances: readonly PooledInstance[];
}

export type PooledOperation = "read" | "create" | "update" | "resize" | "delete" | "delete instance";

/** A cloud of groups in the memory of this process. Its calls can be watched and disturbed. */
export class PooledCloud {
  readonly groups = new Map<string, PooledGroup>();
  readonly calls = new CloudCalls<PooledOperation>();
  readonly #now: () => number;
  #created = 0;

  constructor(options: { readonly clock: { now(): number } }) {
    this.#now = () => options.clock.now();
  }

  /** Makes a group, or changes what its next machines are made of. */
  put(tag: string, model: Pick<PooledGroup, "size" | "userData" | "digest">, capacity?: number): void {
    const known = this.groups.get(tag);
    this.groups.set(tag, { tag, capacity: 0, instances: [], ...known, ...model });
    if (capacity !== undefined) this.resize(tag, capacity);
  }

  /** A smaller group loses any of its machines. */
  resize(tag: string, capacity: number): void {
    const group = this.groups.get(tag);
    if (group === undefined) return;
    const instances = group.instances.slice(0, capacity);
    while (instances.length < capacity) {
      this.#created += 1;
      instances.push({ id: String(this.#created), size: group.size, createdAt: this.#now() });
    }
    this.groups.set(tag, { ...group, capacity, instances });
  }

  /** One machine less; none is made in its place. */
  deleteInstance(tag: string, id: string): void {
    const group = this.groups.get(tag);
    if (group === undefined) return;
    const instances = group.instances.filter((instance) => instance.id !== id);
    this.groups.set(tag, { ...group, capacity: instances.length, instances });
  }
}
