import type { EtcdMember } from "@capstan/kit/control-plane";

/** Names by which a Machine of the control plane is known in etcd. */
export interface MachineIdentity {
  /** Name of the Machine. */
  readonly machine: string;
  /** Name of its Node; `undefined` before that is known. */
  readonly node: string | undefined;
  /** Every address that its infrastructure reports. */
  readonly addresses: readonly string[];
  /** Its server may have begun to join: a member that no one else has could be its own. */
  readonly mayJoin: boolean;
  /** The same, and it is to stay. */
  readonly isExpected: boolean;
}

/** Which member of etcd runs on which Machine. */
export interface Membership {
  /** Members by the names of their Machines. */
  readonly byMachine: ReadonlyMap<string, EtcdMember>;
  /** Members of no Machine. */
  readonly strays: readonly EtcdMember[];
  /** Strays that no Machine which joins and stays could turn out to have, so that they may be removed. */
  readonly abandoned: readonly EtcdMember[];
}

const hasStarted = ({ name }: EtcdMember): boolean => name !== "";

const atAddressOf =
  ({ addresses }: MachineIdentity) =>
  ({ hosts }: EtcdMember): boolean =>
    hosts.some((host) => addresses.includes(host));

/** Ways to tell the member of a Machine, the surest first. */
const signs: readonly ((machine: MachineIdentity) => (member: EtcdMember) => boolean)[] = [
  ({ node }) =>
    ({ name }) =>
      node !== undefined && name === node,
  // A member that has started under another name than the Node's is left from an earlier machine with the address.
  (machine) => (member) => atAddressOf(machine)(member) && (machine.node === undefined || !hasStarted(member)),
  ({ machine, node }) =>
    ({ name }) =>
      node === undefined && name === machine,
];

/**
 * Tells whose each member is: by the name of the Node, the peer address, and the name of the Machine. A single member that has not started
 * belongs to the single Machine that may be joining.
 */
export const membershipOf = (members: readonly EtcdMember[], machines: readonly MachineIdentity[]): Membership => {
  const byMachine = new Map<string, EtcdMember>();
  const isTaken = (member: EtcdMember): boolean => [...byMachine.values()].includes(member);
  for (const sign of signs) {
    for (const machine of machines) {
      if (byMachine.has(machine.machine)) continue;
      const found = members.filter((member) => !isTaken(member)).filter(sign(machine));
      const [member] = found.toSorted((left, right) => Number(hasStarted(left)) - Number(hasStarted(right)));
      if (member !== undefined) byMachine.set(machine.machine, member);
    }
  }
  const joining = machines.filter(({ machine, mayJoin }) => mayJoin && !byMachine.has(machine));
  const unstarted = members.filter((member) => !isTaken(member) && !hasStarted(member));
  const [only] = joining;
  const [first] = unstarted;
  if (only !== undefined && first !== undefined && joining.length === 1 && unstarted.length === 1) {
    byMachine.set(only.machine, first);
  }
  const strays = members.filter((member) => !isTaken(member));
  const isCertain = joining.every(({ isExpected, machine }) => !isExpected || byMachine.has(machine));
  return { byMachine, strays, abandoned: isCertain ? strays : [] };
};

/** A member for people: by its name, or where it listens before it has one. */
export const describeMember = (member: EtcdMember): string =>
  hasStarted(member)
    ? `etcd member ${member.name}`
    : `etcd member ${member.id.toString(16)} (at ${member.hosts.join(", ")}, not started)`;
