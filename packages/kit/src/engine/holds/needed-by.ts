import type { AuthorOf, LifeTypes, PlaceOf } from "../object-author.ts";
import { isAdmitted } from "../../references/policy.ts";
import { wholeRef } from "../verb-context.ts";
import { usedHolds } from "./held-kinds.ts";
import type { Hold } from "./hold.ts";
import type { HeldRecord } from "./hold-record.ts";
import { heldId, kindName } from "./hold-record.ts";

/** Everything that an object's removal needs, each once: what was read while the outside world was opened, and what is declared. */
export const neededBy = async <T extends LifeTypes>(
  author: AuthorOf<T>,
  place: PlaceOf<T>,
  read: readonly HeldRecord[],
): Promise<readonly HeldRecord[]> => {
  const byId = new Map(read.map((record) => [heldId(record), record]));
  for (const hold of [...(author.holds ?? []), ...usedHolds(author)]) {
    for (const record of await declaredBy(hold, place)) if (!byId.has(heldId(record))) byId.set(heldId(record), record);
  }
  return [...byId.values()];
};

const declaredBy = async <T extends LifeTypes>(
  { kind, namedBy, of }: Hold<PlaceOf<T>>,
  place: PlaceOf<T>,
): Promise<readonly HeldRecord[]> => {
  const { environment, object } = place;
  const records = [of(place) ?? []].flat().map(({ name, namespace }): HeldRecord => {
    const whole = wholeRef({ name, ...(namespace !== undefined && { namespace }) }, object);
    return { kind: kindName(kind), name, namespace: kind.namespaced ? whole.namespace : "" };
  });
  const naming = namedBy?.(place);
  if (naming === undefined || (await isAdmitted(environment, naming.kind, naming.object))) return records;
  return records.filter(({ namespace }) => namespace === naming.object.metadata.namespace);
};
