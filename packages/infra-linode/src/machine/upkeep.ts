import type { MachineFacts, MachineVerbContext } from "@capstan/kit/machine";
import type { Instance } from "@capstan/linode-client";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import { usesLinodeInterfaces } from "./configuration.ts";
import { isIdentityTag } from "@capstan/kit";
import { ownerTag, withEpoch } from "@capstan/kit/engine";
import { setInterfaceFirewalls, wrongInterfaces } from "./interface-firewalls.ts";
import { linodeDefaults, type LinodeProviderOptions } from "../options.ts";
import { refuseForeign } from "../resource/foreign-ids.ts";
import { namedObject } from "../resource/ready-resource.ts";
import { namedFirewalls } from "./named-places.ts";
import { driftStep } from "./preparation.ts";
import { firewallOf } from "./requirements.ts";
import type { requirementUses } from "./requirements.ts";
import { tagsToSet, wantedTags } from "./tags.ts";

type Context = MachineVerbContext<LinodeMachine, LinodeApi, LinodeCluster, typeof requirementUses>;
type StepContext = Context & { readonly handle: string };

const tagsOf = ({ object, identity }: Context, current: readonly string[]): readonly string[] =>
  wantedTags({
    specTags: object.spec.tags ?? [],
    clusterName: identity.clusterName,
    identityTags: withEpoch([current.find(isIdentityTag) ?? identity.tag, ownerTag(identity.owner)], identity),
  });

const tagChange = (context: Context, current: readonly string[]): readonly string[] | undefined => {
  // The mark of another epoch is ours to replace, whatever the status has of it.
  const marked = withEpoch(current, context.identity);
  const others = current.filter((tag) => !marked.includes(tag));
  const managed = [...(context.object.status?.tags ?? []), ...others];
  return tagsToSet({ wanted: tagsOf(context, current), managed, current });
};

/** The firewall a running instance should have, `none` when there is to be none; `undefined` leaves it as it is. */
const wantedFirewall = (context: Context): number | "none" | undefined => {
  if (context.object.spec.firewallID === 0) return "none";
  const firewall = firewallOf(context);
  return firewall === undefined || "waiting" in firewall ? undefined : firewall.id;
};

/**
 * Returns the change that attaches an instance to its firewall; `undefined` when it is attached. Instances of the newer
 * generation have a firewall on each interface.
 */
const firewallChange = async (context: Context, id: number): Promise<(() => Promise<void>) | undefined> => {
  const { api, call, object } = context;
  const firewall = wantedFirewall(context);
  if (firewall === undefined) return undefined;
  const firewallId = firewall === "none" ? undefined : firewall;
  if (usesLinodeInterfaces(object.spec)) {
    const wrong = await wrongInterfaces({ id, firewallId, spec: object.spec }, api, call);
    return wrong.length === 0 ? undefined : () => setInterfaceFirewalls(wrong, api, call);
  }
  const wanted = firewallId === undefined ? [] : [firewallId];
  const actual = await api.firewallIds(id, call);
  return actual.join() === wanted.join() ? undefined : () => api.setFirewalls(id, wanted, call);
};

/** True if the machine needs more than the list shows; a list without news does not wake the machine for it. */
const isWatched = ({ object: { spec } }: Context): boolean =>
  spec.configuration?.kernel !== undefined ||
  spec.networkHelper !== undefined ||
  spec.osDisk?.label !== undefined ||
  spec.firewallID !== undefined ||
  namedObject(spec.firewallRef) !== undefined;

/**
 * Makes a running instance follow its object: tags, firewall, kernel, network helper, and the label of the boot disk.
 */
export const upkeep = async (
  context: Context,
  instance: Instance,
  known: MachineFacts,
  { driftPollMs = linodeDefaults.driftPollMs }: LinodeProviderOptions,
): Promise<MachineFacts & { readonly pollMs?: number; readonly step?: string }> => {
  const facts = isWatched(context) ? { ...known, pollMs: driftPollMs } : known;
  if (tagChange(context, instance.tags) !== undefined) {
    // From the first look on the status shows a mark: that of a machine without any proves what an older release made.
    const tags = context.object.status?.tags ?? [ownerTag(context.identity.owner)];
    return { ...facts, status: { ...facts.status, tags }, step: "tag" };
  }
  const tagged = { ...facts, status: { ...facts.status, tags: tagsOf(context, instance.tags) } };
  if ((await firewallChange(context, instance.id)) !== undefined) return { ...tagged, step: "firewall" };
  const step = await driftStep(context, instance.id);
  return step === undefined ? tagged : { ...tagged, step };
};

/** Setting tags replaces them all, so they are read again: a list may be older than another user's change. */
export const tagStep = async (context: StepContext): Promise<void> => {
  const { api, handle, call } = context;
  const instance = await api.getInstance(Number(handle), call);
  const tags = instance === undefined ? undefined : tagChange(context, instance.tags);
  if (tags !== undefined) await api.setTags(Number(handle), tags, call);
};

export const firewallStep = async (context: StepContext): Promise<void> => {
  const change = await firewallChange(context, Number(context.handle));
  if (change === undefined) return;
  await refuseForeign(context, { firewalls: namedFirewalls(context.object.spec) });
  await change();
};
