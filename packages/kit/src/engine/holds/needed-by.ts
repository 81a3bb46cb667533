import type { AuthorOf, LifeTypes, PlaceOf } from "../object-author.ts";
import { wholeRef } from "../verb-context.ts";
import { usedHolds } from "./held-kinds.ts";
import type { HeldRecord } from "./hold-record.ts";
import { heldId, kindName } from "./hold-record.ts";

/** Everything that an object's removal needs, each once: what was read while the outside world was opened, and what is declared. */
export const neededBy = <T extends LifeTypes>(
  author: AuthorOf<T>,
  place: PlaceOf<T>,
  read: readonly HeldRecord[],
): readonly HeldRecord[] => {
  const { object } = place;
  const declared = [...(author.holds ?? []), ...usedHolds(author)].flatMap(({ kind, of }) =>
    [of(place) ?? []].flat().map(({ name, namespace }): HeldRecord => {
      const whole = wholeRef({ name, ...(namespace !== undefined && { namespace }) }, object);
      return { kind: kindName(kind), name, namespace: kind.namespaced ? whole.namespace : "" };
    }),
  );
  const byId = new Map<string, HeldRecord>();
  for (const record of [...read, ...declared]) if (!byId.has(heldId(record))) byId.set(heldId(record), record);
  return [...byId.values()];
};
