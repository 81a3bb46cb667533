import { account, betas, events } from "./account.ts";
import { instances } from "./instances.ts";
import { firewalls, networking, nodeBalancers, placementGroups, vpcs } from "./networking.ts";
import { images, shareGroups } from "./images.ts";
import { locks, profile } from "./profile.ts";
import { domains, kernels, objectStorage, regions, stackScripts, tags, types, volumes } from "./services.ts";

/** Every operation of the API that the client knows, by group. */
export const operations = {
  account,
  betas,
  domains,
  events,
  firewalls,
  images,
  instances,
  kernels,
  locks,
  networking,
  nodeBalancers,
  objectStorage,
  placementGroups,
  profile,
  regions,
  shareGroups,
  stackScripts,
  tags,
  types,
  volumes,
  vpcs,
};
