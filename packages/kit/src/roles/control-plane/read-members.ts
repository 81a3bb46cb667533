import type { ContractReference } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Machine } from "../../machines/machine.ts";
import type { Making } from "../../machines/maker.ts";
import type { ControlPlaneAuthor, DesiredControlPlane } from "./author.ts";
import type { Member } from "./member.ts";
import { byAge } from "./member.ts";
import { outdatedReasons } from "./outdated.ts";

/** Returns an object that a Machine refers to; `undefined` if it does not exist or is not in the cache yet. */
const partOf = async (
  { context, externals }: Making,
  machine: Machine,
  reference: ContractReference | undefined,
): Promise<KubeObject | undefined> =>
  reference === undefined ? undefined : (await externals.find(context, reference, machine.metadata.namespace))?.object;

/** The Machines with what they refer to, and why they have to be replaced; oldest first. */
export const readMembers = async <O extends KubeObject>(
  author: ControlPlaneAuthor<O>,
  making: Making,
  { object, desired }: { readonly object: O; readonly desired: DesiredControlPlane },
  machines: readonly Machine[],
): Promise<readonly Member[]> => {
  const now = making.context.clock.now();
  const members: Member[] = [];
  for (const machine of machines) {
    const config = await partOf(making, machine, machine.spec.bootstrap.configRef);
    const infrastructure = await partOf(making, machine, machine.spec.infrastructureRef);
    const about = { kind: author.kind.kind, desired };
    const outdated = [
      ...outdatedReasons(machine, infrastructure, about, now),
      ...(author.outdated?.({ object, member: { machine, config, infrastructure } }) ?? []),
    ];
    members.push({ machine, config, infrastructure, outdated, broken: false });
  }
  return members.sort(byAge);
};
