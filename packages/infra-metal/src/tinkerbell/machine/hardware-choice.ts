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

/** What some Hardware is worth to a machine: the sum of the weights that it is preferred by. */
const worthOf = ({ hardwareAffinity }: Spec, { metadata }: Hardware): number =>
  (hardwareAffinity?.preferred ?? [])
    .filter(({ hardwareAffinityTerm }) => selects(hardwareAffinityTerm.labelSelector, metadata.labels))
    .reduce((sum, { weight }) => sum + weight, 0);

/** What is preferred first; among equals the order stays. */
export const byWorth = (spec: Spec, hardware: readonly Hardware[]): readonly Hardware[] =>
  hardware
    .map((each) => ({ each, worth: worthOf(spec, each) }))
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ each }) => each);

/** What some Hardware lacks that every machine needs of it; `undefined`: nothing. */
export const lackOf = (hardware: Hardware): string | undefined => {
  if (addressOf(hardware) === undefined) return "spec.interfaces[0].dhcp.ip.address is not set";
  if (agentOf(hardware) === undefined) return "neither spec.agentID nor spec.interfaces[].dhcp.mac is set";
  return undefined;
};
