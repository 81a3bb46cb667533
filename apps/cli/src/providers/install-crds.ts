import { CapstanError, type Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { createDiscovery, type Client } from "@capstan/kube";
import {
  crdOf,
  type ConversionClientConfig,
  type CustomResourceDefinition,
  isKind,
  type KubeObject,
  type Resource,
} from "@capstan/schema";
import { labelledForClusterctl } from "./clusterctl.ts";

const establishTimeoutMs = 30_000;

/** Where objects are converted between the versions of their kind: in the API server itself, or by a webhook. */
export type ConversionPlace = "embedded" | ConversionClientConfig;

/** Applies the definitions of every provider's kinds and waits until the server serves them. */
export const installCrds = async (
  providers: readonly ProviderV1[],
  options: {
    readonly client: Client;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly conversion?: ConversionPlace;
  },
): Promise<void> => {
  await installDefinitions(definitionsOf(providers, options.conversion), options);
};

/** Applies definitions and waits until the server serves them. */
export const installDefinitions = async (
  definitions: readonly CustomResourceDefinition[],
  options: { readonly client: Client; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> => {
  await Promise.all(definitions.map((definition) => installDefinition(definition, options)));
};

/** The definitions of every provider's kinds, with those versions that can be converted. Default: no one converts. */
export const definitionsOf = (
  providers: readonly ProviderV1[],
  conversion?: ConversionPlace,
): readonly CustomResourceDefinition[] => {
  const settings = typeof conversion === "object" ? { conversion } : {};
  return providers.flatMap((provider) =>
    provider.kinds.flatMap((kind) => {
      if (!isKind(kind)) return [];
      const converted = isConverted(kind, provider);
      const definition = crdOf(converted ? { ...kind, conversion: "webhook" } : kind, settings);
      const isServed = converted && conversion !== undefined;
      return [labelledForClusterctl(isServed ? definition : withoutConversion(definition), provider)];
    }),
  );
};

const isConverted = ({ group, plural }: Resource, { webhooks = [] }: ProviderV1): boolean =>
  webhooks.some(({ kind, convert }) => convert !== undefined && kind.group === group && kind.plural === plural);

/**
 * Versions that need a conversion no one does here are not served: an object of such a version would be stored with its fields
 * under the wrong names.
 */
export const withoutConversion = (definition: CustomResourceDefinition): CustomResourceDefinition => {
  if (definition.spec.conversion?.strategy !== "Webhook") return definition;
  const versions = definition.spec.versions.map((version) =>
    version.storage ? version : { ...version, served: false },
  );
  return { ...definition, spec: { ...definition.spec, conversion: { strategy: "None" }, versions } };
};

/** Owner of the fields of what providers need and no user applies. */
export const installationManager = "capstan-crds";

/**
 * Applies a definition and waits until the server serves it and says so: kube-apiserver reports a definition as established
 * before its discovery documents list the kind.
 */
const installDefinition = async (
  definition: CustomResourceDefinition,
  { client, clock, signal }: { readonly client: Client; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> => {
  const key = { name: definition.metadata.name };
  let stored = await client.patch<KubeObject>(
    CustomResourceDefinitionResource,
    key,
    { type: "apply", body: definition, force: true },
    { fieldManager: installationManager, signal },
  );
  const deadline = clock.now() + establishTimeoutMs;
  const pause = async (what: string): Promise<void> => {
    if (clock.now() > deadline) {
      throw new CapstanError({
        code: "up.crd_not_established",
        reason: "CrdNotEstablished",
        message: `CustomResourceDefinition ${key.name} is not established after ${establishTimeoutMs / 1000} s: ${what}`,
      });
    }
    await clock.sleep(20, { signal });
  };
  while (!isEstablished(stored)) {
    await pause(conditionText(stored));
    stored = await client.get<KubeObject>(CustomResourceDefinitionResource, key, { signal });
  }
  const discovery = createDiscovery(client);
  const { group, names, versions } = definition.spec;
  for (const { name: version } of versions.filter(({ served }) => served)) {
    while ((await discovery.resourceFor({ group, kind: names.kind, version }, { signal })) === undefined) {
      await pause(`/apis/${group}/${version} does not list it yet`);
    }
  }
};

const conditions = (
  object: KubeObject,
): readonly { readonly type: string; readonly status: string; readonly message?: string }[] =>
  ((object["status"] ?? {}) as { readonly conditions?: [] }).conditions ?? [];

const isEstablished = (object: KubeObject): boolean =>
  conditions(object).some(({ type, status }) => type === "Established" && status === "True");

const conditionText = (object: KubeObject): string =>
  conditions(object)
    .filter(({ status }) => status !== "True")
    .map(({ type, message }) => `${type}: ${message ?? ""}`)
    .join("; ") || "no conditions yet";
