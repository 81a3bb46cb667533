import { timingSafeEqual } from "node:crypto";
import type { Clock } from "@capstan/contract";
import { fromBase64 } from "@capstan/kube-values";
import type { ResourceStore } from "../model/types.ts";
import type { TokenAuthenticator } from "./authenticator.ts";

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

const isSame = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** The groups in a list of names; `undefined` when one of them is none that a bootstrap token may have. */
const extraGroups = (text: string): readonly string[] | undefined => {
  const groups = text
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "");
  return groups.every((group) => groupPattern.test(group)) ? groups : undefined;
};

/**
 * Tokens of the form `id.secret`, kept in Secrets `bootstrap-token-<id>` of kube-system with type `bootstrap.kubernetes.io/token`.
 * The user is `system:bootstrap:<id>` in `system:bootstrappers` and the Secret's `auth-extra-groups`.
 */
export const bootstrapTokens =
  (store: ResourceStore, clock: Clock): TokenAuthenticator =>
  (token) => {
    const [, id = "", secretPart = ""] = tokenPattern.exec(token) ?? [];
    const secret =
      id === ""
        ? undefined
        : store.peek({ group: "", plural: "secrets" }, { namespace: "kube-system", name: `bootstrap-token-${id}` });
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
      return undefined;
    }
    const data = (secret["data"] ?? {}) as Readonly<Record<string, string>>;
    const value = (key: string): string => fromBase64(data[key] ?? "");
    const expiration = value("expiration");
    const isValid =
      secret["type"] === "bootstrap.kubernetes.io/token" &&
      value("token-id") === id &&
      isSame(value("token-secret"), secretPart) &&
      value("usage-bootstrap-authentication") === "true" &&
      (expiration === "" || Date.parse(expiration) > clock.now());
    const extra = extraGroups(value("auth-extra-groups"));
    if (!isValid || extra === undefined) {
      return undefined;
    }
    return { name: `system:bootstrap:${id}`, groups: ["system:bootstrappers", ...extra] };
  };
