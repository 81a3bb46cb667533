import type { Owner } from "@capstan/kit/engine";
import type { ResourceRef } from "../arm/resource-id.ts";
import { nameOfId } from "../arm/resource-id.ts";

/** Time in milliseconds for which a group is left alone after its mark was overwritten, so that its owner can mark it again. */
const settleMs = 6000;

const keyOf = ({ id }: ResourceRef): string => id.toLowerCase();

/**
 * Resource groups that this process has just written. They have no etags: of two processes that see no group, both write it, and the tags
 * of the second replace those of the first. Azure tells the first that it made the group, and the second that it changed one: the second
 * gives its mark up, and waits until the first has marked the group again.
 */
export class NewGroups {
  readonly #settled = new Map<string, number>();
  readonly #made = new Map<string, string>();

  made(group: ResourceRef, { mark }: Owner): void {
    this.#made.set(keyOf(group), mark);
  }

  /** A group that others made, and whose mark was written over. `now`: in milliseconds since the epoch. */
  givenUp(group: ResourceRef, now: number): void {
    this.#made.delete(keyOf(group));
    this.#settled.set(keyOf(group), now + settleMs);
  }

  /** Returns whether Azure said that a group was made for an owner, as far as this process knows. */
  wasMadeFor(group: ResourceRef, { mark }: Owner): boolean {
    return this.#made.get(keyOf(group)) === mark;
  }

  /** The status says it from now on. */
  recorded(group: ResourceRef): void {
    this.#made.delete(keyOf(group));
  }

  /** Returns the message and delay for the first group that has not settled; `undefined` if all have. */
  settling(
    groups: readonly ResourceRef[],
    now: number,
  ): { readonly message: string; readonly pollMs: number } | undefined {
    for (const group of groups) {
      const pollMs = (this.#settled.get(keyOf(group)) ?? 0) - now;
      if (pollMs <= 0) continue;
      return {
        message: `waiting for another process that created the resource group ${nameOfId(group.id)} first`,
        pollMs,
      };
    }
    return undefined;
  }

  /** Returns whether a group was not read since it settled. It is asked for once: then it is read. */
  isUnread(group: ResourceRef): boolean {
    return this.#settled.delete(keyOf(group));
  }
}
