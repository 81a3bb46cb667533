import { fromBase64 } from "@capstan/kube-values";
import { isJsonObject } from "@capstan/schema";
import { parseJson } from "@capstan/schema/structural";
import { StatusError } from "../model/status-error.ts";
import type { Status } from "../model/types.ts";

/** What a webhook decided. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  readonly status?: Partial<Status>;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Operations of a JSON patch. */
  readonly patch?: unknown;
}

const reviewVersions = ["v1", "v1beta1"] as const;

export type ReviewVersion = (typeof reviewVersions)[number];

/** The first version of a webhook's list that is spoken here. The two differ in how strictly answers are read. */
export const reviewVersionOf = (versions: readonly string[]): ReviewVersion | undefined =>
  versions.map((name) => reviewVersions.find((version) => version === name)).find((version) => version !== undefined);

/** How an answer is read. */
export interface ReadOptions {
  readonly uid: string;
  readonly mutating: boolean;
  readonly version: ReviewVersion;
}

const patchOf = (
  response: Readonly<Record<string, unknown>>,
  { mutating, version }: ReadOptions,
): { readonly patch?: unknown } => {
  const { patch } = response;
  const patchType = version === "v1beta1" && patch !== undefined ? "JSONPatch" : response["patchType"];
  if (patch === undefined && patchType === undefined) return {};
  if (!mutating) throw new Error("a validating webhook may not answer with a patch");
  if (typeof patch !== "string" || patch === "") throw new Error("the answer has a patchType but no patch");
  if (patchType !== "JSONPatch") throw new Error("the answer has a patch whose patchType is not JSONPatch");
  return { patch: parseJson(fromBase64(patch)) };
};

/**
 * Reads the AdmissionReview that answers the request with this uid. Throws when it does not. Version v1beta1 need not say its kind, the
 * uid or the type of a patch.
 */
export const readAdmissionResponse = (answer: unknown, options: ReadOptions): AdmissionResponse => {
  const review = isJsonObject(answer) ? answer : {};
  const { response } = review;
  const strict = options.version === "v1";
  if (strict && (review["apiVersion"] !== "admission.k8s.io/v1" || review["kind"] !== "AdmissionReview")) {
    throw new Error("the answer is not an AdmissionReview of admission.k8s.io/v1");
  }
  if (!isJsonObject(response)) throw new Error("the answer has no response");
  if (strict && response["uid"] !== options.uid) throw new Error("the answer has another uid than the request");
  const { status, warnings, auditAnnotations } = response;
  const annotations = Object.entries(isJsonObject(auditAnnotations) ? auditAnnotations : {});
  return {
    allowed: response["allowed"] === true,
    warnings: Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === "string") : [],
    auditAnnotations: Object.fromEntries(
      annotations.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    ),
    ...(isJsonObject(status) ? { status } : {}),
    ...patchOf(response, options),
  };
};

/** The refusal of a webhook: with its code when that is a failure, else 400. */
export const denial = (webhook: string, { code = 0, message, reason, details }: Partial<Status> = {}): StatusError => {
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = [message, reason].find((text) => text !== undefined && text !== "");
  return new StatusError(
    code >= 400 ? code : 400,
    reason ?? "",
    why === undefined ? `${denied} without explanation` : `${denied}: ${why}`,
    details === undefined ? {} : { details },
  );
};
