import type { ControllerV1, PermissionV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { controller } from "@capstan/runtime";
import type { Resource } from "@capstan/schema";
import { isBeingDeleted } from "@capstan/kube-values";
import { isHeld } from "../finalizers.ts";
import type { AuthorOf, LifeTypes } from "../object-author.ts";
import { permission, watched } from "../permissions.ts";
import type { Use } from "../uses/use.ts";
import { HeldKind } from "./held-kind.ts";
import type { Hold } from "./hold.ts";
import { holdNamesOf } from "./hold.ts";
import { kindName } from "./hold-record.ts";

type Holds<T extends LifeTypes> = Pick<AuthorOf<T>, "connect" | "finalizer" | "holds" | "uses">;

const usesOf = <T extends LifeTypes>({ uses = {} }: Holds<T>): readonly Use<unknown, never>[] => Object.values(uses);

/** Objects that the author's related objects hold. */
export const usedHolds = <T extends LifeTypes>(author: Holds<T>): readonly Hold[] =>
  usesOf(author).flatMap((use) => use.holds ?? []);

/** Kinds of which an author's objects hold some: those of credentials, and what is declared. */
const kindsOf = <T extends LifeTypes>(author: Holds<T>): readonly Resource[] => {
  if (author.finalizer === undefined) return [];
  const declared = [...(author.holds ?? []), ...usedHolds(author)].map(({ kind }) => kind);
  const all = author.connect === undefined ? declared : [SecretResource, ...declared];
  return [...new Map(all.map((kind) => [kindName(kind), kind])).values()];
};

/** Permissions on held objects. */
export const holdPermissions = <T extends LifeTypes>(author: Holds<T> & Pick<AuthorOf<T>, "kind">): PermissionV1[] => {
  const kinds = kindsOf(author);
  if (kinds.length === 0) return [];
  const rarely = {
    get: "a held object that somebody else changed as well",
    patch: `what the removal of ${author.kind.kind} needs, for the first that needs it and after the last`,
  };
  return [
    permission(author.kind, [], { rarely: { list: "whether the last that needs a held object is gone" } }),
    ...kinds.map((kind) => permission(kind, [], { rarely })),
    ...(author.holds ?? []).filter(({ kind }) => kind !== SecretResource).map(({ kind }) => watched(kind)),
  ];
};

/** The held kinds of one controller. */
export const heldKinds = <T extends LifeTypes>(author: AuthorOf<T>, name: string): readonly HeldKind[] =>
  kindsOf(author).map(
    (kind) =>
      new HeldKind({
        user: author.kind,
        kind,
        names: author.holdNames?.(kind) ?? holdNamesOf(author.kind),
        controller: name,
        isLetGo: (user) => isBeingDeleted(user) && !isHeld(user, author),
      }),
  );

/** Releases held objects of a kind once no user needs them, including after a crash, a move or a restore. */
export const releaseController = (held: HeldKind, name: string): ControllerV1 =>
  controller({
    name: `${name}-holds-${held.kind.plural}`,
    concurrency: 5,
    setup: ({ cache }) => held.prepare(cache),
    sources: held.releases,
    reconcile: async (request, context) => held.release(request, context),
  });
