import type { KubeObject, Resource } from "@capstan/schema";
import { holdNamesOf } from "./hold.ts";

/**
 * The namespaces beside its own that a held object has users of one kind in, as an annotation of it says. A manager that watches some
 * namespaces only does not see the users in others, and lets the object go only when none of those is left.
 */
export class Elsewhere {
  readonly #annotation: string;

  constructor(user: Pick<Resource, "group" | "kind">) {
    this.#annotation = holdNamesOf(user).of({ name: "" });
  }

  of({ metadata }: KubeObject): readonly string[] {
    return (metadata.annotations?.[this.#annotation] ?? "").split(",").filter((namespace) => namespace !== "");
  }

  /** The namespaces with that of a user, where it is another than the object's. */
  with(object: KubeObject, { namespace = "" }: { readonly namespace?: string }): readonly string[] {
    const before = this.of(object);
    const isKnown = namespace === "" || namespace === object.metadata.namespace || before.includes(namespace);
    return isKnown ? before : [...before, namespace].toSorted();
  }

  /**
   * Returns whether a user's record of what it needs may be believed. Whoever may write objects can write it on them, so for a held object of
   * another namespace the object itself has to say that users there need it.
   */
  vouches(object: KubeObject, { namespace = "" }: { readonly namespace?: string }): boolean {
    return this.with(object, { namespace }).length === this.of(object).length;
  }

  /** Annotations for a merge patch; empty where nothing changes. */
  patch(
    object: KubeObject,
    namespaces: readonly string[],
  ): { readonly annotations?: Readonly<Record<string, string | null>> } {
    const [before, after] = [this.of(object).join(","), namespaces.join(",")];
    return before === after ? {} : { annotations: { [this.#annotation]: after === "" ? null : after } };
  }
}
