import type { Clock, Random } from "@capstan/contract";
import { flowOf } from "@capstan/evaluation";
import type { KubeObject } from "@capstan/schema";
import type { Rbac } from "../auth/rbac.ts";
import { normalised } from "../decode/decode-object.ts";
import { jsonPatch } from "@capstan/contract/patch";
import type { AdmissionRequest } from "../registry/extension.ts";
import { randomUid } from "../registry/metadata.ts";
import { forbidden, internalError } from "../model/status-error.ts";
import type { Registry, ResourceDefinition, ResourceStore } from "../model/types.ts";
import { type AdmissionResponse, denial, readAdmissionResponse, reviewVersionOf } from "./admission-response.ts";
import { admissionVariables } from "./admission-variables.ts";
import { type AdmissionView, admissionView, changedObject } from "./admission-view.ts";
import { matchOutcome } from "./long-expressions.ts";
import { matchedDefinition, selectorsMatch } from "./match-rules.ts";
import type { Webhook } from "./webhook-set.ts";

/** What calling webhooks takes. */
export interface WebhookCaller {
  readonly registry: Registry;
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly rbac: Rbac;
}

const defaultTimeoutSeconds = 10;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the webhook is asked, if it is about the request. Throws a 403 when its conditions fail and it may not be ignored. */
const askedView = async (
  caller: WebhookCaller,
  webhook: Webhook,
  request: AdmissionRequest,
): Promise<{ readonly view: AdmissionView; readonly target: ResourceDefinition } | undefined> => {
  const { settings } = webhook;
  const target = matchedDefinition(settings, request, caller.registry.snapshot);
  if (target === undefined || !selectorsMatch(settings, request, caller.store)) return undefined;
  const view = await admissionView(request, target);
  const outcome = await matchOutcome(
    webhook,
    admissionVariables(request, view, caller.rbac),
    flowOf(request.namespace, request.user.name),
  );
  if ("matches" in outcome) return outcome.matches ? { view, target } : undefined;
  if (settings.failurePolicy === "Ignore") return undefined;
  throw forbidden(request.definition, request.name, `webhook ${settings.name}: ${outcome.error}`);
};

const exchange = async (
  caller: WebhookCaller,
  { settings, endpoint }: Webhook,
  view: AdmissionView,
  mutating: boolean,
): Promise<AdmissionResponse> => {
  const version = reviewVersionOf(settings.admissionReviewVersions ?? []);
  if (version === undefined) throw new Error("the webhook takes AdmissionReviews of neither v1 nor v1beta1");
  const seconds = settings.timeoutSeconds ?? defaultTimeoutSeconds;
  const uid = randomUid((length) => caller.random.bytes(length));
  const timeout = new AbortController();
  const cancel = caller.clock.schedule(seconds * 1000, () =>
    timeout.abort(new Error(`no answer within ${seconds} s: context deadline exceeded`)),
  );
  try {
    const review = {
      kind: "AdmissionReview",
      apiVersion: `admission.k8s.io/${version}`,
      request: { uid, ...view.attributes, object: view.object, oldObject: view.oldObject },
    };
    const answer = await endpoint.post(review, { query: `?timeout=${seconds}s`, signal: timeout.signal });
    return readAdmissionResponse(answer, { uid, mutating, version });
  } finally {
    cancel();
  }
};

/** The webhook's answer; `undefined` when it failed and may be ignored. Throws a 500 when it may not. */
const ask = async (
  caller: WebhookCaller,
  webhook: Webhook,
  view: AdmissionView,
  mutating: boolean,
): Promise<AdmissionResponse | undefined> => {
  try {
    return await exchange(caller, webhook, view, mutating);
  } catch (error) {
    if (webhook.settings.failurePolicy === "Ignore") return undefined;
    const name = JSON.stringify(webhook.settings.name);
    throw internalError(`failed calling webhook ${name}: failed to call webhook: ${textOf(error)}`, error);
  }
};

const patched = async (
  request: AdmissionRequest,
  target: ResourceDefinition,
  view: AdmissionView,
  { name, patch }: { readonly name: string; readonly patch: unknown },
): Promise<KubeObject> => {
  let result: KubeObject;
  try {
    result = jsonPatch(view.object, patch) as KubeObject;
    if (typeof result?.metadata !== "object" || result.metadata === null) throw new Error("it leaves no object");
    const { apiVersion, kind } = view.object ?? {};
    if (result.apiVersion !== apiVersion || result.kind !== kind) throw new Error("it changes apiVersion or kind");
  } catch (error) {
    throw internalError(`the patch of webhook ${JSON.stringify(name)} failed: ${textOf(error)}`, error);
  }
  return normalised(request.definition, await changedObject(request, target, result));
};

/** What became of a call. */
export interface WebhookOutcome {
  /** False when the webhook is not about the request. */
  readonly called: boolean;
  /** The request's object after it. */
  readonly object: KubeObject | undefined;
}

/** Calls a webhook if it is about the request. Refusals and failures that count are thrown as `StatusError`s. */
export const callWebhook = async (
  caller: WebhookCaller,
  webhook: Webhook,
  request: AdmissionRequest,
  mutating: boolean,
): Promise<WebhookOutcome> => {
  const unchanged = request.object;
  const asked = await askedView(caller, webhook, request);
  if (asked === undefined) return { called: false, object: unchanged };
  const { view, target } = asked;
  const response = await ask(caller, webhook, view, mutating);
  if (response === undefined) return { called: true, object: unchanged };
  const { name } = webhook.settings;
  for (const warning of response.warnings) request.warn(warning);
  for (const [key, value] of Object.entries(response.auditAnnotations)) request.annotate?.(`${name}/${key}`, value);
  if (!response.allowed) throw denial(name, response.status);
  const { patch } = response;
  if (patch === undefined || view.object === null) return { called: true, object: unchanged };
  return { called: true, object: await patched(request, target, view, { name, patch }) };
};
