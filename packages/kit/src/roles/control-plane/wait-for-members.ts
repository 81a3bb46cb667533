import { hasNode, isLeaving, type Member, nameOfMember } from "./member.ts";

/**
 * Why a step waits for the Machines that stay, a line for each that has no Node or lacks something. `missing`: the conditions that a Machine
 * with a Node does not meet yet.
 */
export const waitForMembers = (
  { leaving, members }: { readonly members: readonly Member[]; readonly leaving: Member | undefined },
  missing: (member: Member) => readonly string[],
): readonly string[] =>
  members
    .filter((member) => member !== leaving && !isLeaving(member))
    .flatMap((member) => {
      if (!hasNode(member)) return [`waiting for Machine ${nameOfMember(member)} to have its Node`];
      const lacking = missing(member);
      return lacking.length === 0
        ? []
        : [`waiting for Machine ${nameOfMember(member)} to become healthy: ${lacking.join(", ")}`];
    });
