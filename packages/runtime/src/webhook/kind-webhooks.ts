import type { KubeObject, Resource } from "@capstan/schema";
import type { AdmissionRequest, MutateOutcome, Verdict, WebhookCall } from "./admission.ts";
import type { Convert } from "./conversion.ts";
import type { WebhookServer } from "./webhook-server.ts";

/** Object that `/scale` reads and writes: autoscaling/v1. */
export interface Scale extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly selector?: string };
}

/**
 * Functions of a webhook server for one kind. Admission is for the one version of `kind`; others are converted to it
 * before.
 */
export interface KindWebhooks<T extends KubeObject = KubeObject> {
  readonly kind: Resource<T>;
  /** Fills in defaults: returns the object as it is to be, or a verdict. */
  readonly mutate?: (request: AdmissionRequest<T>, call: WebhookCall) => MutateOutcome | Promise<MutateOutcome>;
  readonly validate?: (request: AdmissionRequest<T>, call: WebhookCall) => Verdict | Promise<Verdict>;
  /** Judges a new number of replicas: the API server asks with a Scale, of which the object itself has to be read. */
  readonly validateScale?: (request: AdmissionRequest<Scale>, call: WebhookCall) => Verdict | Promise<Verdict>;
  /** Between any two versions of the kind. */
  readonly convert?: Convert;
}

/** Where the kinds' webhooks are: the same for all, told apart by kind. */
export const WebhookPath = { mutate: "/mutate", validate: "/validate", convert: "/convert" } as const;

/** For a list of kinds of different types. */
export const kindWebhooks = <T extends KubeObject>(webhooks: KindWebhooks<T>): KindWebhooks =>
  webhooks as unknown as KindWebhooks;

const nameOf = (group: string, kind: string): string => `${kind}.${group}`;

const groupOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";

/**
 * Puts the webhooks of kinds behind `/mutate`, `/validate` and `/convert` of a server. A review of a kind that has no handler is let
 * through unchanged; an object of a kind that cannot be converted is a failure.
 */
export const routeKinds = (server: WebhookServer, kinds: readonly KindWebhooks[]): void => {
  const byName = new Map(kinds.map((webhooks) => [nameOf(webhooks.kind.group, webhooks.kind.kind), webhooks]));
  const of = ({ kind }: AdmissionRequest): KindWebhooks | undefined => byName.get(nameOf(kind.group, kind.kind));
  server.mutate(WebhookPath.mutate, (request, call) => of(request)?.mutate?.(request, call) ?? { allowed: true });
  const byResource = new Map(kinds.map((webhooks) => [nameOf(webhooks.kind.group, webhooks.kind.plural), webhooks]));
  const ofScale = ({ resource }: AdmissionRequest) => byResource.get(nameOf(resource.group, resource.resource));
  server.validate(WebhookPath.validate, (request, call) => {
    const verdict =
      request.subResource === "scale"
        ? ofScale(request)?.validateScale?.(request, call)
        : of(request)?.validate?.(request, call);
    return verdict ?? { allowed: true };
  });
  server.convert(WebhookPath.convert, (object, apiVersion) => {
    const convert = byName.get(nameOf(groupOf(object.apiVersion), object.kind))?.convert;
    if (convert === undefined) throw new TypeError(`${object.kind} of ${object.apiVersion} is not converted here`);
    return convert(object, apiVersion);
  });
};
