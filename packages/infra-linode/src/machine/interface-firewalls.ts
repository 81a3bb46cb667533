import type { InstanceInterface } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Call, LinodeApi } from "../cloud/linode-api.ts";

type Given = NonNullable<LinodeMachine["spec"]["linodeInterfaces"]>[number];

/** The firewall that stands before an interface, and the one that should: `undefined` for none. */
interface Guarded {
  readonly id: number;
  readonly wanted: number | undefined;
  readonly actual: readonly number[];
}

/** An interface with what the spec says of it. One that was put in front of those of the spec has nothing said of it. */
const withGiven = (
  found: readonly InstanceInterface[],
  given: readonly Given[],
): readonly { readonly each: InstanceInterface; readonly entry: Given | undefined }[] => {
  const inFront = Math.max(0, found.length - given.length);
  return found
    .toSorted((left, right) => left.id - right.id)
    .map((each, index) => ({ each, entry: given[index - inFront] }));
};

/** Interfaces of the newer generation whose firewalls are not as they should be: its own, else the machine's. Those in VLANs have none. */
export const wrongInterfaces = async (
  {
    id,
    firewallId,
    spec,
  }: { readonly id: number; readonly firewallId: number | undefined; readonly spec: LinodeMachine["spec"] },
  api: LinodeApi,
  call: Call,
): Promise<readonly Guarded[]> => {
  const wrong: Guarded[] = [];
  for (const { each, entry } of withGiven(await api.interfaces(id, call), spec.linodeInterfaces ?? [])) {
    if (each.vlan !== undefined && each.vlan !== null) continue;
    const wanted = entry?.firewallID ?? entry?.firewall_id ?? firewallId;
    const actual = await api.interfaceFirewalls(id, each.id, call);
    if (actual.join() !== (wanted === undefined ? "" : String(wanted))) wrong.push({ id: each.id, wanted, actual });
  }
  return wrong;
};

/** The right one comes first, then the others go: the interface is never open. */
export const setInterfaceFirewalls = async (wrong: readonly Guarded[], api: LinodeApi, call: Call): Promise<void> => {
  for (const { actual, id, wanted } of wrong) {
    if (wanted !== undefined && !actual.includes(wanted)) await api.guardInterface(wanted, id, call);
    for (const other of actual) if (other !== wanted) await api.unguardInterface(other, id, call);
  }
};
