import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Hardware } from "./hardware.ts";

/**
 * On Hardware: the Secret with the user data of its machine, as `namespace/name`; it is served in place of `spec.userData`. Empty once the
 * data was used.
 */
export const userDataSecretAnnotation = "capstan.dev/user-data-secret";

/** The type of these Secrets; the metadata service serves no other type. */
export const userDataSecretType = "capstan.dev/user-data";

/** The keys of these Secrets. `hardware` is the one Hardware, as `namespace/name`, whose machine may read it. */
export const userDataSecretKeys = { userData: "userData", hardware: "hardware" } as const;

/** Reads the annotation: the Secret, `used` once its data was wiped, or `undefined` without the annotation. */
export const userDataSecretOf = ({ metadata }: Hardware): Required<ObjectKey> | "used" | undefined => {
  const named = metadata.annotations?.[userDataSecretAnnotation];
  if (named === undefined) return undefined;
  const [namespace = "", name = "", ...more] = named.split("/");
  return namespace === "" || name === "" || more.length > 0 ? "used" : { namespace, name };
};

/**
 * Returns the user data in a Secret that is meant for the Hardware, otherwise `undefined`. The Hardware has to name the Secret, and the
 * Secret the Hardware, so that neither gives access to what another user owns.
 */
export const userDataIn = (secret: KubeObject, { metadata }: Hardware): Buffer | undefined => {
  const data = (secret["data"] ?? {}) as Readonly<Record<string, string | undefined>>;
  const valueOf = (key: string): Buffer => Buffer.from(data[key] ?? "", "base64");
  const hardware = valueOf(userDataSecretKeys.hardware).toString("utf8");
  const isMeant = secret["type"] === userDataSecretType && hardware === `${metadata.namespace}/${metadata.name}`;
  return isMeant ? valueOf(userDataSecretKeys.userData) : undefined;
};
