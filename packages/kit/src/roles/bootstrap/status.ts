import { isControlPlaneInitialized } from "../control-plane-initialized.ts";
import { RoleReason } from "../reasons.ts";
import type { ConditionInput, DeprecatedCondition, MergePatch, Severity } from "@capstan/contract/wire";
import {
  bootstrapConditions as bootstrapTable,
  bootstrapConfig,
  conditionOf,
  conditionsOf,
  deprecatedConditionOf,
  deprecatedConditionsOf,
  machine as machineFields,
  mergePatches,
  setCondition,
  setDeprecatedCondition,
  summarize,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { ObjectContext } from "../../engine/author.ts";
import { standardConditions, type Verdict } from "../../engine/conditions.ts";
import type { ObjectFacts } from "../../engine/observation.ts";
import { stepReason } from "../../engine/reasons.ts";

/** Condition of bootstrap configs: the Secret with the bootstrap data is there. */
const dataSecretAvailable = bootstrapTable.dataSecretAvailable.type;

const fields = bootstrapConfig.for("v1beta2");
const olderFields = bootstrapConfig.for("v1beta1");

/** The observed data of a config. */
export interface BootstrapFacts extends ObjectFacts {
  /** Name of the Secret. */
  readonly dataSecret?: string;
}

/** The name of the data Secret, once there is one: by own status, or by the Machine after a move. */
export const dataSecretOf = (config: KubeObject, machine: KubeObject): string | undefined =>
  (fields.dataSecretName.get(config) ?? machineFields.dataSecretName.get(machine)) || undefined;

/** The flags of both contracts; never unset. */
export const bootstrapFactsPatch = ({ dataSecret }: BootstrapFacts): MergePatch =>
  dataSecret === undefined
    ? {}
    : mergePatches(
        fields.dataSecretName.patch(dataSecret),
        fields.dataSecretCreated.patch(true),
        olderFields.dataSecretCreated.patch(true),
      );

/**
 * DataSecretAvailable, and Ready, which summarises it with conditions of the author's own. A failure that one of those says leaves
 * DataSecretAvailable as it was, once the control plane is there: until then it tells who fails from who waits for the lock.
 */
export const bootstrapConditions = (
  verdict: Verdict,
  { changes, clock }: Pick<ObjectContext<KubeObject>, "changes" | "clock">,
  config: {
    readonly machine: KubeObject;
    readonly cluster: KubeObject;
    /** Conditions that the author has said in this reconcile, by type. */
    readonly said: ReadonlyMap<string, ConditionInput>;
    readonly readyInputs: readonly string[];
  },
): readonly ConditionInput[] => {
  const { machine, readyInputs } = config;
  // What was made outside is being removed: the data is still there, and only Ready says how that goes.
  if (isBeingDeleted(changes.object)) return standardConditions(verdict, false);
  const isUnmet = (type: string): boolean => config.said.has(type) && config.said.get(type)?.status !== "True";
  const isExplained = isControlPlaneInitialized(config.cluster) && readyInputs.some(isUnmet);
  const hasData = dataSecretOf(changes.object, machine) !== undefined;
  const isSilent = verdict.failure === undefined ? verdict.reason === generating : isExplained || hasData;
  // In this order, whatever was said first.
  const said = new Map([...(isSilent ? [] : [[dataSecretAvailable, availability(verdict)] as const]), ...config.said]);
  for (const type of readyInputs) {
    const standing = said.has(type) ? undefined : standingCondition(changes.object, type, verdict);
    if (standing !== undefined) said.set(type, standing);
  }
  const now = clock.now();
  const current = [...said.values()].reduce(
    (conditions, condition) => setCondition(conditions, condition, { now }),
    conditionsOf(changes.object),
  );
  const inputs = readyInputs.map((type) => ({ type, ignoreIfAbsent: true }));
  const ready = summarize(current, [{ type: dataSecretAvailable }, ...inputs]);
  const older = [...said.values()].reduce(
    (conditions, condition) => setDeprecatedCondition(conditions, condition, { now }),
    deprecatedConditionsOf(changes.object),
  );
  const worst = worstOf(older, [dataSecretAvailable, ...readyInputs]);
  return [...said.values(), { ...ready, ...(worst !== undefined && { mirrors: worst }) }];
};

/** Data is about to be made: what comes of it is said afterwards. */
const generating = stepReason("generate");

const severities: readonly (string | undefined)[] = ["Error", "Warning", "Info"];

/** Returns the worst condition, which Ready of `v1beta1` repeats; `undefined` if none is False. */
const worstOf = (
  conditions: readonly DeprecatedCondition[],
  types: readonly string[],
): DeprecatedCondition | undefined => {
  const unmet = types.flatMap((type) => conditions.filter((each) => each.type === type && each.status === "False"));
  return unmet.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))[0];
};

/** A condition of the author's of which nothing new was said: as it stands, and met where data was made and the status is lost. */
const standingCondition = (object: KubeObject, type: string, { ready }: Verdict): ConditionInput | undefined => {
  const standing = conditionOf(object, type);
  if (standing === undefined) return ready ? { type, status: "True", reason: RoleReason.dataAvailable } : undefined;
  const { message, reason, status } = standing;
  const older = deprecatedConditionOf(object, type);
  return { type, status, reason, message, ...(older !== undefined && { mirrors: older }) };
};

/** Reasons of waiting: `v1beta2` has one reason for all of them, `v1beta1` one for each. */
const waits: readonly string[] = [RoleReason.waitingForClusterInfrastructure, RoleReason.waitingForControlPlane];

/** Data that is there stays there whatever fails later; the failure itself, with the reason of its error, is an event. */
const availability = ({ failure, message, ready, reason }: Verdict): ConditionInput => {
  if (ready) return { type: dataSecretAvailable, status: "True", reason: RoleReason.dataAvailable };
  const unavailable = { type: dataSecretAvailable, status: "False", message } as const;
  const older = (said: { readonly reason: string; readonly severity: Severity }): ConditionInput => ({
    ...unavailable,
    reason: RoleReason.dataNotAvailable,
    deprecated: { status: "False", ...said },
  });
  if (failure !== undefined) return older({ reason: RoleReason.dataGenerationFailed, severity: "Warning" });
  return waits.includes(reason) ? older({ reason, severity: "Info" }) : { ...unavailable, reason };
};
