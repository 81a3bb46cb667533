import { toBase64 } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { jsonPatchOf } from "@capstan/contract/patch";

export interface AdmissionRequest<T extends KubeObject = KubeObject> {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** Kind as the caller sent it; of another version where the API server has converted the object for this webhook. */
  readonly requestKind?: AdmissionRequest["kind"];
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** Null on DELETE. */
  readonly object: T | null;
  /** Null on CREATE. */
  readonly oldObject: T | null;
  readonly dryRun?: boolean;
}

/** One thing that is wrong with the object. */
export interface AdmissionCause {
  /** For example `FieldValueInvalid`. */
  readonly reason: string;
  /** For example `spec.replicas`. */
  readonly field: string;
  readonly message: string;
}

/** A denial is an answer, not an error: what a handler throws becomes a 500, which the API server's failure policy judges. */
export type Verdict =
  | { readonly allowed: true; readonly warnings?: readonly string[] }
  | {
      readonly allowed: false;
      readonly message: string;
      /** Default 403. */
      readonly code?: number;
      /** Default Forbidden. */
      readonly reason?: string;
      readonly causes?: readonly AdmissionCause[];
      readonly warnings?: readonly string[];
    };

export type Validate = (request: AdmissionRequest, call: WebhookCall) => Verdict | Promise<Verdict>;

export interface WebhookCall {
  /** Aborted when the API server does not wait any longer. */
  readonly signal: AbortSignal;
}

/** Returns the object as it is to be, or a verdict. The one given is not to be changed. */
export type Mutate = (request: AdmissionRequest, call: WebhookCall) => MutateOutcome | Promise<MutateOutcome>;
export type MutateOutcome = { readonly object: KubeObject; readonly warnings?: readonly string[] } | Verdict;

/** A body as it came: nothing in it has been checked. */
export interface AdmissionReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: AdmissionRequest;
}

const response = (uid: string, verdict: Verdict): object => {
  const warnings = verdict.warnings === undefined ? {} : { warnings: verdict.warnings };
  if (verdict.allowed) return { uid, allowed: true, ...warnings };
  const { message, code = 403, reason = "Forbidden", causes } = verdict;
  const details = causes === undefined ? {} : { details: { causes } };
  return { uid, allowed: false, status: { status: "Failure", message, reason, code, ...details }, ...warnings };
};

/**
 * The patch of an answer. Without one, an API server checks an object of another version as it was sent, and refuses zero values that
 * conversion takes for absent; after one, even one that changes nothing, it takes the object back from conversion.
 */
const patchOf = ({ kind, object, requestKind = kind }: AdmissionRequest, wanted: KubeObject): readonly object[] => {
  const patch = jsonPatchOf(object ?? {}, wanted);
  if (patch.length > 0 || requestKind.version === kind.version) return patch;
  return [{ op: "test", path: "/kind", value: wanted.kind }];
};

const patched = (request: AdmissionRequest, outcome: Exclude<MutateOutcome, Verdict>): object => {
  const patch = patchOf(request, outcome.object);
  const allowed = response(request.uid, {
    allowed: true,
    ...(outcome.warnings !== undefined && { warnings: outcome.warnings }),
  });
  if (patch.length === 0) return allowed;
  return { ...allowed, patchType: "JSONPatch", patch: toBase64(JSON.stringify(patch)) };
};

const review = (body: object): object => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  response: body,
});

export const validation = async (request: AdmissionRequest, validate: Validate, call: WebhookCall): Promise<object> =>
  review(response(request.uid, await validate(request, call)));

export const mutation = async (request: AdmissionRequest, mutate: Mutate, call: WebhookCall): Promise<object> => {
  const outcome = await mutate(request, call);
  return review("object" in outcome ? patched(request, outcome) : response(request.uid, outcome));
};
