import { hasNode, isLeaving, nameOfMember, type Member } from "@capstan/kit/control-plane";
import { findCondition } from "@capstan/kit/machines";
import { byText } from "@capstan/kube-values";
import { MemberCondition } from "../api/control-plane-conditions.ts";

const podTypes = [MemberCondition.apiServer, MemberCondition.controllerManager, MemberCondition.scheduler] as const;

/** The name of its Node; empty before that is known. */
export const nodeOf = ({ machine }: Member): string => machine.status?.nodeRef?.name ?? "";

const isTrue = ({ machine }: Member, type: string): boolean => findCondition(machine, type)?.status === "True";

/** Its member of etcd worked when it was looked at last: the others know it, and it runs. */
export const isHealthyMember = (member: Member): boolean =>
  isTrue(member, MemberCondition.etcdMember) && isTrue(member, MemberCondition.etcdPod);

/** Returns true if the Pod of the API server on the Machine worked when it was last looked at. */
export const servesApi = (member: Member): boolean => isTrue(member, MemberCondition.apiServer);

/** Nodes to ask etcd on, those first whose members worked. */
export const nodesOf = (members: readonly Member[], except?: Member): readonly string[] =>
  members
    .filter((member) => member !== except && hasNode(member))
    .toSorted(
      (left, right) =>
        Number(isLeaving(left)) - Number(isLeaving(right)) ||
        Number(isHealthyMember(right)) - Number(isHealthyMember(left)) ||
        byText(nameOfMember(left), nameOfMember(right)),
    )
    .map(nodeOf);

/** Returns the components of a Machine that stays and that are not known to be healthy. */
export const missingHealth = (member: Member, ownEtcd: boolean): readonly string[] =>
  [...podTypes, ...(ownEtcd ? [MemberCondition.etcdPod, MemberCondition.etcdMember] : [])].filter(
    (type) => !isTrue(member, type),
  );

/** Returns whether an API server is left without one of the Machines. */
export const servesWithout = (members: readonly Member[], leaving: Member | undefined, ownEtcd: boolean): boolean =>
  members.some(
    (member) =>
      member !== leaving &&
      !isLeaving(member) &&
      hasNode(member) &&
      missingHealth(member, ownEtcd).every((type) => type === MemberCondition.etcdMember),
  );
