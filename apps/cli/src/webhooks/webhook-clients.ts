import { isCapstanError } from "@capstan/contract";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { Cache, CallOptions, Client } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import { readCertificates } from "@capstan/pki";
import type { WebhookEndpoint } from "@capstan/runtime/webhook";
import { resource, type KubeObject } from "@capstan/schema";

/** Where an API server sends reviews, and whom it trusts there. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: { readonly namespace: string; readonly name: string };
  readonly caBundle?: string;
}

/** A configuration of webhooks, of either kind. */
export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig: ClientConfig }[];
}

const configurationKind = (kind: string, plural: string) =>
  resource<WebhookConfiguration>({
    group: "admissionregistration.k8s.io",
    version: "v1",
    kind,
    plural,
    namespaced: false,
  });

const MutatingConfiguration = configurationKind("MutatingWebhookConfiguration", "mutatingwebhookconfigurations");
export const ValidatingConfiguration = configurationKind(
  "ValidatingWebhookConfiguration",
  "validatingwebhookconfigurations",
);

/** Both kinds of configurations. */
export const configurationKinds = [MutatingConfiguration, ValidatingConfiguration] as const;

interface Definition {
  readonly spec: { readonly conversion?: { readonly webhook?: { readonly clientConfig?: ClientConfig } } };
}

/** Something that makes the API server ask webhooks, and the configurations of its clients. */
export interface WebhookUser {
  /** Such as `MutatingWebhookConfiguration capstan`. */
  readonly what: string;
  readonly clients: readonly ClientConfig[];
}

/** Every configuration of the cluster; none without the right to list them. */
export const readConfigurations = async (client: Client, call: CallOptions): Promise<readonly WebhookUser[]> => {
  const read = async (kind: (typeof configurationKinds)[number]): Promise<readonly WebhookUser[]> =>
    (await client.list(kind, call)).items.map(({ metadata, webhooks = [] }) => ({
      what: `${kind.kind} ${metadata.name ?? ""}`,
      clients: webhooks.map(({ clientConfig }) => clientConfig),
    }));
  try {
    return (await Promise.all(configurationKinds.map(read))).flat();
  } catch (error) {
    if (isCapstanError(error, "kube.forbidden")) return [];
    throw error;
  }
};

/** Where a definition has its objects converted. */
export const conversionOf = (definition: KubeObject): ClientConfig | undefined =>
  (definition as unknown as Definition).spec.conversion?.webhook?.clientConfig;

/** The conversion of a definition. */
const conversionUser = (definition: KubeObject): readonly WebhookUser[] => {
  const clientConfig = conversionOf(definition);
  if (clientConfig === undefined) return [];
  const { name = "" } = definition.metadata;
  return [{ what: `${CustomResourceDefinitionResource.kind} ${name}`, clients: [clientConfig] }];
};

/** Definitions as they are now: large, so each is read again only when it has changed. */
export const readConversions = (
  client: Client,
  cache: Cache,
  names: readonly string[],
): ((call: CallOptions) => Promise<readonly WebhookUser[]>) => {
  const known = new Map<string, { readonly version: string; readonly users: readonly WebhookUser[] }>();
  const read = async (name: string, call: CallOptions): Promise<readonly WebhookUser[]> => {
    const version = cache.get(CustomResourceDefinitionResource, { name })?.metadata.resourceVersion;
    const before = known.get(name);
    if (version === undefined || before?.version === version) return before?.users ?? [];
    const definition = await client.find(CustomResourceDefinitionResource, { name }, call);
    const users = definition === undefined ? [] : conversionUser(definition);
    known.set(name, { version, users });
    return users;
  };
  return async (call) => (await Promise.all(names.map((name) => read(name, call)))).flat();
};

const leadsTo = ({ url, service }: ClientConfig, endpoint: WebhookEndpoint): boolean => {
  if ("url" in endpoint) return url !== undefined && new URL(url).origin === new URL(endpoint.url).origin;
  return service?.name === endpoint.service.name && service.namespace === endpoint.service.namespace;
};

const bundleOf = ({ caBundle = "" }: ClientConfig): string => fromBase64(caBundle);

/** The PEM certificates that the clients trust, each once. */
export const trustedBy = (clients: readonly ClientConfig[]): readonly string[] => [
  ...new Set(clients.flatMap((each) => readCertificates(bundleOf(each)).map((certificate) => certificate.toString()))),
];

/** Returns whether a client that asks a server with this certificate, in PEM, believes it. */
const trusts = (config: ClientConfig, served: string): boolean => {
  const [leaf] = readCertificates(served);
  return readCertificates(bundleOf(config)).some(
    (authority) => leaf !== undefined && leaf.checkIssued(authority) && leaf.verify(authority.publicKey),
  );
};

/** Those that ask webhooks at this endpoint, each with whether it trusts a certificate in PEM: if not, every write of such a kind fails. */
export const askersAt = (
  users: readonly WebhookUser[],
  endpoint: WebhookEndpoint,
  served: string,
): readonly { readonly what: string; readonly trusts: boolean }[] =>
  users.flatMap(({ what, clients }) => {
    const here = clients.filter((each) => leadsTo(each, endpoint));
    return here.length === 0 ? [] : [{ what, trusts: here.every((each) => trusts(each, served)) }];
  });
