import type { CapstanError } from "@capstan/contract";
import type { NamespaceGrant } from "@capstan/kit/engine";
import { describeObject } from "@capstan/contract/wire";
import { marksIn, trustedIdsLabel } from "@capstan/kit/engine";
import type { KubeObject } from "@capstan/schema";
import { linodeError } from "../cloud/errors.ts";
import type { Call, FirewallCalls, VpcCalls } from "../cloud/linode-api.ts";
import { tagsIn } from "./vpc-description.ts";
import { isTaggedFrom } from "./owner-tags.ts";

/** A thing that an object names by its id. */
export interface NamedId {
  readonly field: string;
  readonly id: number;
}

/** Ids, written by a user, of the things that an object is about to join. */
export interface NamedPlaces {
  readonly vpc?: NamedId | undefined;
  readonly subnets?: readonly NamedId[];
  readonly firewalls?: readonly NamedId[];
}

interface Asking {
  readonly api: Pick<VpcCalls, "vpc" | "vpcs"> & Pick<FirewallCalls, "firewall">;
  readonly call: Call;
  readonly object: KubeObject;
  readonly uses: { readonly ids: NamespaceGrant };
}

/** Why an object does not join a network or firewall of another namespace. `what`: for example `VPC 12`. */
export const foreignPlace = (object: KubeObject, field: string, what: string): CapstanError => {
  const mend = `name one of the namespace's own, or ask an administrator to label the Namespace with ${trustedIdsLabel}=true`;
  return linodeError("foreign", `${describeObject(object)}: ${field}: ${what} belongs to another owner; ${mend}`);
};

const refuse = ({ object }: Asking, { field, id }: NamedId, noun: string): never => {
  throw foreignPlace(object, field, `${noun} ${id}`);
};

/** Throws `linode.owned_by_another` where an object would join networks or firewalls that bear the mark of another namespace. */
export const refuseForeign = async (
  asking: Asking,
  { firewalls = [], subnets = [], vpc }: NamedPlaces,
): Promise<void> => {
  const { api, call, object, uses } = asking;
  const { namespace = "" } = object.metadata;
  if (uses.ids.has(namespace)) return;
  const isForeign = (tags: readonly string[]): boolean => marksIn(tags).length > 0 && !isTaggedFrom(tags, namespace);
  if (vpc !== undefined) {
    const found = await api.vpc(vpc.id, call);
    if (found !== undefined && isForeign(tagsIn(found.description))) refuse(asking, vpc, "VPC");
  }
  for (const firewall of firewalls) {
    const found = await api.firewall(firewall.id, call);
    if (found !== undefined && isForeign(found.tags)) refuse(asking, firewall, "firewall");
  }
  if (subnets.length === 0) return;
  const all = await api.vpcs(call);
  for (const subnet of subnets) {
    const found = all.find((each) => each.subnets.some(({ id }) => id === subnet.id));
    if (found !== undefined && isForeign(tagsIn(found.description))) refuse(asking, subnet, "subnet");
  }
};
