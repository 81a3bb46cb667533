import type { ControllerV1 } from "@capstan/contract/v1";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Difference, ResourceContext } from "@capstan/kit/resource";
import { resource } from "@capstan/kit/resource";
import { marksIn, ownerTag, peers, trustedIds } from "@capstan/kit/engine";
import type { TakenThing } from "@capstan/kit/engine";
import type { UpdateVpc, Vpc } from "@capstan/linode-client";
import { LinodeReason } from "../api/linode-conditions.ts";
import { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";
import type { Connect } from "../cloud/connections.ts";
import { createLabelled, labelsFor } from "../cloud/labels.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { labelledCluster } from "../resource/cluster-owner.ts";
import { refuseGivenId } from "../resource/given-id.ts";
import { holderOf, isRecordedOrAdopted } from "../resource/owner-tags.ts";
import type { Holder } from "../resource/owner-tags.ts";
import { thingAuthor } from "../resource/resource-author.ts";
import { plainDescription, tagsIn, vpcDescription } from "../resource/vpc-description.ts";
import {
  labelledSubnets,
  missingSubnets,
  removableSubnets,
  subnetBody,
  subnetDifferences,
  subnetFacts,
} from "./subnets.ts";

const maxLabel = 64;

const uses = { cluster: labelledCluster(), ids: trustedIds(), peers: peers(LinodeVPC) };

type Context = ResourceContext<LinodeVPC, LinodeApi, typeof uses>;

/** VPCs at Linode with their subnets. */
export const linodeVpc = (connect: Connect, options: LinodeProviderOptions): ControllerV1 =>
  resource<LinodeVPC, LinodeApi, Vpc, typeof uses>({
    ...thingAuthor(LinodeVPC, connect, options),
    noun: "the VPC",
    uses,
    find,
    takenBy,
    byId: (context) => ({ ...thingOf(context), isOwn: holderIn(context).kind === "ours" }),
    facts: factsOf,
    retained: ({ actual, object }) => usedBy(object, actual),
    create,
    differences: differencesOf,
    update,
    remove,
  });

/** By the id that the object records, or by its labels and the tag in the description. */
const find = async (context: Context): Promise<Vpc | undefined> => {
  const { api, call, identity, object } = context;
  const { vpcID } = object.spec;
  const recorded = vpcID === undefined ? undefined : await api.vpc(vpcID, call);
  if (recorded !== undefined) return isLeft(object, recorded) ? undefined : recorded;
  for (const label of labelsFor(identity, maxLabel)) {
    const found = await api.findVpc(label, call);
    if (found !== undefined && isMadeFor(context, found)) return isLeft(object, found) ? undefined : found;
  }
  return undefined;
};

const thingOf = ({ actual }: { readonly actual: Vpc }) => ({ what: `VPC ${actual.id}`, field: "spec.vpcID" });

const holderIn = (context: Context & { readonly actual: Vpc }): Holder => {
  const {
    actual,
    identity,
    object,
    uses: { ids, peers: others },
  } = context;
  const isOwnUnmarked = isRecordedOrAdopted(object, thingOf(context), ids);
  return holderOf(tagsIn(actual.description), { identity, kind: LinodeVPC.kind, peers: others, isOwnUnmarked });
};

/** Returns whether a VPC that is called as the object's own was made for it. */
const isMadeFor = ({ identity }: Context, { description }: Vpc): boolean => {
  const tags = tagsIn(description);
  const isMarked = marksIn(tags).length > 0;
  return isMarked ? tags.includes(ownerTag(identity.owner)) : tags.includes(identity.tag);
};

const takenBy = (context: Context & { readonly actual: Vpc }): TakenThing | undefined => {
  const holder = holderIn(context);
  if (holder.kind !== "theirs") return undefined;
  const mend = "correct spec.vpcID, or leave it out to have one made";
  return { ...thingOf(context), owner: holder.owner, mend };
};

/** A VPC that stays is none of the object's any more once the subnets that go with it are gone. */
const isLeft = (object: LinodeVPC, vpc: Vpc): boolean =>
  isBeingDeleted(object) && object.spec.retain && removableSubnets(object, vpc).length === 0;

const factsOf = ({ id, ipv4, ipv6, subnets }: Vpc, { spec }: LinodeVPC) => ({
  handle: String(id),
  spec: {
    vpcID: id,
    ...(ipv4 !== undefined && ipv4.length > 0 && { ipv4: ipv4.map(({ range }) => ({ range })) }),
    ...(ipv6 !== undefined && ipv6 !== null && ipv6.length > 0 && { ipv6: ipv6.map(({ range }) => ({ range })) }),
    ...(spec.subnets !== undefined && { subnets: subnetFacts(spec, subnets) }),
  },
});

/** Returns the users that prevent the deletion of a VPC, or of the removable subnets of one that stays. */
const usedBy = (object: LinodeVPC, vpc: Vpc) => {
  const going = object.spec.retain ? removableSubnets(object, vpc) : vpc.subnets;
  const used = going.filter(({ linodes }) => linodes.length > 0);
  if (used.length === 0) return undefined;
  const instances = used.flatMap(({ linodes }) => linodes.map(({ id }) => id));
  return {
    reason: LinodeReason.inUse,
    message: `waiting for instances in subnets ${used.map(({ label }) => label).join(", ")} of VPC ${vpc.id} to be deleted: ${instances.slice(0, 5).join(", ")}`,
  };
};

const create = async (context: Context): Promise<void> => {
  const { api, call, identity, object } = context;
  refuseGivenId(object, { field: "spec.vpcID", noun: "VPC", id: object.spec.vpcID });
  const { description, ipv4Range = [], ipv6Range = [], region } = object.spec;
  const subnets = labelledSubnets(object.spec);
  const ipv6 = ipv6Range.map(({ allocation_class: other, allocationClass = other, range = "auto" }) => ({
    range,
    ...(allocationClass !== undefined && { allocation_class: allocationClass }),
  }));
  const body = {
    region,
    description: vpcDescription(description, identity),
    ...(ipv4Range.length > 0 && { ipv4: ipv4Range.map((range) => ({ range })) }),
    ...(ipv6.length > 0 && { ipv6 }),
    ...(subnets.length > 0 && { subnets: subnets.map(subnetBody) }),
  };
  await createLabelled<void>(labelsFor(identity, maxLabel), {
    create: (label) => api.createVpc({ ...body, label }, call),
    isOurs: async (label) => {
      const holder = await api.findVpc(label, call);
      return holder !== undefined && isMadeFor(context, holder);
    },
  });
};

/** As much of the description as there is room for. */
const shownDescription = ({ actual, identity, object }: Context & { readonly actual: Vpc }): string => {
  const { description = "" } = object.spec;
  const isTagged = tagsIn(actual.description).length > 0;
  return isTagged ? plainDescription(vpcDescription(description, identity)) : description;
};

/** Returns whether it is the object's and does not say so: an older release made it, or it was adopted. */
const lacksMark = (context: Context & { readonly actual: Vpc }): boolean => {
  const holder = holderIn(context);
  return holder.kind === "ours" && !holder.isMarked;
};

const differencesOf = (context: Context & { readonly actual: Vpc }) => {
  const { actual, object } = context;
  const { ipv4Range = [], ipv6Range = [], region } = object.spec;
  const { ipv4 = [], ipv6 } = actual;
  const ranges = ipv4.map(({ range }) => range);
  const found: readonly (Difference | false)[] = [
    actual.region !== region && {
      field: "spec.region",
      desired: region,
      actual: actual.region,
      mend: "refuse",
    },
    (plainDescription(actual.description) !== shownDescription(context) || lacksMark(context)) && {
      field: "spec.description",
      mend: "update",
    },
    ipv4Range.some((range) => !ranges.includes(range)) && {
      field: "spec.ipv4Range",
      desired: ipv4Range.join(", "),
      actual: ranges.join(", ") || "Linode's own",
      mend: "update",
    },
    ipv6Range.length > 0 && (ipv6 ?? []).length === 0 && { field: "spec.ipv6Range", mend: "refuse" },
  ];
  return [...found.filter((difference) => difference !== false), ...subnetDifferences(object, actual)];
};

const update = async (
  context: Context & {
    readonly actual: Vpc;
    readonly handle: string;
    readonly differences: readonly Difference[];
  },
): Promise<void> => {
  const { actual, api, call, differences, identity, object } = context;
  const differs = (field: string): boolean => differences.some((difference) => difference.field === field);
  const { description, ipv4Range = [] } = object.spec;
  const change: UpdateVpc = {
    ...(differs("spec.description") && { description: vpcDescription(description, identity) }),
    ...(differs("spec.ipv4Range") && { ipv4: ipv4Range.map((range) => ({ range })) }),
  };
  if (Object.keys(change).length > 0) await api.updateVpc(actual.id, change, call);
  for (const subnet of missingSubnets(object, actual)) await api.createSubnet(actual.id, subnetBody(subnet), call);
};

const remove = async ({ api, call, handle, object }: Context & { readonly handle: string }): Promise<void> => {
  const id = Number(handle);
  if (!object.spec.retain) {
    await api.deleteVpc(id, call);
    return;
  }
  const vpc = await api.vpc(id, call);
  if (vpc === undefined) return;
  for (const { id: subnetId } of removableSubnets(object, vpc)) await api.deleteSubnet(id, subnetId, call);
};
