import { createHash } from "node:crypto";
import type { LeaseMark } from "@capstan/kube";
import { byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

/** The installation of a cluster that has only one. */
export const defaultInstallation = "capstan";

/** On every object that an installation owns, with its name as the value. */
export const installationLabel = "capstan.dev/installation";

/** On a Lease: the provider of which its holder runs the controllers. */
const providerLabel = "capstan.dev/provider";

/** On a Lease: which objects its holder handles, as a `Share` in JSON. */
const shareAnnotation = "capstan.dev/share";

/** Which objects managers handle. */
export interface Share {
  /** The value of the watch-filter label. Default: whatever it is. */
  readonly watchFilter?: string | undefined;
  /** Empty: all. */
  readonly namespaces: readonly string[];
}

/** The object with the label of its installation. */
export const labelled = (object: KubeObject, installation: string): KubeObject => {
  const labels = { ...object.metadata.labels, [installationLabel]: installation };
  return { ...object, metadata: { ...object.metadata, labels } };
};

/** The Secret with the certificate that all managers of an installation serve. */
export const webhookSecretName = (installation: string): string => `${installation}-webhook`;

/** Empty for managers that handle everything. */
const shareSuffix = ({ watchFilter, namespaces }: Share): string => {
  if (watchFilter === undefined && namespaces.length === 0) return "";
  const text = JSON.stringify([watchFilter ?? "", ...namespaces.toSorted(byText)]);
  return `-${createHash("sha256").update(text).digest("hex").slice(0, 10)}`;
};

/**
 * The Leases that a manager of these providers holds while it leads: one for each, so that managers with any provider in common take
 * turns, however they share the others out.
 */
export const leasesOf = (installation: string, providers: readonly string[], share: Share): readonly LeaseMark[] =>
  [...new Set(providers)].toSorted(byText).map((provider) => ({
    name: `${installation}-${provider}${shareSuffix(share)}`,
    labels: { [installationLabel]: installation, [providerLabel]: provider },
    annotations: {
      [shareAnnotation]: JSON.stringify({ watchFilter: share.watchFilter, namespaces: share.namespaces }),
    },
  }));

/** Returns whether some objects belong to both shares. */
export const sharesOverlap = (a: Share, b: Share): boolean => {
  const sameFilter = a.watchFilter === undefined || b.watchFilter === undefined || a.watchFilter === b.watchFilter;
  const common = a.namespaces.some((namespace) => b.namespaces.includes(namespace));
  return sameFilter && (a.namespaces.length === 0 || b.namespaces.length === 0 || common);
};

const shareOf = ({ annotations = {} }: LeaseMark): Share => {
  try {
    const { watchFilter, namespaces } = JSON.parse(annotations[shareAnnotation] ?? "{}") as Partial<Share>;
    return { watchFilter, namespaces: namespaces ?? [] };
  } catch {
    return { namespaces: [] };
  }
};

const olderName = /^capstan-(.+?)(-[0-9a-f]{10})?$/;

/**
 * Returns whether an object without the label has the name that older releases gave to Lease, Secret and webhook configurations of
 * managers with any of these providers: `capstan-`, the list of providers, and what tells shares apart.
 */
export const hasOlderName = (name: string, providers: readonly string[], share: Share): boolean => {
  const [, list = "", suffix = ""] = olderName.exec(name) ?? [];
  return suffix === shareSuffix(share) && providers.some((provider) => `-${list}-`.includes(`-${provider}-`));
};

/** Returns whether the holder of another Lease handles some of the same objects with one of these providers. */
export const isRivalOf =
  (providers: readonly string[], share: Share) =>
  (lease: LeaseMark): boolean => {
    const provider = lease.labels?.[providerLabel];
    if (provider === undefined) return hasOlderName(lease.name, providers, share);
    return providers.includes(provider) && sharesOverlap(share, shareOf(lease));
  };
