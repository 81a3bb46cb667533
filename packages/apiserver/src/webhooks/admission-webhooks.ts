import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@capstan/schema";
import { createRbac } from "../auth/rbac.ts";
import type { AdmissionPlugin, AdmissionRequest, ExtensionFactory } from "../registry/extension.ts";
import { callWebhook, type WebhookCaller } from "./call-webhook.ts";
import type { ServiceResolver } from "./webhook-endpoint.ts";
import { type Webhook, WebhookSet } from "./webhook-set.ts";

export interface AdmissionWebhooksOptions {
  /** Addresses of the Services that configurations name. Default: none is known. */
  readonly resolveService?: ServiceResolver;
}

export const admissionGroup = "admissionregistration.k8s.io";

const own = new Set([
  "mutatingwebhookconfigurations",
  "validatingwebhookconfigurations",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
]);

/** Nothing decides about changes of what decides: no one could fix it. */
export const isExempt = ({ definition }: AdmissionRequest): boolean =>
  definition.group === admissionGroup && own.has(definition.plural);

/** Mutating webhooks, one after the other; those that asked for it once more when a later one changed the object. */
const mutateWith = async (
  caller: WebhookCaller,
  webhooks: readonly Webhook[],
  request: AdmissionRequest,
): Promise<KubeObject | undefined> => {
  let { object } = request;
  const called = new Set<Webhook>();
  const again = new Set<Webhook>();
  const call = async (webhook: Webhook): Promise<boolean> => {
    const outcome = await callWebhook(caller, webhook, { ...request, ...(object && { object }) }, true);
    if (outcome.called && !isDeepStrictEqual(outcome.object, object)) {
      object = outcome.object;
      for (const earlier of called) again.add(earlier);
    }
    return outcome.called;
  };
  for (const webhook of webhooks) {
    if ((await call(webhook)) && webhook.settings.reinvocationPolicy === "IfNeeded") called.add(webhook);
  }
  for (const webhook of webhooks.filter((candidate) => again.has(candidate))) await call(webhook);
  return object;
};

/** Validating webhooks, all at once; the first of them that refuses gives the answer. */
const validateWith = async (
  caller: WebhookCaller,
  webhooks: readonly Webhook[],
  request: AdmissionRequest,
): Promise<void> => {
  const outcomes = await Promise.allSettled(webhooks.map((webhook) => callWebhook(caller, webhook, request, false)));
  const refusal = outcomes.find((outcome) => outcome.status === "rejected");
  if (refusal !== undefined) throw refusal.reason;
};

/** Mutating and validating admission webhooks. Configurations count from the moment their request is answered. */
export const admissionWebhooks =
  ({ resolveService = () => undefined }: AdmissionWebhooksOptions = {}): ExtensionFactory =>
  (environment) => {
    const { store } = environment;
    const rbac = createRbac(store);
    const caller: WebhookCaller = { ...environment, rbac };
    const mutating = new WebhookSet(
      store,
      { group: admissionGroup, plural: "mutatingwebhookconfigurations" },
      resolveService,
    );
    const validating = new WebhookSet(
      store,
      { group: admissionGroup, plural: "validatingwebhookconfigurations" },
      resolveService,
    );
    const plugin: AdmissionPlugin = {
      name: "AdmissionWebhooks",
      admit: async (request) => {
        if (mutating.webhooks.length === 0 || isExempt(request)) return undefined;
        return await mutateWith(caller, mutating.webhooks, request);
      },
      validate: async (request) => {
        // Deletions have no mutating step of their own, but mutating webhooks are told of them.
        if (request.operation === "DELETE" && mutating.webhooks.length > 0 && !isExempt(request)) {
          await mutateWith(caller, mutating.webhooks, request);
        }
        if (validating.webhooks.length === 0 || isExempt(request)) return;
        await validateWith(caller, validating.webhooks, request);
      },
    };
    return {
      name: "admission-webhooks",
      admission: [plugin],
      start: () => {
        mutating.start();
        validating.start();
      },
      stop: async () => {
        await Promise.all([mutating.stop(), validating.stop()]);
        rbac.stop();
      },
    };
  };
