import { rfc3339 } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { parseDurationMs } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { MachineContext } from "../node/machine-context.ts";
import { kubeadmError, object, type Json } from "./configuration.ts";
import { createOnce } from "../workload/create-once.ts";

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** kubeadm's defaults (bootstraptoken/v1). */
const defaultTtl = "24h";
const defaultUsages: readonly unknown[] = ["signing", "authentication"];
const defaultGroups: readonly unknown[] = ["system:bootstrappers:kubeadm:default-node-token"];

const listOr = (value: unknown, otherwise: readonly unknown[]): readonly unknown[] =>
  Array.isArray(value) && value.length > 0 ? (value as readonly unknown[]) : otherwise;

/** When a token ends; `undefined`: never. */
const expirationOf = ({ expires, ttl = defaultTtl }: Json, now: number): string | undefined => {
  if (typeof expires === "string") return expires;
  const ttlMs = parseDurationMs(String(ttl));
  if (ttlMs === undefined) throw kubeadmError(`error unmarshaling: time: invalid duration ${JSON.stringify(ttl)}`);
  return ttlMs === 0 ? undefined : rfc3339(now + ttlMs);
};

const secretOf = (source: Json, now: number): KubeObject => {
  const [, id, secret] = tokenPattern.exec(String(source["token"])) ?? [];
  if (id === undefined || secret === undefined) {
    throw kubeadmError(
      `the bootstrap token ${JSON.stringify(source["token"])} was not of the form "${tokenPattern.source}"`,
    );
  }
  const { description } = source;
  const expiration = expirationOf(source, now);
  const data = {
    "token-id": id,
    "token-secret": secret,
    "auth-extra-groups": listOr(source["groups"], defaultGroups).join(","),
    ...(typeof description === "string" && { description }),
    ...(expiration !== undefined && { expiration }),
    ...Object.fromEntries(
      listOr(source["usages"], defaultUsages).map((usage) => [`usage-bootstrap-${String(usage)}`, "true"]),
    ),
  };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "kube-system", name: `bootstrap-token-${id}` },
    type: "bootstrap.kubernetes.io/token",
    stringData: data,
  };
};

/**
 * Makes the tokens of `bootstrapTokens`, or takes over those that are there. Without any, kubeadm makes one that no one but who reads its
 * output knows: that one is left out.
 */
export const installInitTokens = async (
  client: Client,
  configuration: Json,
  { clock, signal }: Pick<MachineContext, "clock" | "signal">,
): Promise<void> => {
  for (const token of listOr(configuration["bootstrapTokens"], [])) {
    await createOnce(client, SecretResource, secretOf(object(token), clock.now()), signal);
  }
};
