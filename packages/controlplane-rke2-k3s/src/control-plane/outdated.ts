import type { Member } from "@capstan/kit/control-plane";
import { isJsonObject, type KubeObject, sameJson } from "@capstan/schema";
import type { ControlPlaneDistribution } from "../distribution/distribution.ts";

/** A value without what is empty: upstream's managers write empty members that others leave out. */
const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (!isJsonObject(value)) return value === "" || value === null ? undefined : value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const rest = withoutEmpty(member);
    return rest === undefined ? [] : [[name, rest] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
};

const isSame = (left: unknown, right: unknown): boolean =>
  sameJson(withoutEmpty(left) ?? null, withoutEmpty(right) ?? null);

/** Returns whether a Machine was made with other settings of servers. Without the annotation it was not; one that cannot be read counts as another. */
const serverConfigDiffers = (text: string | undefined, wanted: unknown): boolean => {
  if (text === undefined) return false;
  try {
    return !isSame(JSON.parse(text) ?? {}, wanted);
  } catch {
    return true;
  }
};

/** Why a Machine has to be replaced: its config, or the settings of servers, are not what the control plane wants now. */
export const outdatedReasons = <O extends KubeObject>(
  of: ControlPlaneDistribution<O>,
  object: O,
  { config, machine }: Pick<Member, "config" | "machine">,
): readonly string[] => {
  const { [of.serverAnnotation]: server } = machine.metadata.annotations ?? {};
  const stored = (config?.["spec"] ?? {}) as Readonly<Record<string, unknown>>;
  const spec = config === undefined ? stored : (of.withoutInjected?.(stored, config) ?? stored);
  const configDiffers = config !== undefined && !isSame(of.withDefaults(spec), of.withDefaults(of.configSpec(object)));
  return [
    ...(configDiffers ? [`${of.configKind.kind} is not up-to-date`] : []),
    ...(serverConfigDiffers(server, of.serverConfig(object)) ? ["serverConfig is not up-to-date"] : []),
  ];
};
