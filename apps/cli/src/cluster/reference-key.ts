import { CapstanError, type Random } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { defaultInstallation, installationLabel } from "./installation.ts";
import { defaultSystemNamespace } from "./manager-options.ts";

/** Where the key of an installation's marks of admitted references is. */
export interface ReferenceKeyPlace {
  readonly systemNamespace: string;
  readonly installation: string;
}

/** Place of the key of a server that admits in its own process. */
export const localKeyPlace: ReferenceKeyPlace = {
  systemNamespace: defaultSystemNamespace,
  installation: defaultInstallation,
};

const dataKey = "key";
const keyBytes = 32;

/** The Secret with the key by which admission marks references into other namespaces. */
export const referenceKeyName = (installation: string): string => `${installation}-reference-key`;

/** The Secret of a new key. */
export const newReferenceKey = (
  { installation, systemNamespace: namespace }: ReferenceKeyPlace,
  random: Pick<Random, "bytes">,
): KubeObject => ({
  apiVersion: SecretResource.version,
  kind: SecretResource.kind,
  metadata: { namespace, name: referenceKeyName(installation), labels: { [installationLabel]: installation } },
  type: "Opaque",
  data: { [dataKey]: Buffer.from(random.bytes(keyBytes)).toString("base64") },
});

/** The key in a Secret; `undefined` where there is none of the right length. */
export const referenceKeyIn = (secret: KubeObject | undefined): Uint8Array | undefined => {
  const { [dataKey]: text = "" } = (secret?.["data"] ?? {}) as Readonly<Record<string, string>>;
  const key = Buffer.from(text, "base64");
  return key.length === keyBytes ? key : undefined;
};

/** Reads the key from the management API; `undefined` while there is none. */
export const readReferenceKey =
  (client: Pick<Client, "find">, { installation, systemNamespace: namespace }: ReferenceKeyPlace) =>
  async (): Promise<Uint8Array | undefined> =>
    referenceKeyIn(await client.find(SecretResource, { namespace, name: referenceKeyName(installation) }));

/** Admission cannot mark anything. */
export const referenceKeyMissing = ({ installation, systemNamespace }: ReferenceKeyPlace): CapstanError =>
  new CapstanError({
    code: "references.key_missing",
    reason: "ReferenceKeyMissing",
    message: `the key for references into other namespaces, Secret ${systemNamespace}/${referenceKeyName(installation)}, is missing; rerun capstan install with the same flags`,
  });
