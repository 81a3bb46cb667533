import type { JsonObject } from "@capstan/schema";
import { byText } from "@capstan/kube-values";
import type { MachineSetup } from "../bootstrap/machine-setup.ts";
import { gzip } from "../delivery/gzip.ts";
import type { Translation } from "./butane.ts";
import { bytesUrl } from "./data-url.ts";
import { appendedConfigs, mergedConfigs } from "./merge.ts";
import { type IgnitionRun, setupConfig } from "./setup-config.ts";

/** Versions that each specification's documents declare; their contents need no later one. */
const leastVersions = { 2: "2.3.0", 3: "3.3.0" } as const;

const withVersion = (config: JsonObject, version: string): JsonObject => {
  const { ignition = {}, ...rest } = config as { readonly ignition?: JsonObject };
  return { ignition: { version, ...ignition }, ...rest };
};

/**
 * The Ignition config of a machine, as JSON. The same input gives the same text. `additional` is a config of the user's, in the version
 * that decides about the whole document; its files, units and users come after those of the setup. Without it the document is in version
 * 3.3. Throws `bootstrap.ignition_unsupported`.
 */
export const ignitionDocument = (
  setup: MachineSetup,
  {
    additional,
    run,
    major = 3,
  }: {
    readonly run: IgnitionRun;
    readonly additional?: Pick<Translation, "config" | "version"> | undefined;
    /** Major version of the specification when there is no additional config. */
    readonly major?: 2 | 3;
  },
): string => {
  const isSecond = additional === undefined ? major === 2 : additional.version.startsWith("2.");
  const own = setupConfig(setup, run, isSecond ? 2 : 3);
  const least = leastVersions[isSecond ? 2 : 3];
  if (additional === undefined) return JSON.stringify(withVersion(own, least));
  const join = isSecond ? appendedConfigs : mergedConfigs;
  const [, version = least] = [least, additional.version].toSorted(byText);
  return JSON.stringify(withVersion(join(own, additional.config), version));
};

/** A config that holds another one packed: Ignition takes no packed documents as they are. */
export const packedIgnition = (document: string): string => {
  const { version } = (JSON.parse(document) as { readonly ignition: { readonly version: string } }).ignition;
  const replace = { compression: "gzip", source: bytesUrl(gzip(Buffer.from(document)), "text/plain") };
  return JSON.stringify({ ignition: { version, config: { replace } } });
};
