import type { ControllerV1 } from "@capstan/contract/v1";
import type { Difference } from "@capstan/kit/resource";
import { resource } from "@capstan/kit/resource";
import { ownerOf, peers, trustedIds } from "@capstan/kit/engine";
import { keyOf, keyText } from "@capstan/kube-values";
import type { PlacementGroup } from "@capstan/linode-client";
import { LinodeReason } from "../api/linode-conditions.ts";
import { LinodePlacementGroup } from "../api/linode-placement-group.v1alpha2.ts";
import type { Connect } from "../cloud/connections.ts";
import { ownLabel } from "../cloud/labels.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { isOlder } from "../resource/age.ts";
import { labelledCluster } from "../resource/cluster-owner.ts";
import { isRecordedOrAdopted } from "../resource/owner-tags.ts";
import { thingAuthor } from "../resource/resource-author.ts";

const maxLabel = 64;

const uses = { cluster: labelledCluster(), ids: trustedIds(), peers: peers(LinodePlacementGroup) };

/** Placement groups at Linode. They have neither tags nor a description: the label says whose one is. */
export const linodePlacementGroup = (connect: Connect, options: LinodeProviderOptions): ControllerV1 =>
  resource<LinodePlacementGroup, LinodeApi, PlacementGroup, typeof uses>({
    ...thingAuthor(LinodePlacementGroup, connect, options),
    noun: "the placement group",
    uses,
    find: async ({ api, call, identity, object }) => {
      const { pgID } = object.spec;
      const recorded = pgID === undefined ? undefined : await api.placementGroup(pgID, call);
      return recorded ?? api.findPlacementGroup(ownLabel(identity, maxLabel), call);
    },
    takenBy: ({ actual, object, uses: { peers: others } }) => {
      const other = otherMaker(object, actual, others.list());
      if (other === undefined) return undefined;
      const owner = `${LinodePlacementGroup.kind} ${keyText(keyOf(other))}`;
      const mend = "correct spec.pgID, or omit it to have one created";
      return { ...thingOf(actual), owner, mend };
    },
    byId: ({ actual, object, uses: { ids } }) => {
      const isOwn = isHeir(actual, object) || isRecordedOrAdopted(object, thingOf(actual), ids);
      return { ...thingOf(actual), isOwn };
    },
    facts: ({ id }) => ({ handle: String(id), spec: { pgID: id } }),
    retained: ({ actual }) => membersOf(actual),
    create: ({ api, call, identity, object: { spec } }) =>
      api.createPlacementGroup(
        {
          label: ownLabel(identity, maxLabel),
          region: spec.region,
          placement_group_type: spec.placementGroupType,
          placement_group_policy: spec.placementGroupPolicy,
        },
        call,
      ),
    differences: ({ actual, object: { spec } }) => [
      ...refused("spec.region", spec.region, actual.region),
      ...refused("spec.placementGroupType", spec.placementGroupType, actual.placement_group_type),
      ...refused("spec.placementGroupPolicy", spec.placementGroupPolicy, actual.placement_group_policy),
    ],
    remove: ({ api, call, handle }) => api.deletePlacementGroup(Number(handle), call),
  });

const thingOf = ({ id }: PlacementGroup) => ({ what: `placement group ${id}`, field: "spec.pgID" });

/** Returns whether a group was made for the object: under the uid that it has, or had before it was moved. */
const isMadeFor = ({ label }: PlacementGroup, object: LinodePlacementGroup, uid: string): boolean =>
  label === ownLabel({ name: object.metadata.name ?? "", uid }, maxLabel);

const isMaker = (group: PlacementGroup, object: LinodePlacementGroup): boolean =>
  isMadeFor(group, object, object.metadata.uid ?? "");

const isHeir = (group: PlacementGroup, object: LinodePlacementGroup): boolean =>
  isMaker(group, object) || isMadeFor(group, object, ownerOf(object).id);

/**
 * The other object that a group was made for. A copy of an object has the first uid of that one, but has never had it itself; when that
 * has been moved, the older of the two has the group.
 */
const otherMaker = (
  object: LinodePlacementGroup,
  group: PlacementGroup,
  others: readonly LinodePlacementGroup[],
): LinodePlacementGroup | undefined => {
  if (isMaker(group, object)) return undefined;
  const isElder = (each: LinodePlacementGroup): boolean => !isHeir(group, object) || isOlder(each, object);
  return others.find((each) => isMaker(group, each)) ?? others.find((each) => isHeir(group, each) && isElder(each));
};

/** Nothing of a group can be changed. */
const refused = (field: string, desired: string, actual: string): readonly Difference[] =>
  desired === actual ? [] : [{ field, desired, actual, mend: "refuse" }];

const membersOf = ({ id, members }: PlacementGroup) =>
  members.length === 0
    ? undefined
    : {
        reason: LinodeReason.inUse,
        message: `waiting for the instances in placement group ${id} to be deleted: ${members
          .slice(0, 5)
          .map((member) => member.linode_id)
          .join(", ")}`,
      };
