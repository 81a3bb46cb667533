import { isCapstanError } from "@capstan/contract";
import { machine as machineFields, infraMachine } from "@capstan/contract/wire";
import { hasNode, isLeaving, isUnhealthy, nameOfMember, type Member } from "@capstan/kit/control-plane";
import { nodeOf } from "./members.ts";
import { viewOfEtcd, type Context } from "../etcd/etcd-access.ts";
import type { EtcdMember, EtcdView } from "@capstan/kit/control-plane";
import { membershipOf, type MachineIdentity, type Membership } from "../etcd/membership.ts";

/** Every address that a Machine or its infrastructure machine reports; where they are reported is the same in both contracts. */
const addressesOf = ({ infrastructure, machine }: Member): readonly string[] =>
  [
    ...(machineFields.addresses.get(machine) ?? []),
    ...(infrastructure === undefined ? [] : (infraMachine.for("v1beta2").addresses.get(infrastructure) ?? [])),
  ].map(({ address }) => address);

const identityOf = (member: Member): MachineIdentity => {
  const mayJoin = !hasNode(member) && machineFields.dataSecretName.get(member.machine) !== undefined;
  return {
    machine: nameOfMember(member),
    node: hasNode(member) ? nodeOf(member) : undefined,
    addresses: addressesOf(member),
    mayJoin,
    isExpected: mayJoin && !isLeaving(member) && !isUnhealthy(member),
  };
};

/** Which member of etcd runs on which of the Machines. */
export const membersOfMachines = (view: EtcdView, members: readonly Member[]): Membership =>
  membershipOf(view.members, members.map(identityOf));

/** Ids of the members of Machines that are healthy. */
export const healthyIds = (
  { byMachine }: Membership,
  members: readonly Member[],
  isHealthy: (member: Member) => boolean,
): ReadonlySet<bigint> =>
  new Set(members.filter(isHealthy).flatMap((member) => idOf(byMachine.get(nameOfMember(member)))));

const idOf = (member: EtcdMember | undefined): readonly bigint[] => (member === undefined ? [] : [member.id]);

/**
 * Reports whether the etcd member of a Machine that is being deleted, whose conditions no longer tell, answers and
 * knows a leader.
 */
const stillWorks = async (context: Context, member: Member): Promise<boolean> => {
  if (!isLeaving(member) || !hasNode(member)) return false;
  try {
    return (await viewOfEtcd(context, [nodeOf(member)])).leader !== 0n;
  } catch (error) {
    if (isCapstanError(error)) return false;
    throw error;
  }
};

/** Returns the Machines whose members work: `isHealthy` tells for those that stay, and those that are being deleted are asked. */
export const workingMembers = async (
  context: Context,
  members: readonly Member[],
  isHealthy: (member: Member) => boolean,
): Promise<ReadonlySet<Member>> => {
  const works = await Promise.all(
    members.map(async (member) => isHealthy(member) || (await stillWorks(context, member))),
  );
  return new Set(members.filter((_, index) => works[index] === true));
};
