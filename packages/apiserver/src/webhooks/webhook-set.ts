import type { KubeObject } from "@capstan/schema";
import { compileMatchConditions, type MatchCondition, type MatchConditions } from "../cel/admission-expressions.ts";
import type { ResourceRef, ResourceStore } from "../model/types.ts";
import type { Matching } from "./match-rules.ts";
import {
  type ServiceResolver,
  type WebhookClientConfig,
  type WebhookEndpoint,
  webhookEndpoint,
} from "./webhook-endpoint.ts";

/** One entry of a webhook configuration, with its defaults. */
export interface WebhookSettings extends Matching {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly admissionReviewVersions?: readonly string[];
  readonly failurePolicy?: string;
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
}

/** A webhook that can be called. */
export interface Webhook {
  readonly settings: WebhookSettings;
  readonly conditions: MatchConditions;
  readonly endpoint: WebhookEndpoint;
}

const webhookOf = (settings: WebhookSettings, index: number, resolve: ServiceResolver): Webhook => ({
  settings: { ...settings, rules: settings.rules ?? [] },
  conditions: compileMatchConditions(settings.matchConditions ?? [], {
    scope: "webhook",
    field: `webhooks[${index}].matchConditions`,
  }),
  endpoint: webhookEndpoint(settings.clientConfig, resolve),
});

/** The webhooks of all configurations of one kind, by name of the configuration, then in their order there. */
export class WebhookSet {
  readonly #byConfiguration = new Map<string, readonly Webhook[]>();
  readonly #store: ResourceStore;
  readonly #ref: ResourceRef;
  readonly #resolve: ServiceResolver;
  #webhooks: readonly Webhook[] = [];
  #stopWatch: (() => void) | undefined;

  constructor(store: ResourceStore, ref: ResourceRef, resolve: ServiceResolver) {
    this.#store = store;
    this.#ref = ref;
    this.#resolve = resolve;
  }

  get webhooks(): readonly Webhook[] {
    return this.#webhooks;
  }

  start(): void {
    this.#stopWatch = this.#store.watch(this.#ref, ({ type, object }) => {
      this.#replace(object.metadata.name ?? "", type === "DELETED" ? [] : this.#compiled(object));
    });
  }

  async stop(): Promise<void> {
    this.#stopWatch?.();
    await Promise.all(this.#webhooks.map(({ endpoint }) => endpoint.destroy()));
  }

  #compiled(configuration: KubeObject): readonly Webhook[] {
    const settings = (configuration["webhooks"] ?? []) as readonly WebhookSettings[];
    return settings.map((entry, index) => webhookOf(entry, index, this.#resolve));
  }

  #replace(name: string, webhooks: readonly Webhook[]): void {
    // The endpoints before stay open for requests under way; their idle connections end by themselves.
    this.#byConfiguration.set(name, webhooks);
    this.#webhooks = [...this.#byConfiguration.keys()].sort().flatMap((key) => this.#byConfiguration.get(key) ?? []);
  }
}
