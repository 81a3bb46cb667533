import { KubeadmConfigCondition } from "../api/kubeadm-conditions.ts";
import { CapstanError } from "@capstan/contract";
import { machine as machineFields, NodeResource, valueAt } from "@capstan/contract/wire";
import { initLock, initOrJoin } from "@capstan/kit/bootstrap";
import type { BootstrapAuthor, BootstrapOutcome } from "@capstan/kit/bootstrap";
import { isBeingDeleted } from "@capstan/kube-values";
import { KubeadmConfig } from "../api/kubeadm-config.v1beta2.ts";
import { isTokenYoung, newToken, refreshToken, revokeToken } from "./bootstrap-token.ts";
import { init } from "./init.ts";
import { join } from "./join.ts";
import { specAtCreation } from "./spec-at-creation.ts";
import { uses, type Context } from "./uses.ts";
import { workloadAccount } from "./workload-account.ts";

const generate = (context: Context, ttlMs: number): Promise<BootstrapOutcome> =>
  initOrJoin(context, { init: () => init(context), join: () => join(context, ttlMs) });

const tokenOf = ({ spec }: KubeadmConfig): string | undefined =>
  spec?.joinConfiguration?.discovery?.bootstrapToken?.token;

/** Returns whether the machine has its Node, as the workload cluster itself says: a Machine that was moved here does not say it at first. */
const hasJoined = async (context: Context): Promise<boolean> => {
  const providerID = machineFields.providerID.get(context.machine);
  if (providerID === undefined) return false;
  const { items } = await (await context.workload()).list(NodeResource, context.call);
  return items.some((node) => valueAt(node, "spec.providerID") === providerID);
};

/**
 * The token of a pool, whose machines come at any time: kept alive while some of them are still to join, and replaced where it will not
 * do for those that come next. The one before lives until it expires.
 */
const refreshPool = async (context: Context, token: string, ttlMs: number): Promise<void> => {
  const workload = { ...context, client: await context.workload(), ttlMs };
  const isUsable =
    context.pool?.isComplete === true
      ? await isTokenYoung(token, workload)
      : (await refreshToken(token, workload)) !== "lost";
  if (isUsable) return;
  const bootstrapToken = { token: newToken(context.random) };
  await context.persistSpec({ joinConfiguration: { discovery: { bootstrapToken } } });
};

const refresh = async (context: Context, ttlMs: number): Promise<{ readonly requeueAfterMs?: number }> => {
  const token = tokenOf(context.object);
  if (token === undefined) return {};
  if (context.pool !== undefined) {
    await refreshPool(context, token, ttlMs);
    return { requeueAfterMs: ttlMs / 3 };
  }
  const state = await refreshToken(token, { ...context, client: await context.workload(), ttlMs });
  // A Machine that has to go may have lost it on purpose.
  if (state === "lost" && !isBeingDeleted(context.machine) && !(await hasJoined(context))) {
    throw new CapstanError({
      code: "kubeadm.token_lost",
      reason: "BootstrapTokenLost",
      message:
        "the Secret of the bootstrap token was deleted before the node joined; delete the Machine to get a new one",
    });
  }
  return { requeueAfterMs: ttlMs / 3 };
};

const joined = async (context: Context): Promise<void> => {
  if (context.controlPlane) await initLock(context).release();
  const token = tokenOf(context.object);
  if (token !== undefined) await revokeToken(token, { ...context, client: await context.workload() });
};

/** The verbs of the KubeadmConfig controller. `tokenTtlMs` is the life of a bootstrap token. */
export const kubeadmConfigAuthor = (options: {
  readonly tokenTtlMs: number;
  readonly concurrency: number;
}): BootstrapAuthor<KubeadmConfig, typeof uses> => ({
  kind: KubeadmConfig,
  workload: workloadAccount,
  concurrency: options.concurrency,
  readyInputs: [KubeadmConfigCondition.certificatesAvailable],
  initLock: true,
  uses,
  specAtCreation,
  generate: (context) => generate(context, options.tokenTtlMs),
  refresh: (context) => refresh(context, options.tokenTtlMs),
  joined,
});
