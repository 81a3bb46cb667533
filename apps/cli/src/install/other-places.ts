import { CapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { sharesOverlap, type Share } from "../cluster/installation.ts";
import { allRecords } from "./record.ts";

/** An installation that is to be applied: where, and what it handles. */
interface Place extends Share {
  readonly installation: string;
  readonly systemNamespace: string;
}

const refusal = (code: string, reason: string, message: string): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" } });

const elsewhere = ({ installation, systemNamespace }: Place, namespace: string): CapstanError =>
  refusal(
    "installation.elsewhere",
    "InstalledElsewhere",
    `the installation ${installation} is in namespace ${namespace}, not ${systemNamespace}, and its managers would lose their accounts; use --system-namespace ${namespace}, use another --installation for a second one, or run capstan uninstall --system-namespace ${namespace} before moving it`,
  );

const handledElsewhere = (
  other: { readonly installation: string; readonly namespace: string },
  common: readonly string[],
): CapstanError =>
  refusal(
    "installation.handled_elsewhere",
    "HandledElsewhere",
    `the installation ${other.installation} in namespace ${other.namespace} handles ${common.join(", ")} for some of the same objects, and managers take turns within one system namespace only; divide the objects with --namespace or --watch-filter, use --system-namespace ${other.namespace}, or run capstan uninstall --installation ${other.installation} --system-namespace ${other.namespace} first`,
  );

/**
 * Throws `installation.elsewhere` when the installation is in another system namespace, and `installation.handled_elsewhere` when
 * another one there handles some of the same objects with the same providers: Leases are held in the system namespace, so that both
 * would lead at once.
 */
export const checkOtherPlaces = async (
  client: Client,
  providers: readonly string[],
  place: Place,
  signal: AbortSignal,
): Promise<void> => {
  const others = (await allRecords(client, signal)).filter(({ namespace }) => namespace !== place.systemNamespace);
  const own = others.find(({ installation }) => installation === place.installation);
  if (own !== undefined) throw elsewhere(place, own.namespace);
  for (const { record, ...other } of others) {
    const common = providers.filter((name) => record.providers[name] !== undefined);
    if (common.length > 0 && sharesOverlap(record, place)) throw handledElsewhere(other, common);
  }
};
