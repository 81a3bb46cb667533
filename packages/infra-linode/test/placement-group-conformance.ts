import { resourceConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { LinodePlacementGroup } from "../src/api.ts";
import type { LinodeSimulator } from "@capstan/sim-linode";
import { kinds, thingCloud, uidPart } from "./thing-cloud.ts";

const groupsOf = ({ placementGroups }: LinodeSimulator["state"], uid: string) =>
  placementGroups.filter(({ label }) => label.endsWith(uidPart(uid)));

const unchangeable = "nothing of a placement group can be changed, but for its label";

/** LinodePlacementGroup against the suite of resources. */
export const testPlacementGroups = (tools: SuiteTools): void =>
  resourceConformance(tools, {
    kinds,
    kind: LinodePlacementGroup,
    spec: { region: "us-ord" },
    change: {},
    start: thingCloud({
      path: "placement/groups",
      count: (state, uid) => groupsOf(state, uid).length,
      drift: async () => undefined,
      isAsDesired: (state, { metadata }) => groupsOf(state, metadata.uid ?? "").length === 1,
      destroy: async (client, state, uid) => {
        for (const { id } of groupsOf(state, uid)) await client.placementGroups.delete(id);
      },
    }),
    skip: {
      "brings what exists up to date": unchangeable,
      "repairs what was changed or taken away behind its back": unchangeable,
    },
  });
