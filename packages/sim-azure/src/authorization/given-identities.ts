import { resourceId } from "../resource-id.ts";
import type { World } from "../world.ts";
import { identities } from "./identities.ts";

/** An identity that machines may act as, and where it is. */
export interface GivenIdentity {
  readonly resourceGroup: string;
  readonly name: string;
  readonly location: string;
}

/** Puts identities into a subscription in which there is nothing yet. */
export const giveIdentities = (
  given: readonly GivenIdentity[],
  { clock, newUuid, state, subscriptionId }: Pick<World, "clock" | "newUuid" | "state" | "subscriptionId">,
): void => {
  if (state.groups.length > 0 || state.resources.length > 0) return;
  for (const { location, name, resourceGroup: group } of given) {
    if (!state.groups.some((each) => each.name === group)) {
      state.groups.push({ name: group, location, tags: undefined, state: "Succeeded" });
    }
    state.resources.push({
      id: resourceId(subscriptionId, group, identities.type, [name]),
      type: identities.type,
      name,
      group,
      location,
      guid: newUuid(),
      created: clock.now(),
      tags: undefined,
      revision: 1,
      state: "Succeeded",
      outer: {},
      properties: { principalId: newUuid(), clientId: newUuid() },
    });
  }
};
