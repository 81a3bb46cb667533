import type { ResponseCache } from "./cache.ts";
import type { LinodeClientOptions } from "./options.ts";
import type { RateLimits } from "./rate-limit.ts";
import { instancesApi } from "./resources/instances.ts";
import type { InstancesApi } from "./resources/instances.ts";
import { firewallsApi, placementGroupsApi, vpcsApi } from "./resources/networking.ts";
import type { FirewallsApi, PlacementGroupsApi, VpcsApi } from "./resources/networking.ts";
import { nodeBalancersApi } from "./resources/node-balancers.ts";
import type { NodeBalancersApi } from "./resources/node-balancers.ts";
import {
  domainsApi,
  eventsApi,
  imagesApi,
  kernelsApi,
  objectStorageApi,
  regionsApi,
  stackScriptsApi,
  typesApi,
  volumesApi,
} from "./resources/services.ts";
import type {
  DomainsApi,
  EventsApi,
  ImagesApi,
  KernelsApi,
  ObjectStorageApi,
  RegionsApi,
  StackScriptsApi,
  TypesApi,
  VolumesApi,
} from "./resources/services.ts";
import { Transport } from "./transport.ts";
import { eventPoller, waiters } from "./waiters.ts";
import type { Entity, EventPoller, Waiters } from "./waiters.ts";

/** The Linode API v4. Bodies and answers are plain JSON with the API's own field names. Failures are `LinodeError`. */
export interface LinodeClient {
  readonly instances: InstancesApi;
  readonly nodeBalancers: NodeBalancersApi;
  readonly vpcs: VpcsApi;
  readonly firewalls: FirewallsApi;
  readonly placementGroups: PlacementGroupsApi;
  readonly objectStorage: ObjectStorageApi;
  readonly domains: DomainsApi;
  readonly regions: RegionsApi;
  readonly types: TypesApi;
  readonly kernels: KernelsApi;
  readonly images: ImagesApi;
  readonly stackScripts: StackScriptsApi;
  readonly volumes: VolumesApi;
  readonly events: EventsApi;
  readonly waitFor: Waiters;
  eventPoller(
    about: { readonly entity: Entity; readonly action: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<EventPoller>;
  /** What the API last said about its rate limits. */
  readonly rateLimits: RateLimits;
  readonly cache: ResponseCache;
  /** Ends idle connections once running calls are done. */
  close(): Promise<void>;
}

export const createLinodeClient = (options: LinodeClientOptions = {}): LinodeClient => {
  const transport = new Transport(options);
  const { system } = transport;
  const instances = instancesApi(transport);
  const volumes = volumesApi(transport);
  const images = imagesApi(transport);
  const events = eventsApi(transport);
  return {
    instances,
    nodeBalancers: nodeBalancersApi(transport),
    vpcs: vpcsApi(transport),
    firewalls: firewallsApi(transport),
    placementGroups: placementGroupsApi(transport),
    objectStorage: objectStorageApi(transport),
    domains: domainsApi(transport),
    regions: regionsApi(transport),
    types: typesApi(transport),
    kernels: kernelsApi(transport),
    images,
    stackScripts: stackScriptsApi(transport),
    volumes,
    events,
    waitFor: waiters({ system, instances, volumes, images, events }),
    eventPoller: (about, call) => eventPoller({ system, events }, about, call),
    rateLimits: transport.rateLimits,
    cache: transport.cache,
    close: () => transport.close(),
  };
};
