import { selects } from "@capstan/kube-values";
import type { Hardware } from "@capstan/tinkerbell/api";
import { mostAffinityTerms } from "../api/hardware-affinity.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { addressOf, agentOf } from "./hardware-facts.ts";

type Spec = NonNullable<TinkerbellMachine["spec"]>;

/** Why no Hardware is chosen by an affinity, of which every term would be asked of every Hardware; `undefined`: nothing. */
export const affinityProblem = ({ hardwareAffinity }: Spec): string | undefined => {
  const { preferred = [], required = [] } = hardwareAffinity ?? {};
  const terms = preferred.length + required.length;
  return terms <= mostAffinityTerms
    ? undefined
    : `spec.hardwareAffinity has ${terms} terms; leave at most ${mostAffinityTerms}, for example by one with In and several values`;
};

/** Returns whether a machine may have some Hardware: the one that it names, and one of those that its affinity requires. */
export const mayHave = ({ hardwareAffinity, hardwareName }: Spec, { metadata }: Hardware): boolean => {
  if (hardwareName !== undefined && metadata.name !== hardwareName) return false;
  const { required = [] } = hardwareAffinity ?? {};
  return required.length === 0 || required.some(({ labelSelector }) => selects(labelSelector, metadata.labels));
};

/** Returns how strongly a machine prefers some Hardware: the sum of the weights of the matching terms. */
const worthOf = ({ hardwareAffinity }: Spec, { metadata }: Hardware): number =>
  (hardwareAffinity?.preferred ?? [])
    .filter(({ hardwareAffinityTerm }) => selects(hardwareAffinityTerm.labelSelector, metadata.labels))
    .reduce((sum, { weight }) => sum + weight, 0);

/** Sorts Hardware by preference, highest first. The order of equally preferred Hardware stays. */
export const byWorth = (spec: Spec, hardware: readonly Hardware[]): readonly Hardware[] =>
  hardware
    .map((each) => ({ each, worth: worthOf(spec, each) }))
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ each }) => each);

/** Returns which field that every machine needs is missing in some Hardware, as a clause; `undefined`: none. */
export const lackOf = (hardware: Hardware): string | undefined => {
  if (addressOf(hardware) === undefined) return "spec.interfaces[0].dhcp.ip.address is not set";
  if (agentOf(hardware) === undefined) return "neither spec.agentID nor spec.interfaces[].dhcp.mac is set";
  return undefined;
};
