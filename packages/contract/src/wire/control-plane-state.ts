import type { KubeObject } from "@capstan/schema";
import { CapstanError } from "../error.ts";
import type { ContractVersion } from "./contract-version.ts";
import { controlPlane } from "./control-plane.ts";
import { describeObject } from "./describe.ts";

interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** Pre-release and build, which have no order here. */
  readonly suffix: string;
}

const parseVersion = (object: KubeObject, path: string, version: string): Version => {
  const match = /^v?(\d+)\.(\d+)\.(\d+)([-+].+)?$/.exec(version);
  if (match === null) throw invalid(object, path, `"${version}" is not a semantic version`);
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], suffix: match[4] ?? "" };
};

const invalid = (object: KubeObject, path: string, detail: string): CapstanError =>
  new CapstanError({
    code: "wire.field_invalid",
    reason: "InvalidField",
    message: `${describeObject(object)}: ${path}: ${detail}`,
    details: { path },
  });

const compare = (left: Version, right: Version): number => {
  for (const index of [0, 1, 2] as const) {
    if (left.numbers[index] !== right.numbers[index]) return left.numbers[index] - right.numbers[index];
  }
  return 0;
};

/** The lowest version that any replica runs, `undefined` while none is known. */
const lowestVersion = (object: KubeObject, contract: ContractVersion): Version | undefined => {
  const fields = controlPlane.for(contract);
  const list = fields.statusVersions.get(object);
  if (list === undefined) {
    const version = fields.statusVersion.get(object);
    return version === undefined ? undefined : parseVersion(object, fields.statusVersion.path, version);
  }
  const path = fields.statusVersions.path;
  const versions = list.map((entry) => {
    if ((entry.replicas ?? 0) < 0) throw invalid(object, path, `replicas of ${entry.version} is negative`);
    return parseVersion(object, path, entry.version);
  });
  versions.slice(1).forEach((version, index) => {
    const before = versions[index];
    if (before !== undefined && compare(before, version) > 0) {
      throw invalid(object, path, "not ordered from old to new");
    }
  });
  return versions[0];
};

/** Returns whether some replica runs a version below the wanted one. Throws `wire.field_invalid` for versions that cannot be read. */
export const isUpgrading = (object: KubeObject, contract: ContractVersion): boolean => {
  const fields = controlPlane.for(contract);
  const lowest = lowestVersion(object, contract);
  if (lowest === undefined) return false;
  return compare(lowest, parseVersion(object, fields.version.path, fields.version.require(object))) < 0;
};

/** Returns whether the control plane is still adding, removing or replacing replicas; a counter that is missing counts as scaling. */
export const isScaling = (object: KubeObject, contract: ContractVersion): boolean => {
  const fields = controlPlane.for(contract);
  const wanted = fields.replicas.require(object);
  const counters = [fields.statusReplicas, fields.upToDateReplicas, fields.readyReplicas, fields.availableReplicas];
  const short = counters.some((counter) => counter !== undefined && counter.get(object) !== wanted);
  return short || (fields.unavailableReplicas?.get(object) ?? 0) > 0;
};
