import { fromBase64 } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { partOf, textOf } from "../values/object-parts.ts";

export const secrets = { group: "", plural: "secrets" } as const;
export const systemNamespace = "kube-system";

/** A bootstrap token: a Secret `bootstrap-token-<id>` in kube-system. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** Milliseconds since the epoch; absent: never. An unreadable time has passed already. */
  readonly expiresAt?: number;
  /** True if it signs `kube-public/cluster-info`. */
  readonly signs: boolean;
}

/** The token a Secret holds, or undefined if it is none. */
export const bootstrapToken = (object: KubeObject): BootstrapToken | undefined => {
  const data = partOf(object["data"]);
  const value = (key: string): string => fromBase64(textOf(data[key]));
  const id = value("token-id");
  const secret = value("token-secret");
  const isToken = object["type"] === "bootstrap.kubernetes.io/token" && object.metadata.namespace === systemNamespace;
  if (!isToken || !/^[a-z0-9]{6}$/.test(id) || !/^[a-z0-9]{16}$/.test(secret)) return undefined;
  if (object.metadata.name !== `bootstrap-token-${id}`) return undefined;
  const expiration = value("expiration");
  const time = Date.parse(expiration);
  return {
    id,
    secret,
    ...(expiration === "" ? {} : { expiresAt: Number.isNaN(time) ? 0 : time }),
    signs: value("usage-bootstrap-signing") === "true",
  };
};

export const isExpired = (token: BootstrapToken, now: number): boolean =>
  token.expiresAt !== undefined && token.expiresAt <= now;
