import { absent } from "@capstan/kit/machine";
import type { MachineObservation } from "@capstan/kit/machine";
import type { ConditionInput } from "@capstan/contract/wire";
import {
  claimedAmong,
  firstOf,
  type Hardware,
  hardwareOwnerLabels,
  saysSecond,
  userDataSecretAnnotation,
} from "@capstan/tinkerbell/api";
import { TinkerbellCondition, TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import { affinityProblem, byWorth, lackOf, mayHave } from "./hardware-choice.ts";
import { hardwareName } from "./hardware-facts.ts";
import { type MachineContext, note } from "./machine-uses.ts";
import { type TemplateText, templateTexts } from "./template-source.ts";

/** Messages name this much Hardware that cannot be used. */
const mostNamed = 3;

/** Interval at which a machine checks whether its Hardware is still described twice. */
export const contestedPollMs = 30_000;

interface Unusable {
  readonly reason: string;
  readonly message: string;
}

/** Returns a function that gives the text of the machine's Template for some Hardware. */
export const templatesFor = (
  context: MachineContext,
  metadataUrl: string | undefined,
): ((hardware: Hardware) => TemplateText) => {
  const { infraCluster: cluster, object: machine, uses, version = "" } = context;
  const { template } = uses.catalogue;
  return templateTexts({ machine, cluster, version, metadataUrl, template });
};

const describedTwice = (hardware: Hardware, problem: string): Unusable => ({
  reason: TinkerbellReason.machineDescribedTwice,
  message: `Hardware ${hardwareName(hardware)}: ${problem}`,
});

/**
 * Returns whether a machine has to let its Hardware go, or to wait, before anything was done to it: another machine has other Hardware of the same
 * physical machine. Both may have claimed at once, each before it saw the other; who began first is seen by both.
 */
export const observeContested = (context: MachineContext, hardware: Hardware): MachineObservation | undefined => {
  const [rival] = claimedAmong(hardware, context.uses.sameMachine.others(hardware));
  if (rival === undefined) return undefined;
  const why = describedTwice(hardware, saysSecond(hardware, rival));
  const isSecond = firstOf(hardware, [rival]) !== undefined;
  return absent({ ...(isSecond ? { step: "release hardware" } : why), conditions: [notClaimed(why)] });
};

/** Why the machine could do nothing with some Hardware. */
const unusable = (
  context: MachineContext,
  hardware: Hardware,
  templateOn: (hardware: Hardware) => TemplateText,
): Unusable | undefined => {
  const lack = lackOf(hardware);
  if (lack !== undefined) {
    const message = `Hardware ${hardwareName(hardware)}: ${lack}; set it`;
    return { reason: TinkerbellReason.hardwareNotUsable, message };
  }
  const first = firstOf(hardware, context.uses.sameMachine.others(hardware));
  if (first !== undefined) return describedTwice(hardware, saysSecond(hardware, first));
  const template = templateOn(hardware);
  return "text" in template ? undefined : template;
};

/** The Hardware that the machine may take, the best first. */
const candidates = (context: MachineContext, metadataUrl: string | undefined): readonly Hardware[] => {
  const { object, uses } = context;
  const spec = object.spec ?? {};
  if (affinityProblem(spec) !== undefined) return [];
  const templateOn = templatesFor(context, metadataUrl);
  return byWorth(
    spec,
    uses.hardware.candidates(
      (hardware) => mayHave(spec, hardware) && unusable(context, hardware, templateOn) === undefined,
    ),
  );
};

/** Takes one; others may be faster. What an earlier machine left on it does not count. */
export const claimHardware = async (context: MachineContext, metadataUrl: string | undefined): Promise<void> => {
  const { uses } = context;
  const annotations = { [TinkerbellAnnotation.provisioned]: null, [userDataSecretAnnotation]: null };
  const changes = { metadata: { annotations } };
  for (const candidate of candidates(context, metadataUrl)) {
    if ((await uses.hardware.claim(candidate, changes)) === undefined) continue;
    note(context, TinkerbellReason.claimed, `claimed Hardware ${hardwareName(candidate)}`);
    return;
  }
};

/** Why there is none to take. */
const noHardware = (context: MachineContext, metadataUrl: string | undefined): Unusable => {
  const { object, uses } = context;
  const spec = object.spec ?? {};
  const problem = affinityProblem(spec);
  if (problem !== undefined) return { reason: TinkerbellReason.noHardware, message: problem };
  const { name, namespace } = hardwareOwnerLabels;
  const all = uses.hardware.offered().filter((hardware) => mayHave(spec, hardware));
  const free = all.filter(({ metadata }) => metadata.labels?.[name] === undefined);
  const templateOn = templatesFor(context, metadataUrl);
  const problems = free.flatMap((hardware) => unusable(context, hardware, templateOn) ?? []);
  const [first] = problems;
  if (first !== undefined) {
    const messages = [...new Set(problems.map(({ message }) => message))].toSorted();
    return { reason: first.reason, message: messages.slice(0, mostNamed).join("; ") };
  }
  if (spec.hardwareName !== undefined) {
    const labels = all[0]?.metadata.labels;
    const takerOf = ({ [name]: taker, [namespace]: where }: Readonly<Record<string, string>>): string =>
      where === object.metadata.namespace ? `TinkerbellMachine ${where}/${taker}` : "a machine of another namespace";
    const message =
      labels === undefined
        ? `there is no Hardware ${spec.hardwareName} as spec.hardwareName asks for; create it, or delete the Machine`
        : `Hardware ${spec.hardwareName}, which spec.hardwareName asks for, is taken by ${takerOf(labels)}; delete that one's Machine, or this one's`;
    return { reason: TinkerbellReason.noHardware, message };
  }
  const asked = (spec.hardwareAffinity?.required ?? []).length === 0 ? "" : " that spec.hardwareAffinity requires";
  const message = `no Hardware${asked} is free in the namespace or offered to it; add some, have an administrator share some, or delete Machines that have it`;
  return { reason: TinkerbellReason.noHardware, message };
};

const notClaimed = ({ reason, message }: Unusable): ConditionInput => ({
  type: TinkerbellCondition.hardwareClaimed,
  status: "False",
  reason,
  message,
});

/** Observes a machine without Hardware: returns the step that claims some, or the reason why there is none. */
export const observeUnclaimed = (context: MachineContext, metadataUrl: string | undefined): MachineObservation => {
  const { object, version } = context;
  if (version === undefined || version === "") {
    const message = `the Machine of TinkerbellMachine ${object.metadata.namespace}/${object.metadata.name} has no spec.version; set the Kubernetes version`;
    return absent({ reason: TinkerbellReason.versionMissing, message });
  }
  if (candidates(context, metadataUrl).length > 0) return absent({ step: "claim hardware" });
  const why = noHardware(context, metadataUrl);
  // Nothing may tell that the other Hardware is gone: what remains does not change by that.
  const again = why.reason === TinkerbellReason.machineDescribedTwice ? { pollMs: contestedPollMs } : {};
  return absent({ ...why, ...again, conditions: [notClaimed(why)] });
};
