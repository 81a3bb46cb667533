import { CapstanError, isCapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import type { Client } from "@capstan/kube";
import manifest from "../../package.json" with { type: "json" };
import { allRecords, definitionNames, findRecord, type InstallationRecord } from "./record.ts";
import { countedKinds, leftObjects } from "./removal.ts";

const numbersOf = (version: string): readonly number[] => (version.split(/[-+]/, 1)[0] ?? "").split(".").map(Number);

const isNewer = (version: string, than: string): boolean => {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
};

const downgrade = (installation: string, { version }: InstallationRecord): CapstanError =>
  new CapstanError({
    code: "installation.downgrade",
    reason: "Downgrade",
    message: `the installation ${installation} was created by Capstan ${version}; this is ${manifest.version}, which may not read what the newer release stored; use that release, or run capstan install --allow-downgrade`,
    retry: { kind: "never" },
  });

/**
 * Throws `installation.downgrade` when a newer release of Capstan made this installation, or another one that shares definitions with it:
 * this release may know neither the versions in which objects are stored nor what they mean.
 */
export const checkNoDowngrade = async (
  client: Client,
  providers: readonly ProviderV1[],
  place: { readonly installation: string; readonly systemNamespace: string },
  signal: AbortSignal,
): Promise<void> => {
  const own = new Set(providers.flatMap(definitionNames));
  const newer = (await allRecords(client, signal)).find(
    ({ installation, namespace, record }) =>
      isNewer(record.version, manifest.version) &&
      ((installation === place.installation && namespace === place.systemNamespace) ||
        Object.values(record.providers)
          .flat()
          .some((name) => own.has(name))),
  );
  if (newer === undefined) return;
  throw downgrade(newer.installation, newer.record);
};

/**
 * Throws `installation.downgrade` when a newer release of Capstan made the installation of a manager that starts, as when someone gave an
 * older image to its Deployment. A manager that may not read the record, of roles that an older release made, starts unchecked.
 */
export const checkRelease = async (
  client: Client,
  place: { readonly installation: string; readonly systemNamespace: string },
  signal: AbortSignal,
): Promise<void> => {
  const record = await findRecord(client, place, signal).catch((error: unknown) => {
    if (isCapstanError(error, "kube.forbidden")) return undefined;
    throw error;
  });
  if (record !== undefined && isNewer(record.version, manifest.version)) throw downgrade(place.installation, record);
};

/** Definitions of providers that stay and no longer have these kinds, such as an earlier release of theirs. */
export const lostDefinitions = (
  record: InstallationRecord | undefined,
  providers: readonly ProviderV1[],
): readonly string[] => {
  const present = new Set(providers.flatMap(definitionNames));
  return providers.flatMap(({ name }) => record?.providers[name] ?? []).filter((name) => !present.has(name));
};

/** Throws `installation.kinds_in_use` while there are objects of kinds that no one would handle any more. */
export const checkLostKinds = async (
  client: Client,
  { installation }: { readonly installation: string },
  lost: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  const left = await leftObjects(client, lost, signal);
  if (left.length === 0) return;
  const kinds = left.map(({ definition }) => definition.metadata.name).join(", ");
  throw new CapstanError({
    code: "installation.kinds_in_use",
    reason: "KindsInUse",
    message: `the installation ${installation} also has ${kinds}, which these releases of its providers lack, and ${countedKinds(left)} exist; install releases that have them, delete the objects, or run capstan install --remove to leave them unmanaged`,
    retry: { kind: "never" },
  });
};
