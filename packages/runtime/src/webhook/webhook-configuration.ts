import { toBase64 } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { type KindWebhooks, WebhookPath } from "./kind-webhooks.ts";

/** Where an API server finds a webhook server: by Service inside the cluster, or by an https address without a path. */
export type WebhookEndpoint =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } }
  | { readonly url: string };

export interface WebhookConfigurationOptions {
  /** Name of both configurations. */
  readonly name: string;
  readonly endpoint: WebhookEndpoint;
  /** The authority of the serving certificate, PEM. Default: those the API server trusts. */
  readonly caBundle?: string;
  readonly kinds: readonly Pick<KindWebhooks, "kind" | "mutate" | "validate" | "validateScale">[];
  /** Default `Fail`. */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Default 10. */
  readonly timeoutSeconds?: number;
  /** Only in namespaces with these labels. Default: all. */
  readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
}

/** The part of a webhook that says where it is, as in `webhooks[].clientConfig` and in the conversion clause of a CRD. */
export const webhookClientConfig = (
  endpoint: WebhookEndpoint,
  path: string,
  caBundle: string | undefined,
): WebhookClientConfig => {
  const ca = caBundle === undefined ? {} : { caBundle: toBase64(caBundle) };
  return "url" in endpoint
    ? { url: `${endpoint.url.replace(/\/$/, "")}${path}`, ...ca }
    : { service: { port: 443, ...endpoint.service, path }, ...ca };
};

export type WebhookClientConfig = (
  | { readonly url: string }
  | {
      readonly service: {
        readonly namespace: string;
        readonly name: string;
        readonly path: string;
        readonly port: number;
      };
    }
) & { readonly caBundle?: string };

type Verb = "mutate" | "validate";

type Configured = WebhookConfigurationOptions["kinds"][number];

/** The kind itself, as far as it is asked about, and its scale where that is judged too. */
const resourcesOf = (verb: Verb, { kind, validateScale, [verb]: handler }: Configured): readonly string[] => [
  ...(handler === undefined ? [] : [kind.plural]),
  ...(verb === "validate" && validateScale !== undefined ? [`${kind.plural}/scale`] : []),
];

const webhook = (verb: Verb, configured: Configured, options: WebhookConfigurationOptions): object => {
  const { kind } = configured;
  return {
    name: `${verb}.${kind.plural}.${kind.group === "" ? "core.k8s.io" : kind.group}`,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    // Objects of other versions are converted to the one the handler is written for.
    matchPolicy: "Equivalent",
    failurePolicy: options.failurePolicy ?? "Fail",
    timeoutSeconds: options.timeoutSeconds ?? 10,
    clientConfig: webhookClientConfig(options.endpoint, WebhookPath[verb], options.caBundle),
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: resourcesOf(verb, configured),
        operations: verb === "mutate" ? ["CREATE", "UPDATE"] : ["CREATE", "UPDATE", "DELETE"],
        scope: kind.namespaced ? "Namespaced" : "Cluster",
      },
    ],
    ...(options.namespaceSelector === undefined ? {} : { namespaceSelector: options.namespaceSelector }),
  };
};

const configuration = (verb: Verb, kind: string, options: WebhookConfigurationOptions): readonly KubeObject[] => {
  const webhooks = options.kinds
    .filter((configured) => resourcesOf(verb, configured).length > 0)
    .map((configured) => webhook(verb, configured, options));
  if (webhooks.length === 0) return [];
  return [{ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name: options.name }, webhooks }];
};

/** The configurations that make an API server ask a webhook server about these kinds; none for what no kind wants. */
export const webhookConfigurations = (options: WebhookConfigurationOptions): readonly KubeObject[] => [
  ...configuration("mutate", "MutatingWebhookConfiguration", options),
  ...configuration("validate", "ValidatingWebhookConfiguration", options),
];
