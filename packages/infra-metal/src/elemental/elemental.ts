import type { ControllerV1 } from "@capstan/contract/v1";
import type { Resource } from "@capstan/schema";
import { ElementalCluster, ElementalClusterTemplate } from "./api/elemental-cluster.v1beta1.ts";
import { ElementalHost } from "./api/elemental-host.v1beta1.ts";
import { ElementalMachine, ElementalMachineTemplate } from "./api/elemental-machine.v1beta1.ts";
import { ElementalRegistration } from "./api/elemental-registration.v1beta1.ts";
import { elementalCluster } from "./cluster/elemental-cluster.ts";
import { elementalHost } from "./host/elemental-host.ts";
import { httpRequests, type Requests } from "./http/requests.ts";
import { elementalMachine } from "./machine/elemental-machine.ts";
import type { ElementalOptions } from "./options.ts";
import { bootMediaAt } from "./registration/boot-media.ts";
import { elementalRegistration } from "./registration/elemental-registration.ts";
import { apiCertificate, elementalApi } from "./server/serve-api.ts";
import { imageReference } from "./bundle/image-reference.ts";
import { registrySource } from "./bundle/registry-client.ts";
import { resolveBundle } from "./bundle/resolve-bundle.ts";

/** Resolves a reference by the registry that it names. */
const resolveImage = (image: string, requests: Requests, signal: AbortSignal): Promise<string> => {
  const reference = imageReference(image);
  return resolveBundle(reference, registrySource(reference, { requests, signal }));
};

/** The kinds of Elemental. */
export const elementalKinds: readonly Resource[] = [
  ElementalCluster,
  ElementalClusterTemplate,
  ElementalHost,
  ElementalMachine,
  ElementalMachineTemplate,
  ElementalRegistration,
];

/** Returns the controllers of the kinds of Elemental, and the controller that serves the API for hosts. */
export const elementalControllers = (options: ElementalOptions): readonly ControllerV1[] => {
  const requests = httpRequests({ authority: options.registryAuthority, trustsPublic: true });
  return [
    elementalCluster(),
    elementalHost(),
    elementalMachine({ resolve: (image, signal) => resolveImage(image, requests, signal) }),
    elementalRegistration({
      ...options,
      ...(options.bootMedia !== undefined && { media: bootMediaAt(options.bootMedia.url, requests) }),
      authority: async (environment) => options.authority ?? apiCertificate(options, environment).authority(),
    }),
    elementalApi(options),
  ];
};
