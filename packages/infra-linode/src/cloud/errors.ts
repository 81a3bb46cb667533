import { isAnswered, isCapstanError } from "@capstan/contract";
import type { Retry } from "@capstan/contract";
import { errorsOf } from "@capstan/kit";
import type { FailureMeaning } from "@capstan/kit";
import { retryAfterMs } from "@capstan/kube-values";
import { busyReason, isNotFound, LinodeError } from "@capstan/linode-client";
import { refusedFields } from "./spec-fields.ts";
import type { SpecFields } from "./spec-fields.ts";

const backoff: Retry = { kind: "backoff" };
const never: Retry = { kind: "never" };
/** Asked for by upstream's users; the API does not always say how long. */
const rateLimitMs = 60_000;
const busyMs = 5000;
/** Only a user can help, by changing the object, or at Linode, where no one here sees it. */
export const byUser: Retry = { kind: "after", ms: 300_000, unlessChanged: true };

/** Failures of the API: their code, reason, fix, and when to retry. */
export const meanings = {
  unauthorized: {
    code: "linode.unauthorized",
    reason: "LinodeUnauthorized",
    mend: "check the token under the key apiToken",
    retry: never,
  },
  forbidden: {
    code: "linode.forbidden",
    reason: "LinodeForbidden",
    mend: "grant the token the scopes that the provider needs",
    retry: never,
  },
  notFound: {
    code: "linode.not_found",
    reason: "LinodeNotFound",
    mend: "check the id or name",
    retry: backoff,
  },
  foreign: {
    code: "linode.owned_by_another",
    reason: "OwnedByAnother",
    mend: "use a resource that belongs to the namespace",
    retry: byUser,
  },
  invalid: {
    code: "linode.invalid",
    reason: "LinodeRefused",
    mend: "correct the source of the field",
    retry: byUser,
  },
  refused: {
    code: "linode.refused",
    reason: "LinodeRefused",
    mend: "it is retried",
    retry: backoff,
  },
  labelTaken: {
    code: "linode.label_taken",
    reason: "LabelTaken",
    mend: "rename or delete the other one; it is retried",
    retry: backoff,
  },
  busy: {
    code: "linode.busy",
    reason: "LinodeBusy",
    mend: "it is retried",
    retry: { kind: "after", ms: busyMs },
  },
  rateLimited: {
    code: "linode.rate_limited",
    reason: "LinodeRateLimited",
    mend: "it is retried when the API allows it",
    retry: { kind: "after", ms: rateLimitMs },
  },
  unavailable: {
    code: "linode.unavailable",
    reason: "LinodeUnavailable",
    mend: "it is retried",
    retry: backoff,
  },
  unknown: {
    code: "linode.unknown",
    reason: "LinodeError",
    mend: "it is retried",
    retry: backoff,
  },
} as const satisfies Readonly<Record<string, FailureMeaning>>;

export type MeaningName = keyof typeof meanings;

/** An error by what it means. */
export const linodeError = errorsOf<MeaningName>(meanings);

const refusals: ReadonlySet<string> = new Set(
  [meanings.unauthorized, meanings.forbidden, meanings.invalid, meanings.refused].map(({ code }) => code),
);

/** Returns whether the API has answered that it makes nothing. A name that is taken may be taken by what was made before a lost answer. */
export const isRefusedCreation = (error: unknown): boolean => isCapstanError(error) && refusals.has(error.code);

const byStatus: Readonly<Record<number, MeaningName>> = {
  400: "refused",
  401: "unauthorized",
  403: "forbidden",
  408: "unavailable",
  429: "rateLimited",
  500: "unavailable",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

const uniqueLabel = "Label must be unique";

/** A 400 that names a field can only be fixed by changing the object; any other may pass, as a full region does. */
const meaningOf = (error: LinodeError): MeaningName => {
  const { status, errors } = error;
  if (status === undefined) return "unavailable";
  if (status === 404) return isNotFound(error) ? "notFound" : "unavailable";
  if (status !== 400) return byStatus[status] ?? "unknown";
  if (errors.some(({ reason }) => reason === busyReason)) return "busy";
  if (errors.some(({ reason }) => reason.startsWith(uniqueLabel))) return "labelTaken";
  return errors.some(({ field }) => field !== undefined) ? "invalid" : "refused";
};

/** Without an answer, the address may be wrong that the credentials name. */
const unansweredMend = "check the network and the LINODE_URL next to the token; it is retried";

const mendOf = (error: LinodeError, name: MeaningName, fields: SpecFields): string => {
  if (error.status === undefined) return unansweredMend;
  const refused = name === "invalid" ? refusedFields(error, fields) : undefined;
  return refused === undefined ? meanings[name].mend : `correct ${refused}`;
};

/** Translates a failure of the client, once, at the boundary. `doing` completes "could not …"; `fields` say what a request was made from. */
export const translate = (error: unknown, doing: string, fields: SpecFields = {}): unknown => {
  if (!(error instanceof LinodeError)) return error;
  const name = meaningOf(error);
  const mend = mendOf(error, name, fields);
  const wait = name === "rateLimited" ? retryAfterMs(error.headers["retry-after"], answeredAt(error)) : undefined;
  return linodeError(name, `could not ${doing}: ${error.message}; ${mend}`, {
    cause: error,
    ...(wait === undefined ? {} : { retry: { kind: "after", ms: wait } }),
    answered: isAnswered(error.status),
    ...(error.status === undefined ? {} : { details: { status: error.status } }),
  });
};

/** The API's own clock, which a dated Retry-After refers to. */
const answeredAt = ({ headers }: LinodeError): number => Date.parse(headers["date"] ?? "");
